"""Bumble's host on a controller of ours: on_air.py PORT central NAME | on_air.py PORT sensor NAME

As central it finds NAME, connects, reads and listens; as sensor it serves heart rates under that name.

Standard output, a line each:
  services U…       the UUIDs of what a central has discovered
  read U HEX        a value that a central has read
  beat N            a heart rate that a central was notified of
  advertising       a sensor can be found
The program ends when its standard input ends, so that it never outlives who started it.
"""

import asyncio
import sys

from bumble.core import UUID, AdvertisingData
from bumble.device import Device, DeviceConfiguration, Peer
from bumble.hci import Address
from bumble.profiles.heart_rate_service import HeartRateService
from bumble.transport import open_transport


def say(line):
    print(line, flush=True)


async def be_central(device, name):
    found = asyncio.get_running_loop().create_future()

    def heard(advertisement):
        if advertisement.data.get(AdvertisingData.COMPLETE_LOCAL_NAME) == name and not found.done():
            found.set_result(advertisement.address)

    device.on("advertisement", heard)
    await device.start_scanning()
    address = await found
    await device.stop_scanning()
    peer = Peer(await device.connect(address))
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


async def until_input_ends():
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while await lines.readline():
        pass


async def main():
    port, role, name = sys.argv[1:4]
    transport = await open_transport(f"tcp-client:127.0.0.1:{port}")
    configuration = DeviceConfiguration(name=name, address=Address("F0:F1:F2:F3:F4:F5"))
    device = Device.from_config_with_hci(configuration, transport.source, transport.sink)
    await device.power_on()
    work = asyncio.create_task(be_central(device, name) if role == "central" else be_sensor(device, name))
    watch = asyncio.create_task(until_input_ends())
    done, _ = await asyncio.wait([work, watch], return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()


asyncio.run(main())
