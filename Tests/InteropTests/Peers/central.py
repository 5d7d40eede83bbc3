"""A central that is Bumble from end to end, on a link with the controller of a peripheral that it meets.

One process holds two of Bumble's virtual controllers on one link. The first speaks HCI (H4) with whoever connects to
the loopback port that this program prints. Behind the second stands Bumble's own host. In each round it finds the
peripheral by its name and its heart-rate service, connects, and goes through all that the peripheral serves.

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
The program ends when its standard input ends, so that it never outlives who started it.
"""

import argparse
import asyncio
import socket
import sys

from bumble.att import ATT_Error
from bumble.controller import Controller
from bumble.core import UUID, AdvertisingData
from bumble.device import Device, Peer
from bumble.hci import Address, LeFeatureMask
from bumble.host import Host
from bumble.link import LocalLink
from bumble.transport.tcp_server import open_tcp_server_transport_with_socket

HEART_RATE = UUID.from_16_bits(0x180D)


def say(line):
    print(line, flush=True)


class Central:
    def __init__(self, controller, options):
        self.options = options
        host = Host()
        host.controller = controller
        self.device = Device(name="Bumble Central", address=Address(options.address), host=host)

    async def find(self):
        found = asyncio.get_running_loop().create_future()

        def heard(advertisement):
            services = advertisement.data.get(AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS) or []
            name = advertisement.data.get(AdvertisingData.COMPLETE_LOCAL_NAME)
            if name == self.options.name and HEART_RATE in services and not found.done():
                found.set_result(advertisement.address)

        self.device.on("advertisement", heard)
        await self.device.start_scanning()
        address = await found
        await self.device.stop_scanning()
        self.device.remove_listener("advertisement", heard)
        return address

    async def round(self):
        connection = await self.device.connect(await self.find())
        peer = Peer(connection)
        if self.options.mtu:
            say(f"mtu {await peer.request_mtu(self.options.mtu)}")
        await peer.discover_all()
        say("services " + " ".join(service.uuid.to_hex_str() for service in peer.services))

        def named(uuid):
            return peer.get_characteristics_by_uuid(UUID(uuid))[0]

        for uuid in ["2A38", "2A29"]:
            say(f"read {uuid} " + bytes(await named(uuid).read_value()).hex())
        for value in [1, 2]:
            try:
                await named("2A39").write_value(bytes([value]), with_response=True)
                say("wrote 2A39")
            except ATT_Error as error:
                say(f"refused 2A39 {error.error_code}")
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
                say(f"mixed {last.hex()} {value.hex()}")
            last = value
        say(f"beats {self.options.beats} {first[1]}")
        await measurement.unsubscribe(values.put_nowait)

    async def echo(self, characteristic):
        """Writes in each way that there is, and waits for what comes back of it."""
        values = asyncio.Queue()
        await characteristic.subscribe(values.put_nowait)
        await characteristic.write_value(b"command")
        say("indicated " + (await values.get()).hex())
        for value in [b"request", bytes(range(150)) * 2]:
            await characteristic.write_value(value, with_response=True)
            say("wrote echo")
            say("indicated " + (await values.get()).hex())
            say("read echo " + bytes(await characteristic.read_value()).hex())
        await characteristic.unsubscribe(values.put_nowait)
        say("unsubscribed")

    async def run(self):
        await self.device.power_on()
        for _ in range(self.options.rounds):
            await self.round()
        await asyncio.Future()


async def until_input_ends():
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while await lines.readline():
        pass


def make_controller(name, link, options, **transport):
    controller = Controller(name, link=link, **transport)
    # Bumble's controller tells of advertisers in extended reports even to a host that scans in the legacy way, unless
    # it has no extended advertising.
    controller.le_features &= ~LeFeatureMask.LE_EXTENDED_ADVERTISING
    controller.le_acl_data_packet_length = options.acl
    return controller


async def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--name", default="Halcyon Heart", help="whom to look for")
    # Not a public one: Bumble's link gives up the packets between public addresses.
    parser.add_argument("--address", default="F0:F1:F2:F3:F4:F5")
    parser.add_argument("--echo", required=True, help="the characteristic that indicates the end of what is written")
    parser.add_argument("--mtu", type=int, default=0, help="the length of a PDU to ask for; 0 for not asking")
    parser.add_argument("--acl", type=int, default=27, help="bytes in one packet of the controllers' buffers")
    parser.add_argument("--beats", type=int, default=50, help="how many heart rates to wait for")
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()

    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    transport = await open_tcp_server_transport_with_socket(listener)
    link = LocalLink()
    make_controller("near", link, options, host_source=transport.source, host_sink=transport.sink)
    central = Central(make_controller("far", link, options), options)
    running = asyncio.create_task(central.run())
    watching = asyncio.create_task(until_input_ends())
    say(f"port {listener.getsockname()[1]}")
    done, _ = await asyncio.wait([running, watching], return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()


asyncio.run(main())
