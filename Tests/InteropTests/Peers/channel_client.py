"""A central that opens L2CAP channels to the device that it meets; Bumble from end to end.

Whoever connects to the port that it prints gets a controller of Bumble's. The central finds the device by its name,
connects, asks for channels that it does not get, and then opens one after the other to a PSM that echoes: the first it
closes itself, on the second it asks the device to do so.

Standard output, a line each:
  port N            the controller listens there
  refused PSM N     a channel was refused with the result N
  opened MTU MPS    a channel was opened, to a device that takes so much
  echoed N          as many bytes came back, all as they were sent
  wrong N           the byte at N did not
  closed            a channel was closed
"""

import argparse
import asyncio

from bumble.core import ProtocolError
from bumble.l2cap import LeCreditBasedChannelSpec

from common import Bench, find, forever, say, work


class Client:
    def __init__(self, connection, options):
        self.connection, self.options = connection, options

    async def open(self, psm):
        options = self.options
        spec = LeCreditBasedChannelSpec(psm=psm, mtu=options.mtu, mps=options.mps, max_credits=options.credits)
        return await self.connection.create_l2cap_channel(spec)

    async def be_refused(self, psm):
        try:
            await self.open(psm)
        except ProtocolError as error:
            say("refused", psm, int(error.error_code))

    async def exchange(self, is_told_to_close):
        channel = await self.open(self.options.psm)
        say("opened", channel.peer_mtu, channel.peer_mps)
        sent = bytes((place * 7 + place // 256) % 256 for place in range(self.options.bytes))
        received = bytearray()
        is_done = asyncio.Event()
        is_closed = asyncio.Event()

        def take(data):
            received.extend(data)
            if len(received) >= len(sent):
                is_done.set()

        channel.sink = take
        channel.on(channel.EVENT_CLOSE, is_closed.set)
        for start in range(0, len(sent), 500):
            channel.write(sent[start:start + 500])
            await channel.drain()
        await is_done.wait()
        if bytes(received) == sent:
            say("echoed", len(received))
        else:
            say("wrong", next(place for place, byte in enumerate(sent) if received[place] != byte))
        if is_told_to_close:
            channel.write(b"bye")
            await is_closed.wait()
        else:
            await channel.disconnect()
        say("closed")


async def main(options):
    bench = Bench()
    device = bench.device("Bumble Client", "F0:F1:F2:F3:F4:F6")
    await bench.open()
    await device.power_on()
    client = Client(await device.connect(await find(device, options.name)), options)
    for psm in options.refused:
        await client.be_refused(psm)
    for is_told_to_close in [False, True]:
        await client.exchange(is_told_to_close)
    await forever()


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--name", required=True, help="whom to look for")
parser.add_argument("--psm", type=int, required=True, help="what echoes")
parser.add_argument("--refused", type=int, nargs="*", default=[], help="what refuses")
parser.add_argument("--bytes", type=int, default=20000)
parser.add_argument("--mtu", type=int, default=200)
parser.add_argument("--mps", type=int, default=60)
parser.add_argument("--credits", type=int, default=4)
work(main(parser.parse_args()))
