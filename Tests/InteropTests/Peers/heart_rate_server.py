"""A heart-rate sensor that is Bumble from end to end, behind a controller that a host reaches over TCP.

One process holds two of Bumble's virtual controllers on one link. The first speaks HCI (H4) with whoever connects to
the loopback port that this program prints. Behind the second stands Bumble's own host with Bumble's own services.

Standard output, a line each:
  port N            the controller listens there
  connected         a central has connected to the sensor
  disconnected N    and is gone again, with the HCI reason N
  reset             the counted energy was reset by way of the control point
Standard input, a line each:
  drop              the sensor ends its connections
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
from bumble.link import LocalLink
from bumble.profiles.battery_service import BatteryService
from bumble.profiles.device_information_service import DeviceInformationService
from bumble.profiles.heart_rate_service import HeartRateService
from bumble.transport.tcp_server import open_tcp_server_transport_with_socket


def say(line):
    print(line, flush=True)


class Sensor:
    """The device with its services, and a heart that beats a little faster each time."""

    def __init__(self, controller, options):
        self.beats = 0
        self.energy = 100
        self.heart_rate = HeartRateService(
            read_heart_rate_measurement=lambda _: self.measure(),
            body_sensor_location=HeartRateService.BodySensorLocation.WRIST,
            reset_energy_expended=lambda _: self.reset(),
        )
        host = Host()
        host.controller = controller
        self.device = Device(name=options.name, address=Address(options.address), host=host)
        self.device.add_services([
            DeviceInformationService(manufacturer_name=options.manufacturer),
            BatteryService(lambda _: 88),
            self.heart_rate,
        ])
        # All in one: Bumble's controller gives the advertising data again where the scan response is due.
        self.device.advertising_data = bytes(AdvertisingData([
            (AdvertisingData.FLAGS, bytes([0x06])),
            (AdvertisingData.INCOMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, bytes(self.heart_rate.uuid)),
            (AdvertisingData.COMPLETE_LOCAL_NAME, options.name.encode()),
        ]))
        self.device.on("connection", self.connected)

    def connected(self, connection):
        connection.on("disconnection", lambda reason: say(f"disconnected {reason}"))
        say("connected")

    def measure(self):
        self.beats += 1
        self.energy += 1
        return HeartRateService.HeartRateMeasurement(
            heart_rate=60 + self.beats % 200,
            sensor_contact_detected=True,
            energy_expended=self.energy,
            rr_intervals=[1.0, 0.5],
        )

    def reset(self):
        self.energy = 0
        say("reset")

    async def drop(self):
        for connection in list(self.device.connections.values()):
            await connection.disconnect()

    async def run(self, interval):
        await self.device.power_on()
        await self.device.start_advertising(
            auto_restart=True, advertising_interval_min=30, advertising_interval_max=30
        )
        while True:
            await asyncio.sleep(interval)
            await self.device.notify_subscribers(self.heart_rate.heart_rate_measurement_characteristic)


async def obey(sensor):
    """Follows standard input to its end."""
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while line := await lines.readline():
        if line.strip() == b"drop":
            await sensor.drop()


def make_controller(name, link, options, **transport):
    controller = Controller(name, link=link, **transport)
    # Bumble's controller tells of advertisers in extended reports even to a host that scans in the legacy way, unless
    # it has no extended advertising.
    if not options.extended:
        controller.le_features &= ~LeFeatureMask.LE_EXTENDED_ADVERTISING
    controller.le_acl_data_packet_length = options.acl
    return controller


async def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--name", default="Bumble Heart")
    parser.add_argument("--address", default="E0:E1:E2:E3:E4:E5")
    parser.add_argument("--manufacturer", default="ACME")
    parser.add_argument("--interval", type=float, default=0.05, help="seconds between two measurements")
    parser.add_argument("--acl", type=int, default=27, help="bytes in one packet of the controllers' buffers")
    parser.add_argument("--extended", action="store_true", help="leave the controllers their extended advertising")
    options = parser.parse_args()

    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    transport = await open_tcp_server_transport_with_socket(listener)
    link = LocalLink()
    make_controller("near", link, options, host_source=transport.source, host_sink=transport.sink)
    sensor = Sensor(make_controller("far", link, options), options)
    running = asyncio.create_task(sensor.run(options.interval))
    obeying = asyncio.create_task(obey(sensor))
    say(f"port {listener.getsockname()[1]}")
    done, _ = await asyncio.wait([running, obeying], return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()


asyncio.run(main())
