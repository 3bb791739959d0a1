"""The commands of the floor of a house with a linked progressive: its configuration, key, credentials, and
two supervisors."""

import asyncio
import json
import time
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from controller.access.accounts import Accounts
from controller.access.store import AccessStore
from controller.commands.app import app
from controller.floor.day_file import JournalName
from controller.floor.drills.interleavings.world import LEVEL, Table
from controller.floor.projector import Admission
from controller.floor.register import Decision, FloorRegister
from controller.journal.chain import START
from drivers.key_files import key_text
from tests.controller.floor.progressive.house import FLOOR_KEY, PROGRESSIVE, House
from tests.fixtures.access_desk import add_person

PASSWORDS = {"Ann": "correct horse battery", "Bo": "staple correct horse"}
TWO = ("--who", "ann", "--second", "bo")


def floor_config(found: House) -> Path:
    """Of the floor, beside its key and its accounts."""
    path, now = found.folder / "floor.toml", int(time.time())
    for role in ("prepare", "floor"):
        found.server.authority.make_credentials(role, role, now)
    folder = found.server.authority.folder
    fields = {
        "property": "house",
        "servers": [found.server.address],
        "replicas": 1,
        "authority": str(folder),
        "credentials": str(folder / "floor.creds"),
        "levels": [LEVEL],
        "progressive_keys": [PROGRESSIVE.public.hex()],
    }
    path.write_text("".join(f"{name} = {json.dumps(value)}\n" for name, value in fields.items()))
    key = found.folder / "keys" / "floor.key"
    key.parent.mkdir(exist_ok=True)
    key.write_text(key_text(FLOOR_KEY))
    key.chmod(0o600)
    return path


def hire(folder: Path) -> None:
    """Two supervisors of the floor."""
    store = AccessStore(folder / "access.db")
    accounts = Accounts(store)
    for name, password in PASSWORDS.items():
        add_person(accounts, name, "supervisor", password)
    store.close()


def store_journal(folder: Path, table: Table) -> None:
    """The floor in this folder stores the table's journal."""
    admission = Admission(1, START, bytes.fromhex(table.signer))
    with FloorRegister(folder / "stores", time.time) as register:
        name = JournalName(table.name, table.epoch)
        register.decide(Decision("admit", name, admission, "Ann", "Bo", "new", 1.0))


async def run_floor(config: Path, *words: str, typed: str = "") -> Result:
    """The end of `tableside floor ...`."""
    command = ["floor", *words, "--config", str(config)]
    return await asyncio.to_thread(CliRunner().invoke, app, command, input=typed)


async def decide(config: Path, *words: str, why: str = "a reason") -> Result:
    """The end of `tableside floor level ...` in the names of both supervisors."""
    typed = "".join(f"{password}\n" for password in PASSWORDS.values())
    return await run_floor(config, "level", LEVEL, *words, *TWO, "--why", why, typed=typed)


async def shown(config: Path) -> dict[str, Any]:
    done = await run_floor(config, "level", LEVEL, "show", "--json")
    assert done.exit_code == 0, done.output
    return dict(json.loads(done.output))
