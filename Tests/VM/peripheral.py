"""A heart-rate sensor by bless, and so by BlueZ and the kernel, until it is ended.

Standard output, a line each:
  advertising       the sensor can be found
  written U HEX     what a central has written
"""

import asyncio

from bless import BlessServer, GATTAttributePermissions, GATTCharacteristicProperties

HEART_RATE, MEASUREMENT, LOCATION, CONTROL = (
    f"0000{number}-0000-1000-8000-00805f9b34fb" for number in ("180d", "2a37", "2a38", "2a39")
)
WRIST = b"\x02"


def say(*words):
    print(*words, flush=True)


async def main():
    server = BlessServer(name="BlueZ Heart")
    server.read_request_func = lambda characteristic, **_: characteristic.value
    server.write_request_func = lambda characteristic, value, **_: say("written", characteristic.uuid[4:8], value.hex())
    properties, permissions = GATTCharacteristicProperties, GATTAttributePermissions
    await server.add_new_service(HEART_RATE)
    for uuid, property, permission, value in (
        (MEASUREMENT, properties.notify, permissions.readable, None),
        (LOCATION, properties.read, permissions.readable, bytearray(WRIST)),
        (CONTROL, properties.write, permissions.writeable, None),
    ):
        await server.add_new_characteristic(HEART_RATE, uuid, property, value, permission)
    await server.start()
    say("advertising")
    rate = 60
    while True:
        await asyncio.sleep(0.2)
        rate = rate + 1 if rate < 200 else 60
        server.get_characteristic(MEASUREMENT).value = bytearray([0, rate])
        server.update_value(HEART_RATE, MEASUREMENT)


asyncio.run(main())
