"""A central that opens L2CAP channels to the device that it meets; Bumble from end to end, behind a controller on TCP.

One process holds two of Bumble's virtual controllers on one link. The first speaks HCI (H4) with whoever connects to
the loopback port that this program prints. Behind the second stands Bumble's own host. It finds the device by its name,
connects, asks for channels that it does not get, and then opens one after the other to a PSM that echoes: the first it
closes itself, on the second it asks the device to do so.

Standard output, a line each:
  port N            the controller listens there
  refused PSM N     a channel was refused with the result N
  opened MTU MPS    a channel was opened, to a device that takes so much
  echoed N          as many bytes came back, all as they were sent
  wrong N           the byte at N did not
  closed            a channel was closed
The program ends when its standard input ends, so that it never outlives who started it.
"""

import argparse
import asyncio
import socket
import sys

from bumble.controller import Controller
from bumble.core import AdvertisingData, ProtocolError
from bumble.device import Device
from bumble.hci import Address, LeFeatureMask
from bumble.host import Host
from bumble.l2cap import LeCreditBasedChannelSpec
from bumble.link import LocalLink
from bumble.transport.tcp_server import open_tcp_server_transport_with_socket


def say(line):
    print(line, flush=True)


class Client:
    def __init__(self, controller, options):
        self.options = options
        host = Host()
        host.controller = controller
        self.device = Device(name="Bumble Client", address=Address("F0:F1:F2:F3:F4:F6"), host=host)

    async def find(self):
        found = asyncio.get_running_loop().create_future()

        def heard(advertisement):
            name = advertisement.data.get(AdvertisingData.COMPLETE_LOCAL_NAME)
            if name == self.options.name and not found.done():
                found.set_result(advertisement.address)

        self.device.on("advertisement", heard)
        await self.device.start_scanning()
        address = await found
        await self.device.stop_scanning()
        self.device.remove_listener("advertisement", heard)
        return address

    def spec(self, psm):
        options = self.options
        return LeCreditBasedChannelSpec(psm=psm, mtu=options.mtu, mps=options.mps, max_credits=options.credits)

    async def is_refused(self, connection, psm):
        try:
            await connection.create_l2cap_channel(self.spec(psm))
        except ProtocolError as error:
            say(f"refused {psm} {int(error.error_code)}")

    async def exchange(self, connection, is_told_to_close):
        channel = await connection.create_l2cap_channel(self.spec(self.options.psm))
        say(f"opened {channel.peer_mtu} {channel.peer_mps}")
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
            say(f"echoed {len(received)}")
        else:
            say(f"wrong {next(place for place, byte in enumerate(sent) if received[place] != byte)}")
        if is_told_to_close:
            channel.write(b"bye")
            await is_closed.wait()
        else:
            await channel.disconnect()
        say("closed")

    async def run(self):
        await self.device.power_on()
        connection = await self.device.connect(await self.find())
        for psm in self.options.refused:
            await self.is_refused(connection, psm)
        for is_told_to_close in [False, True]:
            await self.exchange(connection, is_told_to_close)
        await asyncio.Future()


async def until_input_ends():
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while await lines.readline():
        pass


def make_controller(name, link, **transport):
    controller = Controller(name, link=link, **transport)
    # Bumble's controller tells of advertisers in extended reports even to a host that scans in the legacy way, unless
    # it has no extended advertising.
    controller.le_features &= ~LeFeatureMask.LE_EXTENDED_ADVERTISING
    controller.le_acl_data_packet_length = 251
    return controller


async def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--name", required=True, help="whom to look for")
    parser.add_argument("--psm", type=int, required=True, help="what echoes")
    parser.add_argument("--refused", type=int, nargs="*", default=[], help="what refuses")
    parser.add_argument("--bytes", type=int, default=20000)
    parser.add_argument("--mtu", type=int, default=200)
    parser.add_argument("--mps", type=int, default=60)
    parser.add_argument("--credits", type=int, default=4)
    options = parser.parse_args()

    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    transport = await open_tcp_server_transport_with_socket(listener)
    link = LocalLink()
    make_controller("near", link, host_source=transport.source, host_sink=transport.sink)
    client = Client(make_controller("far", link), options)
    running = asyncio.create_task(client.run())
    watching = asyncio.create_task(until_input_ends())
    say(f"port {listener.getsockname()[1]}")
    done, _ = await asyncio.wait([running, watching], return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()


asyncio.run(main())
