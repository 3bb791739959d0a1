"""The programs of a floor of simulated tables: a server, the floor, and one instance of a linked
progressive."""

import asyncio
import json
import shutil
import time
from collections.abc import Iterable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Final, Self

from nats.aio.client import Client
from nats.errors import NoRespondersError

from controller.demo.processes import ProcessFolder
from controller.demo.staff import Member, staff
from controller.floor.admitting import read_request
from controller.floor.authority.authority import Authority
from controller.floor.authority.server_files import accounts
from controller.floor.connection import Servers, connection
from controller.floor.demo.level import LEVEL, LevelDesk, LevelFiles
from controller.floor.demo.roster import PlannedTable, people, pits_of
from controller.floor.demo.table import FloorPlace
from controller.floor.demo.waiting import until
from controller.floor.keys import floor_signer
from controller.floor.nats_server import monitor_address, nats_server
from controller.floor.register import Decision, FloorRegister
from controller.floor.service.preparing import prepare_floor
from controller.floor.settings import FloorConfig, read_floor
from controller.property.enrolment import EnrolmentRequest
from controller.property.shipping import ResumeReply, ResumeRequest
from controller.property.subjects import PropertySubjects

PROPERTY: Final = "demonstration"
ANSWER_LIMIT: Final = 2.0
"""Seconds in which the floor answers a table."""
DECIDING: Final = "supervisor"
"""The role of the two persons who admit journals."""


class FloorHouse(ProcessFolder):
    """An asynchronous context in which the programs run. `port`: of the floor's pages on loopback."""

    names: ClassVar[Mapping[str, str]] = {"progressive": "linked progressive"}

    def __init__(
        self, folder: Path, tables: Iterable[PlannedTable], port: int, lock: int | None = None
    ) -> None:
        super().__init__(folder, lock)
        self._tables, self._port = tuple(tables), port
        self._stack = AsyncExitStack()
        self.subjects = PropertySubjects(PROPERTY)
        self.level = LevelFiles(folder)
        self.authority = Authority(folder / "authority", PROPERTY)
        self.floor: asyncio.subprocess.Process | None = None
        self.progressive: asyncio.subprocess.Process | None = None
        self.people: tuple[Member, ...] = ()
        """Those with accounts, after the context was entered."""

    @property
    def address(self) -> str:
        """Of the floor's page."""
        return f"http://127.0.0.1:{self._port}/floor"

    @property
    def config(self) -> Path:
        return self.folder / "floor.toml"

    @property
    def accounts(self) -> Path:
        """Accounts that the floor and the tables begin with."""
        return self.folder / "staff.db"

    @property
    def deciding(self) -> tuple[str, str]:
        """The names of the two persons who decide."""
        first, second, *_ = (member.name for member in self.people if member.role == DECIDING)
        return first, second

    def settings(self) -> FloorConfig:
        return read_floor(self.config)

    async def __aenter__(self) -> Self:
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            await self._start()
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def stop_services(self) -> None:
        """End the floor and the progressive; the server goes on."""
        await self._end(self.floor, self.progressive)
        self.floor = self.progressive = None

    async def first_end(self) -> None:
        """Raises DemoError as soon as a program has ended."""
        await self._first_end({"floor": self.floor, "progressive": self.progressive})

    async def admit(self, asked: EnrolmentRequest) -> Path:
        """Two persons admit a table, and the floor knows it when this returns. Returns the file that the
        table joins with its key."""
        request = read_request(asked.model_dump_json(), PROPERTY)
        decision = Decision(
            "admit",
            request.name(),
            request.admission(),
            *self.deciding,
            "demonstration",
            round(time.time(), 3),
        )
        with FloorRegister(Path(self.settings().stores), time.time) as register:
            register.decide(decision)
        await until(lambda: self._knows(asked))
        return self.authority.issue(asked.table, asked.user, int(time.time()))

    async def _knows(self, asked: EnrolmentRequest) -> bool:
        question = ResumeRequest(v=1, epoch=asked.epoch, oldest=asked.first, row=asked.first)
        subject = self.subjects.resume(asked.table)
        try:
            answer = await self.client.request(subject, question.payload, timeout=ANSWER_LIMIT)
        except (NoRespondersError, TimeoutError):
            return False
        return ResumeReply.read(answer.data).admitted

    async def _start(self) -> None:
        enter = self._stack.enter_async_context
        (self.folder / "nats").mkdir(exist_ok=True)
        self.authority.prepare(int(time.time()))
        self.server = await enter(nats_server(self.folder / "nats", more=accounts(self.authority)))
        self.people = staff(self.accounts, people())
        shutil.copy(self.accounts, self.folder / "access.db")
        self.level.prepare_key()
        self._write_config()
        prepared = await asyncio.to_thread(prepare_floor, self.settings())
        granted = self.authority.folder / f"progressive-{LEVEL}.creds"
        self.level.write(PROPERTY, [self.server], prepared.public, credentials=str(granted))
        self.place = FloorPlace(
            PROPERTY,
            self.server,
            prepared.public,
            self.accounts,
            self.people,
            progressive=self.level.public,
            guarded=True,
        )
        self.client: Client = await enter(connection(self._everything()))
        signer = floor_signer(Path(self.settings().key))
        self.desk = LevelDesk(self.client, self.subjects, signer, self.deciding)
        self._stack.push_async_callback(self.stop_services)
        self.floor, self.progressive = await asyncio.gather(
            self._start_service("floor", ["controller", "floor", "run", "--config", str(self.config)]),
            self._start_service(
                "progressive", ["controller", "progressive", "--config", str(self.level.config)]
            ),
        )

    def _everything(self) -> Servers:
        """What the demonstration itself uses: it looks into all streams."""
        credentials = self.authority.full_credentials(int(time.time()))
        return Servers((self.server,), "demo", "_INBOX.demo", None, credentials)

    def _write_config(self) -> None:
        sections: dict[str, dict[str, object]] = {
            "": {
                "property": PROPERTY,
                "servers": [self.server],
                "monitors": [monitor_address(self.folder / "nats")],
                "levels": [LEVEL],
                "progressive_keys": [self.level.public],
                "authority": self.authority.folder.name,
                "credentials": f"{self.authority.folder.name}/floor.creds",
            },
            "[pits]": {**pits_of(self._tables)},
            "[access]": {"path": "access.db"},
            "[web]": {"port": self._port, "watching": True},
        }
        lines = [
            line
            for name, fields in sections.items()
            for line in (name, *(f"{key} = {json.dumps(value)}" for key, value in fields.items()))
        ]
        self.config.write_text("\n".join(lines) + "\n", "utf-8")
