"""A heart-rate sensor that is Bumble from end to end, with Bumble's own services.

Whoever connects to the port that it prints gets a controller of Bumble's.

Standard output, a line each:
  port N            the controller listens there
  connected         a central has connected to the sensor
  disconnected N    and is gone again, with the HCI reason N
  reset             the counted energy was reset by way of the control point
Standard input, a line each:
  drop              the sensor ends its connections
"""

import argparse
import asyncio

from bumble.profiles.battery_service import BatteryService
from bumble.profiles.device_information_service import DeviceInformationService
from bumble.profiles.heart_rate_service import HeartRateService

from common import Bench, advertise, say, work


class Sensor:
    """The device with its services, and a heart that beats a little faster each time."""

    def __init__(self, options):
        self.options = options
        self.beats = 0
        self.energy = 100
        self.device = None

    def connected(self, connection):
        connection.on("disconnection", lambda reason: say("disconnected", int(reason)))
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

    async def obey(self, order):
        if order == "drop":
            for connection in list(self.device.connections.values()):
                await connection.disconnect()

    async def run(self):
        options = self.options
        heart_rate = HeartRateService(
            read_heart_rate_measurement=lambda _: self.measure(),
            body_sensor_location=HeartRateService.BodySensorLocation.WRIST,
            reset_energy_expended=lambda _: self.reset(),
        )
        bench = Bench(options.acl, options.extended)
        self.device = bench.device(options.name, options.address)
        self.device.add_services([
            DeviceInformationService(manufacturer_name=options.manufacturer), BatteryService(lambda _: 88), heart_rate,
        ])
        self.device.on("connection", self.connected)
        await bench.open()
        await self.device.power_on()
        await advertise(self.device, options.name, heart_rate.uuid)
        while True:
            await asyncio.sleep(options.interval)
            await self.device.notify_subscribers(heart_rate.heart_rate_measurement_characteristic)


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--name", default="Bumble Heart")
parser.add_argument("--address", default="E0:E1:E2:E3:E4:E5")
parser.add_argument("--manufacturer", default="ACME")
parser.add_argument("--interval", type=float, default=0.05, help="seconds between two measurements")
parser.add_argument("--acl", type=int, default=27, help="bytes in one packet of the controllers' buffers")
parser.add_argument("--extended", action="store_true", help="leave the controllers their extended advertising")
sensor = Sensor(parser.parse_args())
work(sensor.run(), sensor.obey)
