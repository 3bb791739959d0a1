"""A whole table whose web process is in the hands of an attacker."""

import grp
import json
import os
import pwd
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from controller.demo.settings import DemoSettings
from controller.socket.listening import default_path
from tests.fixtures.process_table import MirroredStage, ProcessTable
from tests.system.supervising import member

IS_ROOT: Final = os.geteuid() == 0
OTHER_USER: Final = 65_534
"""The user as which root runs the attacker: nobody."""
READERS: Final = 64_999
"""The group that may read the journal, which needs no name."""
UMASK: Final = 0o077
"""That of the units."""


class Intruder:
    """The attacker's process. `call` asks the core as web."""

    def __init__(self, process: subprocess.Popen[str], path: Path) -> None:
        self._process, self._path = process, path
        self.connect("web")
        if not IS_ROOT:
            self.call("hello", **{"as": "web"})

    def order(self, name: str, *words: object) -> Any:
        """The answer to an order; see intruder.py."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps([name, *words]) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def connect(self, name: str) -> None:
        assert self.order("connect", name, str(self._path)) is None

    def call(self, method: str, /, **params: object) -> dict[str, Any]:
        """The message of the core: a result or an error."""
        found: dict[str, Any] = self.order("call", "web", method, params)
        return found

    def sign_in(self, house: ProcessTable, name: str) -> str:
        """The token of a person who signs in through this process, which keeps it."""
        person = member(house.stage, name)
        proof = {"kind": person.proof, "name": name, "secret": person.secret, "address": "127.0.0.1"}
        return str(self.call("sign_in", **proof)["result"]["token"])

    def act(self, token: object, act: object, **more: object) -> dict[str, Any]:
        """An act without a preview."""
        return self.call("act", **{"token": token, "act": act, "id": uuid4().hex, **more})

    def seen_act(self, token: str, act: dict[str, Any], **more: object) -> dict[str, Any]:
        """An act with the token of its preview."""
        preview = self.call("preview", token=token, act=act)
        if "error" in preview:
            return preview
        ((kind, body),) = act.items()
        return self.act(token, {kind: {**body, "token": preview["result"]["token"]}}, **more)


class PackagedStage(MirroredStage):
    """Its processes have the umask of the units, so none is forked from a process with another one."""

    forks = False


@contextmanager
def house_of_web() -> Iterator[ProcessTable]:
    """A table with a jackpot and a mirror, whose files have the modes and the groups that the package gives
    them. Its daemon runs. The folder is in one that others may enter, unlike those of pytest."""
    with tempfile.TemporaryDirectory() as above, _umask():
        folder = Path(above, "table")
        _make(Path(above), 0o755)
        _make(folder, 0o2750)
        house = ProcessTable(folder)
        house.stage = PackagedStage(folder, DemoSettings(game="blackjack-x"))
        with house:
            if IS_ROOT:
                house.stage.config.write_text(house.stage.config.read_text() + _socket_section())
            house.stage.config.chmod(0o644)
            (folder / "mirror").chmod(0o2750)
            house.start_daemon()
            with house.with_hands():
                yield house


@contextmanager
def _umask() -> Iterator[None]:
    before = os.umask(UMASK)
    try:
        yield
    finally:
        os.umask(before)


def _make(folder: Path, mode: int) -> None:
    folder.mkdir(exist_ok=True)
    if IS_ROOT:
        os.chown(folder, -1, READERS)
    folder.chmod(mode)


def _socket_section() -> str:
    user = pwd.getpwuid(OTHER_USER)
    return f'\n[socket]\nweb_user = "{user.pw_name}"\ngroup = "{grp.getgrgid(user.pw_gid).gr_name}"\n'


@contextmanager
def intruder(house: ProcessTable) -> Iterator[Intruder]:
    group = pwd.getpwuid(OTHER_USER).pw_gid if IS_ROOT else 0
    command = [sys.executable, "-m", "tests.system.intruder", str(OTHER_USER), str(group), str(READERS)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        yield Intruder(process, default_path(house.stage.journal))
        process.communicate()
