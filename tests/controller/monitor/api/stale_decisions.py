"""Every kind of decision, on a table where each round allows it, and the ways in which people send it."""

import re
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from html import unescape
from typing import Any, Protocol
from uuid import uuid4

from controller.access.desk import AccessDesk
from controller.socket.client import CoreClient
from controller.socket.codes import Code
from controller.socket.listening import SocketPlace, table_socket
from controller.socket.peers import PeerUsers
from controller.socket.server import SocketServer
from controller.socket.wire import CallRefused
from controller.table.record.events import LevelChanged, Supervisor
from drivers.messages import CardUnreadable
from tests.controller.monitor.api.tables import ApiTable
from tests.fixtures.access_desk import PASSWORD, PIN
from tests.fixtures.core_commands import command, configured
from tests.fixtures.core_table import core_of
from tests.fixtures.hired import hire
from tests.fixtures.waiting import PATIENCE

Fields = dict[str, Any]
DEALT = "1:main=500 close 8h 9c 9d Kc"


@dataclass(frozen=True)
class Kind:
    """A decision: `arrange` makes it possible in the round in play, `end` ends that round. `path` and `body`
    belong to the API, `form` to the page, `words` to the command line."""

    path: str
    body: Fields
    form: str = ""
    words: tuple[str, ...] = ()
    arrange: Callable[[ApiTable], None] = lambda _house: None
    end: Callable[[ApiTable], None] = lambda _house: None
    game: str = "ez-bust"
    who: str = "Ann"
    why: str = "Round 1 became void meanwhile"


def dealt(house: ApiTable) -> None:
    house.play(DEALT)


def contradicted(house: ApiTable) -> None:
    """A linked jackpot announced two histories."""
    dealt(house)
    house.at.apply(LevelChanged("sevens", "closed", 0, 4, 1, "ab", "two hashes", "two hashes"))


def stood(house: ApiTable) -> None:
    house.play(f"{DEALT} 1:stand")


def unread(house: ApiTable) -> None:
    """A card that the shoe could not read is due at seat 1."""
    house.play("1:main=500 close")
    house.script.cards += 1
    house.at.apply(house.script.event("shoe", CardUnreadable(house.script.cards)))


def stopped(house: ApiTable) -> None:
    dealt(house)
    house.at.apply(house.script.event("shoe", b"\xff", critical=True))


def voided(house: ApiTable) -> None:
    """Another supervisor voids the round."""
    house.at.apply(Supervisor("void", "Bob", "exposed", None))


def hit(house: ApiTable) -> None:
    house.play("1:main=500 1:blazing-7s=100 close 7h 7h 7h 9c")


def settled(house: ApiTable) -> None:
    house.play("1:stand 9d pay")


def played(house: ApiTable) -> None:
    house.play("1:main=500 close 9h 7d 9s 9c 1:stand 9d pay")


def choice(name: str, arrange: Callable[[ApiTable], None], **fields: Any) -> Kind:
    """A supervisor's choice."""
    body = {"choice": name, **fields}
    words = [word for field, value in fields.items() for word in (f"--{field}", str(value))]
    return Kind("decisions", body, f"decision/{name}", ("supervise", name, *words), arrange, voided)


SHOE_ONLY = frozenset({"reload", "relink"})
"""Choices of which a person names no round."""
CLAIM = {"step": "confirm"}
KINDS: Mapping[str, Kind] = {
    "void": choice("void", dealt),
    "resume": choice("resume", stopped),
    "burn": choice("burn", unread),
    "card": choice("card", unread, card="5h"),
    "assign": choice("assign", unread, seat=1, card="5h"),
    "reread": choice("reread", unread),
    "correct": choice("correct", dealt, seat=1, number=1, old="8h", card="7h"),
    "undo": choice("undo", stood),
    "reload": choice("reload", dealt),
    "relink": choice("relink", contradicted),
    "claim": Kind(
        "claims/1/steps",
        CLAIM,
        "",
        ("claim", "confirm", "1"),
        hit,
        settled,
        "blackjack-x",
        "Dee",
        "Round 1 ended meanwhile",
    ),
    "meter": Kind(
        "meters/blazing-7s",
        {"cents": 1_200_000},
        "meter/blazing-7s",
        ("meter", "blazing-7s", "12000.00", "--second", "Bob"),
        end=played,
        game="blackjack-x",
        why="Round 1 ended meanwhile",
    ),
    "request": Kind("requests", {"about": "void"}, arrange=dealt, end=voided, who="Dee"),
    "grant": Kind(
        "requests/1/answer",
        {"grant": True},
        "request/1/grant",
        end=voided,
        why="request 1 came too late: round 1 is void",
    ),
    "decline": Kind(
        "requests/1/answer",
        {"grant": False},
        "request/1/decline",
        end=voided,
        why="request 1 came too late: round 1 is void",
    ),
}


class Way(Protocol):
    """How a person previews and takes a decision. Both steps return the reason of a refusal, or an empty
    text."""

    def __init__(self, house: ApiTable, kind: Kind) -> None: ...

    async def look(self) -> str:
        """The token of the preview."""

    async def act(self, token: str) -> str: ...


class Api:
    """Over HTTP."""

    def __init__(self, house: ApiTable, kind: Kind) -> None:
        self.house, self.kind = house, kind

    async def look(self) -> str:
        seen = await self.house.preview(self.kind.who, self.kind.path, **self.kind.body, why="seen")
        assert seen is not None
        assert seen.status_code == 200, seen.text
        return str(seen.json()["token"])

    async def act(self, token: str) -> str:
        carried = {"token": token} if token else {}
        done = await self.house.post(self.kind.who, self.kind.path, **self.kind.body, why="seen", **carried)
        assert done.status_code in {200, 201, 202, 204, 409}, done.text
        return str(done.json()["detail"]) if done.status_code == 409 else ""


class Form(Api):
    """Like the form of the page, which names where its preview comes from and where it is sent."""

    async def look(self) -> str:
        headers = {"X-Name": self.kind.who}
        drawn = await self.house.client.get(f"/supervisor/forms/{self.kind.form}", headers=headers)
        assert drawn.status_code == 200, drawn.text
        said = {name: unescape(value) for name, value in re.findall(r'data-(\w+)="([^"]*)"', drawn.text)}
        method, path = said["preview"].split(" ")
        body = {**self.kind.body, "why": "seen"} if method == "POST" else None
        seen = await self.house.client.request(method, path, json=body, headers=headers)
        assert seen.status_code == 200, seen.text
        assert said["send"] == f"POST /api/v1/{self.kind.path}"
        return str(seen.json()["token"])


@asynccontextmanager
async def served(house: ApiTable) -> AsyncIterator[AccessDesk]:
    """The table's core at its socket, with the accounts of the house."""
    if not (house.path / "access.db").exists():
        hire(house.path)
    with AccessDesk(house.path / "access.db", time.time, time.monotonic) as access:
        server = SocketServer(core_of(house.at, access), PeerUsers())
        async with table_socket(SocketPlace(house.path / "s", "", PeerUsers()), server):
            yield access


class Socket:
    """Over the table socket."""

    def __init__(self, house: ApiTable, kind: Kind) -> None:
        self.house, self.kind = house, kind

    async def look(self) -> str:
        async with self._client() as (client, session):
            return (await client.preview(session, self._act())).token

    async def act(self, token: str) -> str:
        async with self._client() as (client, session):
            act = self._act(**({"token": token} if token else {}))
            confirm = {"kind": "password", "secret": PASSWORD}
            try:
                await client.act(session, act, uuid4().hex, None if self.kind.who == "Dee" else confirm)
            except CallRefused as refused:
                if refused.code != Code.REFUSED:
                    raise
                return refused.message
            return ""

    @asynccontextmanager
    async def _client(self) -> AsyncIterator[tuple[CoreClient, str]]:
        """A client, and the token of a session of the person."""
        async with served(self.house) as access, CoreClient(self.house.path / "s", "cli") as client:
            await client.wait_connected(PATIENCE)
            yield client, access.sessions.begin(access.accounts.get(self.kind.who), "")[0]

    def _act(self, **more: Any) -> Fields:
        """What the path and the body of the API say, as an act."""
        subject, *rest = self.kind.path.split("/")
        acts: dict[str, tuple[str, Fields]] = {
            "decisions": ("decision", {}),
            "requests": ("answer", {"request": 1}) if rest else ("request", {}),
            "claims": ("step", {"claim": 1}),
            "meters": ("meter", {"spot": rest[0] if rest else ""}),
        }
        name, place = acts[subject]
        return {name: {**self.kind.body, **place, "why": "seen", **more}}


class CommandLine:
    """By commands that name the round."""

    def __init__(self, house: ApiTable, kind: Kind) -> None:
        self.house, self.kind = house, kind
        self.config = configured(house.path, kind.game)

    async def look(self) -> str:
        status, said, wrong = await self._run("--preview")
        assert (status, wrong) == (0, "")
        return said.rsplit("Token: ", 1)[1].strip()

    async def act(self, token: str) -> str:
        _, _, wrong = await self._run(*(("--token", token) if token else ()))
        return wrong.removeprefix("tableside: ").strip()

    async def _run(self, *more: str) -> tuple[int, str, str]:
        name, *_ = self.kind.words
        named = ("--round", "1") if name == "supervise" and self.kind.words[1] not in SHOE_ONLY else ()
        words = (*self.kind.words, *named, "--who", self.kind.who, "--why", "seen", *more)
        secret = PIN if self.kind.who == "Dee" else PASSWORD
        async with served(self.house):
            done = await command(self.config, *words, typed=(secret, secret))
        return done.exit_code, done.stdout, done.stderr


WAYS: Mapping[str, type[Way]] = {
    "api": Api,
    "page": Form,
    "table socket": Socket,
    "command line": CommandLine,
}


def possible() -> list[tuple[str, str]]:
    """The pairs of a decision and a way to take it."""
    return [
        (name, way)
        for name, kind in KINDS.items()
        for way in WAYS
        if way in {"api", "table socket"} or (kind.form if way == "page" else kind.words)
    ]
