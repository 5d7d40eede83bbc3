"""A device with an L2CAP channel that gives back what it gets; Bumble from end to end, behind a controller on TCP.

One process holds two of Bumble's virtual controllers on one link. The first speaks HCI (H4) with whoever connects to
the loopback port that this program prints. Behind the second stands Bumble's own host.

Standard output, a line each:
  port N            the controller listens there
  psm N             channels to this PSM are taken
  opened MTU MPS    a channel was opened, by a peer that takes so much
  closed            a channel was closed
Standard input, a line each:
  close             the device closes its channels
The program ends when its standard input ends, so that it never outlives who started it.
"""

import argparse
import asyncio
import socket
import sys

from bumble.controller import Controller
from bumble.core import AdvertisingData
from bumble.device import Device
from bumble.hci import Address, LeFeatureMask
from bumble.host import Host
from bumble.l2cap import LeCreditBasedChannelSpec
from bumble.link import LocalLink
from bumble.transport.tcp_server import open_tcp_server_transport_with_socket


def say(line):
    print(line, flush=True)


class Echo:
    """The device, and its channels."""

    def __init__(self, controller, options):
        host = Host()
        host.controller = controller
        self.device = Device(name=options.name, address=Address("E0:E1:E2:E3:E4:E6"), host=host)
        self.device.advertising_data = bytes(AdvertisingData([
            (AdvertisingData.FLAGS, bytes([0x06])),
            (AdvertisingData.COMPLETE_LOCAL_NAME, options.name.encode()),
        ]))
        self.spec = LeCreditBasedChannelSpec(mtu=options.mtu, mps=options.mps, max_credits=options.credits)
        self.channels = []

    def opened(self, channel):
        say(f"opened {channel.peer_mtu} {channel.peer_mps}")
        self.channels.append(channel)
        channel.sink = channel.write
        channel.on(channel.EVENT_CLOSE, lambda: self.closed(channel))

    def closed(self, channel):
        self.channels.remove(channel)
        say("closed")

    async def close(self):
        for channel in list(self.channels):
            await channel.disconnect()

    async def run(self):
        await self.device.power_on()
        server = self.device.create_l2cap_server(self.spec, self.opened)
        say(f"psm {server.psm}")
        await self.device.start_advertising(
            auto_restart=True, advertising_interval_min=30, advertising_interval_max=30
        )
        await asyncio.get_running_loop().create_future()


async def obey(echo):
    """Follows standard input to its end."""
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while line := await lines.readline():
        if line.strip() == b"close":
            await echo.close()


def make_controller(name, link, **transport):
    controller = Controller(name, link=link, **transport)
    # Bumble's controller tells of advertisers in extended reports even to a host that scans in the legacy way, unless
    # it has no extended advertising.
    controller.le_features &= ~LeFeatureMask.LE_EXTENDED_ADVERTISING
    controller.le_acl_data_packet_length = 251
    return controller


async def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--name", default="Bumble Echo")
    parser.add_argument("--mtu", type=int, default=200)
    parser.add_argument("--mps", type=int, default=60)
    parser.add_argument("--credits", type=int, default=4)
    options = parser.parse_args()

    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    transport = await open_tcp_server_transport_with_socket(listener)
    link = LocalLink()
    make_controller("near", link, host_source=transport.source, host_sink=transport.sink)
    echo = Echo(make_controller("far", link), options)
    running = asyncio.create_task(echo.run())
    obeying = asyncio.create_task(obey(echo))
    say(f"port {listener.getsockname()[1]}")
    done, _ = await asyncio.wait([running, obeying], return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()


asyncio.run(main())
