"""A central that is Bumble from end to end, on a link with the controller of a peripheral that it meets.

Whoever connects to the port that it prints gets a controller of Bumble's. In each round the central finds the peripheral
by its name and its heart-rate service, connects, and goes through all that the peripheral serves.

Standard output, a line each:
  port N            the controller listens there
  services U…       the UUIDs of what was discovered
  mtu N             the agreed length of a PDU
  read U HEX        a value that was read
  wrote U           a value that was written with response; U is “echo” for the characteristic that is named so
  refused U N       a write that was answered by the error N
  beats N FIRST     N heart rates came by notification, one after the other from FIRST on
  mixed HEX HEX     a heart rate that does not follow the one before it
  indicated HEX     a value that came by indication
  unsubscribed      no more of them are wanted
  disconnected      the round is over
"""

import argparse
import asyncio

from bumble.att import ATT_Error
from bumble.core import UUID
from bumble.device import Peer

from common import Bench, find, forever, say, work

HEART_RATE = UUID.from_16_bits(0x180D)


class Central:
    def __init__(self, device, options):
        self.device, self.options = device, options

    async def round(self):
        connection = await self.device.connect(await find(self.device, self.options.name, HEART_RATE))
        peer = Peer(connection)
        if self.options.mtu:
            say("mtu", await peer.request_mtu(self.options.mtu))
        await peer.discover_all()
        say("services", *(service.uuid.to_hex_str() for service in peer.services))

        def named(uuid):
            return peer.get_characteristics_by_uuid(UUID(uuid))[0]

        for uuid in ["2A38", "2A29"]:
            say("read", uuid, bytes(await named(uuid).read_value()).hex())
        for value in [1, 2]:
            try:
                await named("2A39").write_value(bytes([value]), with_response=True)
                say("wrote 2A39")
            except ATT_Error as error:
                say("refused 2A39", int(error.error_code))
        await self.listen(named("2A37"))
        await self.echo(named(self.options.echo))
        await connection.disconnect()
        say("disconnected")

    async def listen(self, measurement):
        """Takes a number of heart rates that come as fast as they can."""
        values = asyncio.Queue()
        await measurement.subscribe(values.put_nowait)
        first = last = await values.get()
        for _ in range(self.options.beats - 1):
            value = await values.get()
            if value[1] != (last[1] + 1) % 256:
                say("mixed", last.hex(), value.hex())
            last = value
        say("beats", self.options.beats, first[1])
        await measurement.unsubscribe(values.put_nowait)

    async def echo(self, characteristic):
        """Writes in each way that there is, and waits for what comes back of it."""
        values = asyncio.Queue()
        await characteristic.subscribe(values.put_nowait)
        await characteristic.write_value(b"command")
        say("indicated", (await values.get()).hex())
        for value in [b"request", bytes(range(150)) * 2]:
            await characteristic.write_value(value, with_response=True)
            say("wrote echo")
            say("indicated", (await values.get()).hex())
            say("read echo", bytes(await characteristic.read_value()).hex())
        await characteristic.unsubscribe(values.put_nowait)
        say("unsubscribed")


async def main(options):
    bench = Bench(options.acl, options.extended)
    central = Central(bench.device("Bumble Central", options.address), options)
    await bench.open()
    await central.device.power_on()
    for _ in range(options.rounds):
        await central.round()
    await forever()


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--name", default="Halcyon Heart", help="whom to look for")
parser.add_argument("--address", default="F0:F1:F2:F3:F4:F5")
parser.add_argument("--echo", required=True, help="the characteristic that indicates the end of what is written")
parser.add_argument("--mtu", type=int, default=0, help="the length of a PDU to ask for; 0 for not asking")
parser.add_argument("--acl", type=int, default=27, help="bytes in one packet of the controllers' buffers")
parser.add_argument("--beats", type=int, default=50, help="how many heart rates to wait for")
parser.add_argument("--rounds", type=int, default=1)
parser.add_argument("--extended", action="store_true", help="leave the controllers their extended advertising")
work(main(parser.parse_args()))
