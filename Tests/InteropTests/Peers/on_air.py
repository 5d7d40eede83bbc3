"""Bumble's host on a controller of ours: on_air.py PORT central|visitor|sensor|ping|pong|beacon|watcher NAME

As central it finds NAME, connects, reads and listens, and as visitor it does so with NAME when it is told to; as sensor it
serves heart rates under that name. As pong it notifies, under that name, each value that is written to it; as ping it finds
that one and waits for each value's return. As beacon it advertises by extended packets, longer than any legacy one; as
watcher it tells of what is advertised so.

Standard output, a line each:
  ready             a visitor can be told what to do
  services U…       the UUIDs of what a central or a visitor has discovered
  read U HEX        a value that a central or a visitor has read
  refused U N       what a visitor wanted was answered with the error N
  failed WORD U     what a visitor was told to do has come to nothing
  listening U       a visitor has subscribed
  value U HEX       a value that a visitor was notified of
  connected         a sensor has a link
  disconnected N    the link of a visitor or a sensor is gone, with the HCI reason N
  unplugged         the controller of a visitor or a sensor is gone
  beat N            a heart rate that a central was notified of
  advertising       a sensor or a pong can be found
  lost HEX HEX      what a ping has sent, and the other value that came back
  watching          a watcher listens
  heard N PHY SID HEX  a watcher has heard N bytes, the last of which are HEX, in a set, on a PHY
  pings N LENGTH    N values of this length have come back to a ping
Standard input of a visitor, a line each:
  connect MS        connects, with this supervision timeout, and discovers everything
  read U            reads a characteristic
  listen U          subscribes to it
"""

import asyncio
import sys

from bumble.att import ATT_Error
from bumble.core import UUID, AdvertisingData
from bumble.device import (
    AdvertisingEventProperties,
    AdvertisingParameters,
    ConnectionParametersPreferences,
    Device,
    DeviceConfiguration,
    Peer,
)
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.hci import Address, Phy
from bumble.profiles.heart_rate_service import HeartRateService
from bumble.transport import open_transport

from common import advertising_data, find, forever, say, work

COURT = UUID("B0010000-0000-4000-8000-00805F9B34FB")
BALL = UUID("B0010001-0000-4000-8000-00805F9B34FB")
PINGS = 100


async def be_central(device, name):
    peer = Peer(await device.connect(await find(device, name)))
    await peer.request_mtu(247)
    await peer.discover_all()
    say("services", *(service.uuid.to_hex_str() for service in peer.services))
    location = peer.get_characteristics_by_uuid(UUID.from_16_bits(0x2A38))[0]
    say("read 2A38", bytes(await location.read_value()).hex())
    measurement = peer.get_characteristics_by_uuid(UUID.from_16_bits(0x2A37))[0]
    await measurement.subscribe(lambda value: say("beat", value[1]))
    await forever()


class Visitor:
    """Does what it is told, each thing by itself: what is never answered keeps nothing else from being done."""

    def __init__(self):
        self.tasks = set()

    async def be(self, device, name):
        self.device, self.name = device, name
        say("ready")
        await forever()

    async def obey(self, order):
        task = asyncio.create_task(self.attempt(*order.split()))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def attempt(self, word, what):
        try:
            await {"connect": self.connect, "read": self.read, "listen": self.listen}[word](what)
        except ATT_Error as error:
            say("refused", what, int(error.error_code))
        except (Exception, asyncio.CancelledError):  # Which one depends on where Bumble was.
            say("failed", word, what)

    async def connect(self, timeout):
        preferences = ConnectionParametersPreferences(supervision_timeout=int(timeout))
        connection = await self.device.connect(
            await find(self.device, self.name), connection_parameters_preferences={Phy.LE_1M: preferences}
        )
        connection.on("disconnection", lambda reason: say("disconnected", int(reason)))
        self.peer = Peer(connection)
        await self.peer.discover_all()
        say("services", *(service.uuid.to_hex_str() for service in self.peer.services))

    def characteristic(self, uuid):
        return self.peer.get_characteristics_by_uuid(UUID(uuid))[0]

    async def read(self, uuid):
        say("read", uuid, bytes(await self.characteristic(uuid).read_value()).hex())

    async def listen(self, uuid):
        await self.characteristic(uuid).subscribe(lambda value: say("value", uuid, bytes(value).hex()))
        say("listening", uuid)


async def be_sensor(device, name):
    beats = iter(range(60, 240))
    service = HeartRateService(
        read_heart_rate_measurement=lambda _: HeartRateService.HeartRateMeasurement(heart_rate=next(beats)),
        body_sensor_location=HeartRateService.BodySensorLocation.WRIST,
    )
    device.add_services([service])
    device.advertising_data = advertising_data(name, service.uuid)

    def connected(connection):
        connection.on("disconnection", lambda reason: say("disconnected", int(reason)))
        say("connected")

    device.on("connection", connected)
    await device.start_advertising(auto_restart=True)
    say("advertising")
    while True:
        await asyncio.sleep(0.1)
        if service.heart_rate_measurement_characteristic and device.connections:
            await device.notify_subscribers(service.heart_rate_measurement_characteristic)


async def be_ping(device, name):
    address = await find(device, name)
    # The shortest interval there is.
    fast = ConnectionParametersPreferences(connection_interval_min=7.5, connection_interval_max=7.5)
    connection = await device.connect(address, connection_parameters_preferences={Phy.LE_1M: fast})
    peer = Peer(connection)
    await peer.request_mtu(247)
    await peer.discover_all()
    ball = peer.get_characteristics_by_uuid(BALL)[0]
    returned = asyncio.Queue()
    await ball.subscribe(returned.put_nowait)
    length = connection.att_mtu - 3
    for count in range(PINGS):
        sent = bytes([count]) * length
        await ball.write_value(sent)
        if (value := bytes(await returned.get())) != sent:
            say("lost", sent.hex(), value.hex())
    say("pings", PINGS, length)
    await forever()


async def be_pong(device, name):
    written = asyncio.Queue()
    ball = Characteristic(
        BALL,
        Characteristic.Properties.WRITE_WITHOUT_RESPONSE | Characteristic.Properties.NOTIFY,
        Characteristic.WRITEABLE,
        CharacteristicValue(write=lambda _, value: written.put_nowait(value)),
    )
    device.add_service(Service(COURT, [ball]))
    device.advertising_data = advertising_data(name)
    await device.start_advertising(auto_restart=True)
    say("advertising")
    while True:
        await device.notify_subscribers(ball, await written.get())


async def be_beacon(device, name):
    data = bytes(AdvertisingData([
        (AdvertisingData.COMPLETE_LOCAL_NAME, name.encode()),
        (AdvertisingData.MANUFACTURER_SPECIFIC_DATA, bytes([0xFF, 0xFF]) + bytes(range(200))),
    ]))
    parameters = AdvertisingParameters(
        advertising_event_properties=AdvertisingEventProperties(is_connectable=False, is_scannable=False),
        primary_advertising_interval_min=100,
        primary_advertising_interval_max=100,
        secondary_advertising_phy=Phy.LE_2M,
        advertising_sid=5,
    )
    await device.create_advertising_set(advertising_parameters=parameters, advertising_data=data)
    say("advertising")
    await forever()


async def be_watcher(device, name):
    pieces = []

    def heard(advertisement):
        # Bumble hands on each piece of a report as it comes.
        if advertisement.is_legacy or advertisement.is_scan_response:
            return
        pieces.append(advertisement.data_bytes)
        if advertisement.is_complete:
            data = b"".join(pieces)
            say("heard", len(data), int(advertisement.secondary_phy), advertisement.sid, data[-4:].hex())
        if advertisement.is_complete or advertisement.is_truncated:
            pieces.clear()

    device.on("advertisement", heard)
    await device.start_scanning()
    say("watching")
    await forever()


visitor = Visitor()

# Each role has an address of its own: two hosts with the same one would take each other for themselves.
ROLES = {
    "central": (be_central, "F0:F1:F2:F3:F4:F5"),
    "visitor": (visitor.be, "F0:F1:F2:F3:F4:FA"),
    "sensor": (be_sensor, "F0:F1:F2:F3:F4:F5"),
    "ping": (be_ping, "F0:F1:F2:F3:F4:F6"),
    "pong": (be_pong, "F0:F1:F2:F3:F4:F7"),
    "beacon": (be_beacon, "F0:F1:F2:F3:F4:F8"),
    "watcher": (be_watcher, "F0:F1:F2:F3:F4:F9"),
}


async def main(port, role, name):
    transport = await open_transport(f"tcp-client:127.0.0.1:{port}")
    transport.source.terminated.add_done_callback(lambda _: say("unplugged"))
    be, address = ROLES[role]
    configuration = DeviceConfiguration(name=name, address=Address(address))
    device = Device.from_config_with_hci(configuration, transport.source, transport.sink)
    await device.power_on()
    await be(device, name)


work(main(*sys.argv[1:4]), visitor.obey)
