"""The measurements of HalcyonBench with Bumble as the host: bumble_bench.py host PORT REPORTS-PORT | reads PORT"""

import asyncio
import struct
import sys
import time

from bumble.core import UUID
from bumble.device import Device, DeviceConfiguration, Peer
from bumble.hci import Address
from bumble.transport import open_transport


class Measurement:
    def __init__(self):
        self.wall, self.processor = time.monotonic(), time.process_time()

    def report(self, name, count):
        wall, processor = time.monotonic() - self.wall, time.process_time() - self.processor
        line(name, count / wall, processor / count * 1e6)


def line(name, value, microseconds=None):
    cost = "-" if microseconds is None else f"{microseconds:.2f}"
    print(f"{name}\t{value:.2f}\t{cost}", flush=True)


def private_megabytes():
    with open("/proc/self/status", encoding="ascii") as status:
        for entry in status:
            if entry.startswith("RssAnon:"):
                return int(entry.split()[1]) / 1024
    return None


async def make_device(port):
    transport = await open_transport(f"tcp-client:127.0.0.1:{port}")
    configuration = DeviceConfiguration(name="Bench", address=Address("F0:F1:F2:F3:F4:F5"))
    device = Device.from_config_with_hci(configuration, transport.source, transport.sink)
    await device.power_on()
    return device, transport


async def meet(port):
    device, transport = await make_device(port)
    found = asyncio.get_running_loop().create_future()

    def heard(advertisement):
        if not found.done():
            found.set_result(advertisement.address)

    device.on("advertisement", heard)
    await device.start_scanning()
    address = await found
    await device.stop_scanning()

    start = time.monotonic()
    connection = await device.connect(address)
    peer = Peer(connection)
    await peer.request_mtu(517)
    await peer.discover_all()
    milliseconds = (time.monotonic() - start) * 1000
    found = (peer.get_characteristics_by_uuid(UUID.from_16_bits(uuid)) for uuid in (0xFFE1, 0xFFE2, 0xFFE3, 0xFFE4))
    return transport, [characteristics[0] for characteristics in found], milliseconds


async def read_often(characteristic, reads):
    for _ in range(500):
        await characteristic.read_value(no_long_read=True)
    measurement = Measurement()
    for _ in range(reads):
        await characteristic.read_value(no_long_read=True)
    measurement.report("reads of 20 bytes", reads)


async def measure_reads(port):
    transport, (read, *_), _ = await meet(port)
    await read_often(read, 3_000)
    await transport.close()


async def measure_link(port):
    transport, (read, write, notify, control), milliseconds = await meet(port)
    line("connect and discover, ms", milliseconds)
    await read_often(read, 8_000)
    line("private memory, MB", private_megabytes())

    writes = 20_000
    value = bytes(244)
    measurement = Measurement()
    for _ in range(writes):
        await write.write_value(value, with_response=False)
    await read.read_value(no_long_read=True)
    measurement.report("writes without response of 244 bytes", writes)

    values = 50_000
    left, done = values, asyncio.get_running_loop().create_future()

    def notified(_):
        nonlocal left
        left -= 1
        if left == 0:
            done.set_result(None)

    await notify.subscribe(notified)
    measurement = Measurement()
    await control.write_value(struct.pack("<IH", values, 244), with_response=True)
    await done
    measurement.report("notifications of 244 bytes", values)
    await transport.close()


async def measure_reports(port):
    device, transport = await make_device(port)
    reports = 30_000
    left, done = reports, asyncio.get_running_loop().create_future()

    def heard(_):
        nonlocal left
        left -= 1
        if left == 0:
            done.set_result(None)

    device.on("advertisement", heard)
    measurement = Measurement()
    await device.start_scanning(active=False, filter_duplicates=False)
    await done
    measurement.report("advertising reports", reports)
    await transport.close()


async def main():
    ports = [int(argument) for argument in sys.argv[2:]]
    if sys.argv[1] == "reads":
        await measure_reads(ports[0])
    else:
        await measure_link(ports[0])
        await measure_reports(ports[1])


asyncio.run(main())
