"""A device with an L2CAP channel that gives back what it gets; Bumble from end to end.

Whoever connects to the port that it prints gets a controller of Bumble's.

Standard output, a line each:
  port N            the controller listens there
  psm N             channels to this PSM are taken
  opened MTU MPS    a channel was opened, by a peer that takes so much
  closed            a channel was closed
Standard input, a line each:
  close             the device closes its channels
"""

import argparse

from bumble.l2cap import LeCreditBasedChannelSpec

from common import Bench, advertise, forever, say, work


class Echo:
    """The channels of the device."""

    def __init__(self):
        self.channels = []

    def opened(self, channel):
        say("opened", channel.peer_mtu, channel.peer_mps)
        self.channels.append(channel)
        channel.sink = channel.write
        channel.on(channel.EVENT_CLOSE, lambda: self.closed(channel))

    def closed(self, channel):
        self.channels.remove(channel)
        say("closed")

    async def obey(self, order):
        if order == "close":
            for channel in list(self.channels):
                await channel.disconnect()


async def main(echo, options):
    bench = Bench()
    device = bench.device(options.name, "E0:E1:E2:E3:E4:E6")
    await bench.open()
    await device.power_on()
    spec = LeCreditBasedChannelSpec(mtu=options.mtu, mps=options.mps, max_credits=options.credits)
    say("psm", device.create_l2cap_server(spec, echo.opened).psm)
    await advertise(device, options.name)
    await forever()


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--name", default="Bumble Echo")
parser.add_argument("--mtu", type=int, default=200)
parser.add_argument("--mps", type=int, default=60)
parser.add_argument("--credits", type=int, default=4)
echo = Echo()
work(main(echo, parser.parse_args()), echo.obey)
