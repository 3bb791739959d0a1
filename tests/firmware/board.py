"""A sample device as firmware on an emulated board, as a process: `python -m tests.firmware.board` takes the
words of the sample for Linux, and ends the emulator with itself, however it ends.

The device's line is the emulator's own pseudo-terminal. Its second UART is the hand's: this process connects
it with the control socket. Memory is in files, so `kill -9` is a loss of power.
"""

import ctypes
import fcntl
import json
import os
import re
import selectors
import signal
import socket
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from drivers.ports.pty_link import PtyLink

EMULATOR: Final = "qemu-system-arm"
DIES_WITH_US: Final = ("setpriv", "--pdeathsig", "KILL", "sh", "-c", 'test "$PPID" = "$0" && exec "$@"')
"""The kernel ends it with this process, even if this process ended before it knew."""
BOARD: Final = ("-M", "mps2-an385", "-display", "none", "-monitor", "none")
COUNTED: Final = ("-icount", "shift=0")
"""Each instruction takes a nanosecond of the board's time."""
IMAGE_ADDRESS: Final = 0x10000
PR_SET_PDEATHSIG: Final = 1
FOLDER: Final = Path(__file__).parents[2] / "build" / "firmware-protocol" / "mps2"
PTY: Final = re.compile(rb"redirected to (\S+)")
LOOK: Final = b"look"


def emulator(image: str, words: Sequence[str], hand: int, more: Sequence[str] = ()) -> list[str]:
    """The command that starts a board with this image; `hand` is a socket."""
    arguments = "".join(f",arg={word}" for word in words)
    return [
        EMULATOR,
        *BOARD,
        *("-kernel", str(FOLDER / "boot.bin")),
        *("-device", f"loader,addr={IMAGE_ADDRESS:#x},file={FOLDER / image}.bin"),
        *("-serial", "pty"),
        *("-chardev", f"socket,id=hand,fd={hand}", "-serial", "chardev:hand"),
        *("-semihosting-config", f"enable=on,target=native{arguments}"),
        *more,
    ]


class Board:
    """A running emulator, its line under the name `link`, and what its hand says."""

    def __init__(
        self, image: str, words: Sequence[str], link: Path, memory: Path, more: Sequence[str]
    ) -> None:
        self.hand, theirs = socket.socketpair()
        self._memory = os.open(memory.with_name(memory.name + ".powered"), os.O_CREAT | os.O_RDWR, 0o600)
        fcntl.flock(self._memory, fcntl.LOCK_EX)  # an emulator that was killed may not have ended yet
        self.process = subprocess.Popen(
            [*DIES_WITH_US, str(os.getpid()), *emulator(image, words, theirs.fileno(), more)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            pass_fds=[theirs.fileno(), self._memory],
        )
        theirs.close()
        assert self.process.stdout is not None
        found = PTY.search(self.process.stdout.readline())
        assert found is not None, "the emulator did not start"
        terminal = found[1].decode()
        self._held = os.open(terminal, os.O_RDWR | os.O_NOCTTY)
        """The line stays, although nobody has it open: the emulator would drop what is sent meanwhile."""
        self._link = PtyLink(link)
        self._link.point(terminal)
        self._rest = b""

    def ask(self, request: bytes) -> None:
        """Sends a line of the hand; the answer is among the `lines`."""
        self.hand.sendall(request + b"\n")

    def lines(self) -> list[bytes]:
        """What came from the board. Raises EOFError at its end."""
        data = self.hand.recv(65_536)
        if not data:
            raise EOFError
        *lines, self._rest = (self._rest + data).split(b"\n")
        return lines

    def end(self) -> None:
        """Takes its power."""
        self.process.kill()
        self.process.wait()
        self._link.remove()
        os.close(self._held)
        os.close(self._memory)
        self.hand.close()
        assert self.process.stdout is not None
        self.process.stdout.close()


class Client:
    """One client of the control socket."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self._rest = b""

    def requests(self) -> list[bytes]:
        """The whole lines that came. Raises ConnectionError when it has gone."""
        data = self.connection.recv(65_536)
        if not data:
            raise ConnectionError
        *lines, self._rest = (self._rest + data).split(b"\n")
        return lines

    def say(self, lines: Sequence[bytes]) -> None:
        """Says it, unless the client has gone."""
        try:
            self.connection.sendall(b"".join(line + b"\n" for line in lines))
        except OSError:
            return


class Desk:
    """Connects the clients of the control socket with the board's hand, which answers one after the other."""

    def __init__(self, board: Board, control: Path) -> None:
        self._board, self._control = board, control
        self._selector = selectors.DefaultSelector()
        self._selector.register(board.hand, selectors.EVENT_READ)
        self._listener = socket.socket(socket.AF_UNIX)
        self._clients: list[Client] = []
        self._waiting: deque[Client] = deque()
        self._answer: list[bytes] | None = None

    def open(self) -> None:
        """Listens once the board answers."""
        self._board.ask(LOOK)
        while b"." not in self._board.lines():
            continue
        fresh = self._control.with_name(self._control.name + ".new")
        fresh.unlink(missing_ok=True)
        self._listener.bind(str(fresh))
        self._listener.listen()
        fresh.replace(self._control)
        self._selector.register(self._listener, selectors.EVENT_READ)

    def serve(self) -> None:
        """Until the board ends."""
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is self._board.hand:
                    self._hear(self._board.lines())
                elif key.fileobj is self._listener:
                    self._admit(Client(self._listener.accept()[0]))
                else:
                    self._carry(key.data)

    def _admit(self, client: Client) -> None:
        self._selector.register(client.connection, selectors.EVENT_READ, client)
        self._request(client, LOOK)

    def _carry(self, client: Client) -> None:
        try:
            for request in client.requests():
                self._request(client, request)
        except ConnectionError:
            self._selector.unregister(client.connection)
            client.connection.close()
            if client in self._clients:
                self._clients.remove(client)

    def _request(self, client: Client, request: bytes) -> None:
        self._waiting.append(client)
        self._board.ask(request)

    def _hear(self, lines: Sequence[bytes]) -> None:
        for line in lines:
            if line == b">":
                self._answer = []
            elif line == b".":
                self._deliver(self._answer or [])
                self._answer = None
            elif self._answer is not None:
                self._answer.append(stamped(line))
            else:
                for client in self._clients:
                    client.say([stamped(line)])

    def _deliver(self, answer: Sequence[bytes]) -> None:
        client = self._waiting.popleft()
        client.say(answer)
        if client not in self._clients and client.connection.fileno() >= 0:
            self._clients.append(client)


def stamped(line: bytes) -> bytes:
    """With the time of this computer instead of the board's own."""
    record = json.loads(line)
    return json.dumps({**record, "at": time.monotonic()}).encode() if "at" in record else line


def main() -> int:
    """The exit status."""
    parser = ArgumentParser(allow_abbrev=False)
    parser.add_argument("--class", dest="kind", required=True)
    parser.add_argument("--link", type=Path, required=True)
    parser.add_argument("--control", type=Path, required=True)
    parser.add_argument("--memory", type=Path, required=True)
    parser.add_argument("--image", help="another image than that of the class")
    parser.add_argument("--counted", action="store_true", help="the board's time is instructions")
    known, more = parser.parse_known_args()
    parent = os.getppid()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        return 1
    words = ["--class", known.kind, "--link", "-", "--control", "-", "--memory", str(known.memory), *more]
    board = Board(
        known.image or known.kind, words, known.link, known.memory, COUNTED if known.counted else ()
    )
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        desk = Desk(board, known.control)
        desk.open()
        desk.serve()
    except (EOFError, ConnectionError):
        return 1
    finally:
        known.control.unlink(missing_ok=True)
        board.end()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
