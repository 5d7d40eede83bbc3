"""Bumble's host on a controller of ours: on_air.py PORT central|sensor|ping|pong|beacon|watcher NAME

As central it finds NAME, connects, reads and listens; as sensor it serves heart rates under that name. As pong it
notifies, under that name, each value that is written to it; as ping it finds that one and waits for each value's return.
As beacon it advertises by extended packets, longer than any legacy one; as watcher it tells of what is advertised so.

Standard output, a line each:
  services U…       the UUIDs of what a central has discovered
  read U HEX        a value that a central has read
  beat N            a heart rate that a central was notified of
  advertising       a sensor or a pong can be found
  lost HEX HEX      what a ping has sent, and the other value that came back
  watching          a watcher listens
  heard N PHY SID HEX  a watcher has heard N bytes, the last of which are HEX, in a set, on a PHY
  pings N LENGTH    N values of this length have come back to a ping
The program ends when its standard input ends, so that it never outlives who started it.
"""

import asyncio
import sys

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

COURT = UUID("B0010000-0000-4000-8000-00805F9B34FB")
BALL = UUID("B0010001-0000-4000-8000-00805F9B34FB")
PINGS = 100


def say(line):
    print(line, flush=True)


async def find(device, name):
    found = asyncio.get_running_loop().create_future()

    def heard(advertisement):
        if advertisement.data.get(AdvertisingData.COMPLETE_LOCAL_NAME) == name and not found.done():
            found.set_result(advertisement.address)

    device.on("advertisement", heard)
    await device.start_scanning()
    address = await found
    await device.stop_scanning()
    return address


async def be_central(device, name):
    peer = Peer(await device.connect(await find(device, name)))
    await peer.request_mtu(247)
    await peer.discover_all()
    say("services " + " ".join(service.uuid.to_hex_str() for service in peer.services))
    location = peer.get_characteristics_by_uuid(UUID.from_16_bits(0x2A38))[0]
    say("read 2A38 " + bytes(await location.read_value()).hex())
    measurement = peer.get_characteristics_by_uuid(UUID.from_16_bits(0x2A37))[0]
    await measurement.subscribe(lambda value: say(f"beat {value[1]}"))
    await asyncio.Future()


async def be_sensor(device, name):
    beats = iter(range(60, 240))
    service = HeartRateService(
        read_heart_rate_measurement=lambda _: HeartRateService.HeartRateMeasurement(heart_rate=next(beats)),
        body_sensor_location=HeartRateService.BodySensorLocation.WRIST,
    )
    device.add_services([service])
    device.advertising_data = bytes(AdvertisingData([
        (AdvertisingData.FLAGS, bytes([0x06])),
        (AdvertisingData.INCOMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, bytes(service.uuid)),
        (AdvertisingData.COMPLETE_LOCAL_NAME, name.encode()),
    ]))
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
            say(f"lost {sent.hex()} {value.hex()}")
    say(f"pings {PINGS} {length}")
    await asyncio.Future()


async def be_pong(device, name):
    written = asyncio.Queue()
    ball = Characteristic(
        BALL,
        Characteristic.Properties.WRITE_WITHOUT_RESPONSE | Characteristic.Properties.NOTIFY,
        Characteristic.WRITEABLE,
        CharacteristicValue(write=lambda _, value: written.put_nowait(value)),
    )
    device.add_service(Service(COURT, [ball]))
    device.advertising_data = bytes(AdvertisingData([
        (AdvertisingData.FLAGS, bytes([0x06])),
        (AdvertisingData.COMPLETE_LOCAL_NAME, name.encode()),
    ]))
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
    await asyncio.Future()


async def be_watcher(device, name):
    pieces = []

    def heard(advertisement):
        # Bumble hands on each piece of a report as it comes.
        if advertisement.is_legacy or advertisement.is_scan_response:
            return
        pieces.append(advertisement.data_bytes)
        if advertisement.is_complete:
            data = b"".join(pieces)
            say(f"heard {len(data)} {int(advertisement.secondary_phy)} {advertisement.sid} {data[-4:].hex()}")
        if advertisement.is_complete or advertisement.is_truncated:
            pieces.clear()

    device.on("advertisement", heard)
    await device.start_scanning()
    say("watching")
    await asyncio.Future()


# Each role has an address of its own: two hosts with the same one would take each other for themselves.
ROLES = {
    "central": (be_central, "F0:F1:F2:F3:F4:F5"),
    "sensor": (be_sensor, "F0:F1:F2:F3:F4:F5"),
    "ping": (be_ping, "F0:F1:F2:F3:F4:F6"),
    "pong": (be_pong, "F0:F1:F2:F3:F4:F7"),
    "beacon": (be_beacon, "F0:F1:F2:F3:F4:F8"),
    "watcher": (be_watcher, "F0:F1:F2:F3:F4:F9"),
}


async def until_input_ends():
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while await lines.readline():
        pass


async def main():
    port, role, name = sys.argv[1:4]
    transport = await open_transport(f"tcp-client:127.0.0.1:{port}")
    be, address = ROLES[role]
    configuration = DeviceConfiguration(name=name, address=Address(address))
    device = Device.from_config_with_hci(configuration, transport.source, transport.sink)
    await device.power_on()
    work = asyncio.create_task(be(device, name))
    watch = asyncio.create_task(until_input_ends())
    done, _ = await asyncio.wait([work, watch], return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()


asyncio.run(main())
