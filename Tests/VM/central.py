"""A central by bleak, and so by BlueZ and the kernel: central.py [--sensor NAME | --again NAME]

It meets the demo devices of `halcyon air`, or a heart-rate sensor of this name, or one heart-rate sensor twice.

Standard output, a line each:
  found NAME RSSI       a device that the scan has heard
  services NAME U…      what it offers
  failed NAME WHY       a link that was not made; it tries once more
  incomplete NAME U…    a list of services that ends too soon; it connects once more
  mtu N                 of the link
  read U HEX            a value that was read
  wrote U HEX           a value that was written, and answered
  value U HEX           a value that was notified, or indicated
  refused U WHY         a value that was not accepted
  disconnected NAME
"""

import asyncio
import sys

from bleak import BleakClient, BleakScanner
from bleak.exc import BleakError

LIMIT = 30
LOCATION, CONTROL, MEASUREMENT = (f"0000{number}-0000-1000-8000-00805f9b34fb" for number in ("2a38", "2a39", "2a37"))
BATTERY, MAKER, TEMPERATURE = (f"0000{number}-0000-1000-8000-00805f9b34fb" for number in ("2a19", "2a29", "2a1c"))
POWER, BRIGHTNESS, COLOUR = (f"48a1000{number}-5c1b-4c5a-9b1e-0c4a6c3f7d21" for number in (1, 2, 3))


def say(*words):
    print(*words, flush=True)


def short(uuid):
    return uuid[4:8] if uuid.endswith("-0000-1000-8000-00805f9b34fb") else uuid[:8]


async def within(step):
    return await asyncio.wait_for(step, LIMIT)


async def find(names):
    """Scans until all of the names were heard; active scanning, as names are in the scan responses too."""
    found = {}
    complete = asyncio.Event()

    def heard(device, advertisement):
        if advertisement.local_name in names and advertisement.local_name not in found:
            found[advertisement.local_name] = device
            say("found", advertisement.local_name, advertisement.rssi)
            if len(found) == len(names):
                complete.set()

    async with BleakScanner(heard):
        await within(complete.wait())
    return found


class Session:
    def __init__(self, client, name):
        self.client, self.name = client, name

    async def read(self, uuid):
        value = bytes(await within(self.client.read_gatt_char(uuid)))
        say("read", short(uuid), value.hex())
        return value

    async def write(self, uuid, value, response=True):
        await within(self.client.write_gatt_char(uuid, value, response=response))
        say("wrote", short(uuid), value.hex())

    async def listen(self, uuid, count, act=None):
        values = asyncio.Queue()
        await within(self.client.start_notify(uuid, lambda _, value: values.put_nowait(bytes(value))))
        if act:
            await act()
        for _ in range(count):
            say("value", short(uuid), (await within(values.get())).hex())
        await within(self.client.stop_notify(uuid))


async def mtu(client):
    # BlueZ tells it only with a descriptor for a characteristic, and bleak takes one only here.
    await within(client._backend._acquire_mtu())
    return client.mtu_size


async def meet(device, name, needed, acts):
    """Connects, does what is to be done with a device that has a characteristic, and disconnects."""
    for _ in range(4):
        client = BleakClient(device, timeout=LIMIT)
        try:
            await client.connect()
        except BleakError as error:
            # The air loses packets, and those that make a link are not repeated.
            say("failed", name, error)
            continue
        try:
            # BlueZ now and then calls the services resolved before it has told of them all.
            if not client.services.get_characteristic(needed):
                say("incomplete", name, *(short(service.uuid) for service in client.services))
                continue
            say("services", name, *(short(service.uuid) for service in client.services))
            await acts(Session(client, name))
            say("mtu", await mtu(client))
        finally:
            await within(client.disconnect())
        return say("disconnected", name)


async def wear(band):
    await band.read(LOCATION)
    await band.read(BATTERY)
    await band.read(MAKER)
    await band.listen(MEASUREMENT, 5)
    await band.write(CONTROL, b"\x01")


async def light(lamp):
    await lamp.read(POWER)
    await lamp.write(POWER, b"\x01")
    await lamp.read(POWER)
    # Without a response: the notification shows that it came.
    await lamp.listen(BRIGHTNESS, 1, lambda: lamp.write(BRIGHTNESS, b"\x2a", response=False))
    await lamp.write(COLOUR, b"\x01\x02\x03")
    await lamp.read(COLOUR)
    try:
        await lamp.write(BRIGHTNESS, b"\xff")
    except Exception as error:  # Which class it is depends on bleak's version.
        say("refused", short(BRIGHTNESS), error)


async def wear_sensor(sensor):
    await sensor.read(LOCATION)
    await sensor.read(BATTERY)
    await sensor.listen(MEASUREMENT, 4)
    await sensor.write(CONTROL, b"\x01")


async def main():
    if sys.argv[1:2] == ["--sensor"]:
        name = sys.argv[2]
        return await meet((await find({name}))[name], name, CONTROL, wear_sensor)
    if sys.argv[1:2] == ["--again"]:
        name = sys.argv[2]
        # A connect that follows a disconnect at once is lost in the kernel: the scan takes up the time.
        for _ in range(2):
            await meet((await find({name}))[name], name, CONTROL, lambda band: band.read(LOCATION))
        return
    found = await find({"Pulse", "Lamp", "Thermo"})
    await meet(found["Pulse"], "Pulse", CONTROL, wear)
    await meet(found["Lamp"], "Lamp", COLOUR, light)
    # Once more, for BlueZ forgets soon whom it does not hear; and then two links at the same time.
    found = await find({"Pulse", "Thermo"})
    await asyncio.gather(
        meet(found["Pulse"], "Pulse", MEASUREMENT, lambda band: band.listen(MEASUREMENT, 3)),
        meet(found["Thermo"], "Thermo", TEMPERATURE, lambda thermometer: thermometer.listen(TEMPERATURE, 2)),
    )


asyncio.run(main())
