"""The shell between a link and a port, on a connection whose directions can be closed one by one."""

import asyncio
import os
import socket
from contextlib import closing

import pytest
import serial

from drivers.errors import Absent
from drivers.link.facts import Bookmark, Expected
from drivers.link.host import HostLink
from drivers.link.shell import Shell
from drivers.ports.serial_port import SerialTransport
from drivers.ports.transport import BACKLOG
from drivers.protocol.codes import DeviceClass
from tests.fixtures.waiting import PATIENCE
from tests.fixtures.wires import SocketFarEnd

SHOE = Expected(DeviceClass.SHOE, "SH-1")


async def test_a_kept_write_that_fails_ends_it_though_nothing_comes_to_be_read() -> None:
    far = SocketFarEnd()
    port = serial.serial_for_url(far.url, timeout=0)
    transport = SerialTransport("port", port)
    far.take()  # accept
    for _ in range(1000):
        transport.write(bytes(BACKLOG // 4))  # more than the connection takes: some is kept
    link = HostLink(SHOE, Bookmark(), os.urandom, 0.0, lambda: True)
    # The clock stands still, so no timeout writes and notices the failure.
    running = asyncio.create_task(Shell(transport, link, lambda _event: None, lambda: 0.0).run())
    await asyncio.sleep(0.01)
    assert not running.done()
    with closing(socket.socket(fileno=os.dup(port.fileno()))) as line:
        line.shutdown(socket.SHUT_WR)
    async with asyncio.timeout(PATIENCE):
        with pytest.raises(Absent, match="port port is gone: Broken pipe"):
            await running
    await transport.close()
    far.hang_up()
