"""The loop that Feetech's own SDK makes: goals out, positions in, for the servos on two ports. Runs until ended.

    python -m bench.body.vendor_loop PORT PORT

Prints the cycles it has done, and how many of them were complete, once a second.
"""

import sys
import time

from scservo_sdk import COMM_SUCCESS, GroupSyncRead, GroupSyncWrite, PacketHandler, PortHandler

SERVOS = range(1, 8)
GOAL, POSITION = 42, 56
STATE = 15
"""Bytes from POSITION on: the same that heed-hw reads."""
PERIOD = 0.01


def main() -> None:
    packets = PacketHandler(0)
    groups = [_groups(path, packets) for path in sys.argv[1:]]
    cycles = complete = 0
    said = due = time.monotonic()
    while True:
        whole = True
        for write, read in groups:
            write.txPacket()
            whole &= read.txRxPacket() == COMM_SUCCESS
        cycles, complete = cycles + 1, complete + whole
        now = time.monotonic()
        if now > said + 1.0:
            said = now
            print(cycles, complete, flush=True)
        due = max(due + PERIOD, now)
        time.sleep(due - now)


def _groups(path: str, packets: PacketHandler) -> tuple[GroupSyncWrite, GroupSyncRead]:
    port = PortHandler(path)
    port.openPort()
    port.setBaudRate(1_000_000)
    write, read = GroupSyncWrite(port, packets, GOAL, 2), GroupSyncRead(port, packets, POSITION, STATE)
    for servo in SERVOS:
        write.addParam(servo, [0x00, 0x08])
        read.addParam(servo)
    return write, read


if __name__ == "__main__":
    main()
