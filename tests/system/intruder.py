"""The web process in the hands of an attacker: it carries out orders with all rights of web, and no others.

Started by root, it becomes another user for good before its first order. Orders come as JSON lines on
standard input, `[name, ...words]`; answers go to standard output. An order that the kernel refuses is
answered with the name of the error, as "EACCES".
"""

import ctypes
import errno
import json
import os
import signal
import socket
import sqlite3
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

PATIENCE: Final = 30.0
PTRACE_ATTACH: Final = 16
LIBC: Final = ctypes.CDLL(None, use_errno=True)


class Connection:
    """A connection to the table socket. `heard` is every byte that came."""

    def __init__(self, path: str) -> None:
        self.heard = bytearray()
        self._number, self._rest = 0, b""
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(PATIENCE)
        self._socket.connect(path)

    def call(self, method: str, params: Mapping[str, object]) -> dict[str, Any]:
        """The answer, or the refusal of the connection."""
        self._number += 1
        request = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        self._socket.sendall(json.dumps(request).encode() + b"\n")
        while True:
            for message in self._messages():
                if message.get("id") == self._number or ("error" in message and message["id"] is None):
                    return message

    def listen(self, seconds: float) -> None:
        """Read what is pushed until nothing comes for this long."""
        self._socket.settimeout(seconds)
        try:
            while self._messages():
                continue
        except TimeoutError:
            self._socket.settimeout(PATIENCE)

    def close(self) -> None:
        self._socket.close()

    def _messages(self) -> list[dict[str, Any]]:
        data = self._socket.recv(1 << 16)
        if not data:
            raise ConnectionResetError(errno.ECONNRESET, "the core has ended the connection")
        self.heard += data
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [json.loads(line) for line in lines]


class Attacker:
    """Carries out orders. `connections` are those to the table socket, by name."""

    def __init__(self) -> None:
        self.connections: dict[str, Connection] = {}

    def connect(self, name: str, path: str) -> None:
        self.connections[name] = Connection(path)

    def call(self, name: str, method: str, params: Mapping[str, object]) -> dict[str, Any]:
        return self.connections[name].call(method, params)

    def listen(self, name: str, seconds: float) -> str:
        """Everything that came over this connection so far."""
        self.connections[name].listen(seconds)
        return self.connections[name].heard.decode()

    def close(self, name: str) -> None:
        self.connections.pop(name).close()

    def read(self, path: str) -> str:
        return Path(path).read_bytes().decode("latin-1")

    def write(self, path: str) -> None:
        os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY))

    def append(self, path: str) -> None:
        with Path(path).open("ab") as file:
            file.write(b"x")

    def shorten(self, path: str) -> None:
        os.truncate(path, 0)

    def remove(self, path: str) -> None:
        Path(path).unlink()

    def rename(self, path: str) -> None:
        Path(path).rename(f"{path}.stolen")

    def open_to_all(self, path: str) -> None:
        Path(path).chmod(0o666)

    def create(self, path: str) -> None:
        Path(path).write_text("forged")

    def reach(self, path: str) -> None:
        """Connect to a Unix socket."""
        with socket.socket(socket.AF_UNIX) as probe:
            probe.connect(path)

    def delete_rows(self, path: str) -> str:
        try:
            with sqlite3.connect(path, timeout=0.1) as database:
                database.execute("DELETE FROM journal")
        except sqlite3.Error as refused:
            return str(refused)
        return "deleted"

    def send_signal(self, pid: int, name: str) -> None:
        os.kill(pid, signal.Signals[name])

    def look_into(self, pid: int, name: str) -> None:
        """Open a file, a folder or a link of a process."""
        path = Path(f"/proc/{pid}", name)
        if path.is_symlink():
            path.readlink()
        elif name in {"fd", "map_files"}:
            next(path.iterdir(), None)
        else:
            path.open("rb").close()

    def trace(self, pid: int) -> None:
        _checked(LIBC.ptrace(PTRACE_ATTACH, pid, None, None))

    def read_memory(self, pid: int) -> None:
        here = ctypes.create_string_buffer(16)
        mine = (ctypes.c_void_p * 2)(ctypes.addressof(here), 16)
        theirs = (ctypes.c_void_p * 2)(ctypes.addressof(here), 16)
        _checked(LIBC.process_vm_readv(pid, mine, 1, theirs, 1, 0))


def _checked(result: int) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")


def answer(attacker: Attacker, order: list[Any]) -> object:
    name, *words = order
    carry_out: Callable[..., object] = getattr(attacker, name)
    try:
        return carry_out(*words)
    except OSError as refused:
        return errno.errorcode[refused.errno or 0]


def main(user: int, group: int, readers: int) -> None:
    """`readers`: the group that may read the journal."""
    if os.geteuid() == 0:
        os.setgroups([readers])
        os.setresgid(group, group, group)
        os.setresuid(user, user, user)
    attacker = Attacker()
    for line in sys.stdin:
        print(json.dumps(answer(attacker, json.loads(line))), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
