"""The linked progressive of a floor of simulated tables: one instance, whose log is a demonstration's."""

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from nats.aio.client import Client

from controller.floor.demo.waiting import until
from controller.floor.levels.administration import LevelAdministration
from controller.floor.progressive.log_stream import LogStream
from controller.jackpot.linked.entries import ParametersSet
from controller.jackpot.linked.messages import Admission, Admit, LevelParameters, SetParameters
from controller.jackpot.parameters import Parameters
from controller.journal.signing import Signer
from controller.property.subjects import PropertySubjects
from drivers.key_files import make_key, read_key, store_key

LEVEL: Final = "sevens"
SPOT: Final = "blazing-7s"
"""The spot that plays for the level, at each table whose game has it."""
INSTANCE: Final = "one"
PARAMETERS: Final = Parameters(50_000, Fraction(15, 100), Fraction(5, 100))
CURRENCY: Final = "USD"
"""That of every table of a demonstration."""
"""It begins at 500 dollars; 15 % of each stake raise it."""


@dataclass(frozen=True, slots=True)
class LevelFiles:
    """The files of the instance `name` in `folder`."""

    folder: Path
    name: str = INSTANCE

    @property
    def config(self) -> Path:
        return self.folder / "progressive.toml"

    @property
    def journal(self) -> Path:
        return self.folder / "progressive" / "journal"

    @property
    def mirror(self) -> Path:
        return self.folder / "progressive-mirror" / "journal"

    @property
    def key(self) -> Path:
        return self.folder / "keys" / "progressive.key"

    @property
    def public(self) -> str:
        """The key with which the instance signs, in hex."""
        return Signer(read_key(self.key)).public.hex()

    def prepare_key(self) -> None:
        """A demonstration in the same folder goes on with the level, so its key stays."""
        if not self.key.exists():
            store_key(make_key(), self.key)

    def write(
        self,
        property_: str,
        servers: Sequence[str],
        floor_key: str,
        *,
        credentials: str = "",
        replicas: int = 1,
    ) -> None:
        """`credentials`: the file with which the instance signs in, empty without."""
        self.prepare_key()
        for journal in (self.journal, self.mirror):
            journal.parent.mkdir(parents=True, exist_ok=True)
        fields: dict[str, object] = {
            "property": property_,
            "level": LEVEL,
            "instance": self.name,
            "servers": [*servers],
            "credentials": credentials,
            "replicas": replicas,
            "floor": [floor_key],
            "journal": str(self.journal),
            "mirror": str(self.mirror),
            "key": str(self.key),
            "demo": True,
        }
        lines = (f"{name} = {json.dumps(value)}\n" for name, value in fields.items())
        self.config.write_text("".join(lines), "utf-8")


class LevelDesk:
    """Two persons at the floor, `names`, decide about the level; `floor` signs."""

    def __init__(
        self, client: Client, subjects: PropertySubjects, floor: Signer, names: tuple[str, str]
    ) -> None:
        self._names = names
        self._log = LogStream(client.jetstream(), subjects.progressive_log(LEVEL))
        self._administration = LevelAdministration(client, subjects, LEVEL, floor)
        self._turn = asyncio.Lock()

    async def open(self) -> None:
        """Set the parameters, once an instance leads, if the level has none yet."""
        await until(self._has_leader)
        first = await self._log.after(0, 0)
        if not any(isinstance(outcome, ParametersSet) for stored in first for outcome in stored.entry.out):
            await self._decide(SetParameters, LevelParameters.of(PARAMETERS, CURRENCY))

    async def admit(self, admission: Admission) -> None:
        """Let a table contribute and win."""
        await self._decide(Admit, admission)

    async def _has_leader(self) -> bool:
        return await self._log.end() is not None

    async def _decide(self, kind: Any, value: Any) -> None:
        """Have the log take a decision. If it refuses one because a table won meanwhile, make the decision
        again."""
        async with self._turn:
            while not await self._decided(kind, value):
                continue

    async def _decided(self, kind: Any, value: Any) -> bool:
        """Whether the log took the decision."""
        known = await self._log.end()
        message = kind(
            level=LEVEL,
            id=uuid4().hex,
            about=known.entry.n if known else 0,
            value=value,
            who=self._names,
            why="demonstration",
            issued=round(time.time(), 3),
        )
        answer = await self._administration.decide(message, known.sequence if known else 0)
        return not answer.refused
