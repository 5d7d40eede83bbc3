"""Listens to the kernel's own record of an adapter's packets and tells of those of ATT, until it is ended: monitor.py N

Standard output, a line each:
  att LINK sent HEX       a PDU that the host of the adapter hciN has sent, on its LINKth link from the start
  att LINK received HEX   or has received
Only the beginning of a PDU that takes several packets is shown.
"""

import ctypes
import os
import socket
import struct
import sys

# From the kernel's headers: not every Python knows these, and none binds to channels.
BLUETOOTH, HCI, NO_DEVICE, MONITOR = 31, 1, 0xFFFF, 2
EVENT, SENT, RECEIVED = 3, 4, 5
# HCI's numbers of LE Meta and its subevents LE Connection Complete and LE Enhanced Connection Complete, and ATT's channel.
LE_META, CONNECTED, ATT = 0x3E, (0x01, 0x0A), 0x0004


def packets(adapter):
    monitor = socket.socket(BLUETOOTH, socket.SOCK_RAW, HCI)
    address = struct.pack("=HHH", BLUETOOTH, NO_DEVICE, MONITOR)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.bind(monitor.fileno(), address, len(address)):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    while True:
        record = monitor.recv(4096)
        kind, index, length = struct.unpack_from("<HHH", record)
        if index == adapter:
            yield kind, record[6:6 + length]


def main():
    links, count = {}, 0
    for kind, packet in packets(int(sys.argv[1])):
        if kind == EVENT and packet[0] == LE_META and packet[2] in CONNECTED and packet[3] == 0:
            count += 1
            links[struct.unpack_from("<H", packet, 4)[0]] = count
        if kind in (SENT, RECEIVED) and len(packet) > 8:
            handle, _, _, channel = struct.unpack_from("<HHHH", packet)
            is_start = handle & 0x3000 != 0x1000
            if is_start and channel == ATT:
                way = "sent" if kind == SENT else "received"
                print("att", links.get(handle & 0x0FFF, 0), way, packet[8:].hex(), flush=True)


main()
