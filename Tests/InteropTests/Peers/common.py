"""What the programs of this folder share. Each is a Bluetooth device, or a user of one, that is Bumble from end to end.

A program says what happens on standard output, a line each, and does what it is told on standard input. It ends when
its standard input ends, so that it never outlives who started it.
"""

import asyncio
import socket
import sys

from bumble.controller import Controller
from bumble.core import AdvertisingData
from bumble.device import Device
from bumble.hci import Address, LeFeatureMask
from bumble.host import Host
from bumble.link import LocalLink
from bumble.transport.tcp_server import open_tcp_server_transport_with_socket


def say(*words):
    print(*words, flush=True)


def work(job, obey=None):
    """Runs a job until it is done, has failed, or standard input has ended; each line of that is given to `obey`."""
    asyncio.run(_work(job, obey))


async def _work(job, obey):
    tasks = [asyncio.create_task(job), asyncio.create_task(_follow_input(obey))]
    done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()


async def _follow_input(obey):
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while line := await lines.readline():
        if obey:
            await obey(line.decode().strip())


async def forever():
    await asyncio.get_running_loop().create_future()


class Bench:
    """Two of Bumble's virtual controllers on one link: the near one for whoever connects to a port of this machine, the
    far one for a host of Bumble's in this program."""

    def __init__(self, acl=251, is_extended=False):
        self.acl, self.is_extended, self.link = acl, is_extended, LocalLink()
        self.far = self.controller("far")

    def controller(self, name, **transport):
        controller = Controller(name, link=self.link, **transport)
        # Bumble's controller tells of advertisers in extended reports even to a host that scans in the legacy way,
        # unless it has no extended advertising.
        if not self.is_extended:
            controller.le_features &= ~LeFeatureMask.LE_EXTENDED_ADVERTISING
        controller.le_acl_data_packet_length = self.acl
        return controller

    def device(self, name, address):
        """A device behind the far controller. Not with a public address: Bumble's link drops the packets between two of
        that kind."""
        host = Host()
        host.controller = self.far
        return Device(name=name, address=Address(address), host=host)

    async def open(self):
        """Opens the port, and says which it is: “port N”."""
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        transport = await open_tcp_server_transport_with_socket(listener)
        self.near = self.controller("near", host_source=transport.source, host_sink=transport.sink)
        say("port", listener.getsockname()[1])


def advertising_data(name, service=None):
    """All in one, as Bumble's controller gives the advertising data again where the scan response is due."""
    parts = [(AdvertisingData.FLAGS, bytes([0x06])), (AdvertisingData.COMPLETE_LOCAL_NAME, name.encode())]
    if service:
        parts.insert(1, (AdvertisingData.INCOMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, bytes(service)))
    return bytes(AdvertisingData(parts))


async def advertise(device, name, service=None):
    """Lets a device be found, and again after each connection."""
    device.advertising_data = advertising_data(name, service)
    await device.start_advertising(auto_restart=True, advertising_interval_min=30, advertising_interval_max=30)


async def find(device, name, service=None):
    """The address of who advertises a name, and a service if one is wanted."""
    found = asyncio.get_running_loop().create_future()

    def heard(advertisement):
        services = advertisement.data.get(AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS) or []
        is_wanted = advertisement.data.get(AdvertisingData.COMPLETE_LOCAL_NAME) == name
        if is_wanted and (service is None or service in services) and not found.done():
            found.set_result(advertisement.address)

    device.on("advertisement", heard)
    await device.start_scanning()
    address = await found
    await device.stop_scanning()
    device.remove_listener("advertisement", heard)
    return address
