"""The kernel says who a client is: what each user may call, and what only root may do."""

import asyncio
import os
import socket
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from controller.socket import server
from controller.socket.codes import Code
from controller.socket.methods import METHODS, SIGNED
from controller.socket.params import PeerKind
from controller.socket.peers import KINDS, Peer, PeerUsers, peer_of, possible_kinds, user_id
from tests.fixtures.core_table import CoreTable, Wire, open_core

WEB, UPLINK, SOMEBODY = 61_001, 61_002, 61_003
"""User ids that no account of this machine needs to have."""
USERS = PeerUsers(WEB, UPLINK)
DEALT = "1:main=500 close 8h 9c 9d Kc"
VOID = {"decision": {"choice": "void", "why": "as below"}}


@pytest.mark.parametrize(
    ("uid", "kinds"),
    [(WEB, {"web"}), (UPLINK, {"uplink"}), (SOMEBODY, {"cli"}), (0, KINDS), (os.geteuid(), KINDS)],
)
def test_each_user_is_one_kind_of_client_and_root_may_be_any(uid: int, kinds: frozenset[PeerKind]) -> None:
    assert possible_kinds(Peer(1, uid, uid), USERS) == kinds


def test_a_machine_without_the_users_has_no_satellites() -> None:
    assert user_id("no-user-of-this-machine") is None
    assert possible_kinds(Peer(1, WEB, WEB), PeerUsers()) == {"cli"}


def test_the_kernel_names_process_and_user_of_a_peer() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    with ours, theirs:
        assert peer_of(ours) == Peer(os.getpid(), os.geteuid(), os.getegid())


@pytest.mark.parametrize(("uid", "kind"), [(WEB, "web"), (UPLINK, "uplink"), (SOMEBODY, "cli")])
async def test_a_client_calls_the_methods_of_its_kind_and_no_others(uid: int, kind: PeerKind) -> None:
    async with open_to_all() as core, client_of(core, uid, kind) as wire:
        hello = (await wire.call("hello"))["result"]
        assert hello["kind"] == kind
        refused = [
            name for name in METHODS if (await wire.call(name, x=1))["error"]["code"] == Code.FORBIDDEN
        ]
        other = next(iter(sorted(KINDS - {kind})))
        assert (await wire.call("hello", **{"as": other}))["error"]["code"] == Code.FORBIDDEN
    signed = {name for name, method in SIGNED.items() if kind in method.kinds}
    assert {*hello["methods"]} == (METHODS.keys() - {*refused}) | signed
    assert {*refused} == {name for name, method in METHODS.items() if kind not in method.kinds}


async def test_nobody_but_root_acts_without_signing_in() -> None:
    async with open_to_all(DEALT) as core, client_of(core, SOMEBODY, "web") as wire:
        answer = await wire.call("act", override="the office is empty", act=VOID, id="o1")
        assert answer["error"]["code"] == Code.FORBIDDEN
        assert core.rows_of("supervisor") == []


async def test_a_client_of_root_that_is_web_overrides_nothing(tmp_path: Path) -> None:
    async with open_core(tmp_path, DEALT) as core, core.wire() as wire:
        await wire.call("hello", **{"as": "web"})
        for method, more in (("preview", {}), ("act", {"id": "o4"})):
            answer = await wire.call(method, override="I want to", act=VOID, **more)
            assert answer["error"]["code"] == Code.FORBIDDEN
            assert answer["error"]["message"].startswith("override: ")
        assert core.rows_of("supervisor") == []


async def test_one_user_does_not_keep_the_clients_of_others_out(monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid() != 0:  # this user is the core's own, which has no such limit
        monkeypatch.setattr(server, "may_be_any", lambda uid: uid == 0)
    async with open_to_all() as core, AsyncExitStack() as crowd:
        for _ in range(server.MOST_OF_ONE_USER):
            wire = await crowd.enter_async_context(client_of(core, WEB, "web"))
            assert "result" in await wire.call("health")
        async with client_of(core, WEB, "web") if os.geteuid() == 0 else core.wire() as wire:
            refused = (await wire.message())["error"]
        assert refused["code"] == Code.UNAVAILABLE
        assert refused["message"].endswith(" are connected; allowed: that many")
        if os.geteuid() == 0:
            async with client_of(core, SOMEBODY, "cli") as wire:
                assert "result" in await wire.call("health")


async def test_the_act_of_root_bears_the_mark_of_an_override(tmp_path: Path) -> None:
    async with open_core(tmp_path, DEALT) as core, core.wire() as wire:
        await wire.call("hello", **{"as": "cli"})
        token = core.at.table.preview(_void()).token
        act = {"decision": {"choice": "void", "why": "as below", "token": token}}
        answer = await wire.call("act", override="nobody can sign in", act=act, id="o2")
        again = await wire.call("act", override="nobody can sign in", act=act, id="o2")
        decisions, overrides = core.rows_of("supervisor"), core.rows_of("override")
    if os.geteuid() != 0:
        assert answer["error"]["message"] == "override: only root may act without signing in"
        return
    assert answer == again
    assert [(one["who"], one["signed_in"]) for one in decisions] == [("override", False)]
    assert overrides == [
        {"row": answer["result"]["row"], "why": "nobody can sign in", "who": "override"},
    ]


@pytest.mark.parametrize(
    "act",
    [
        {"key": {"action": "stand", "seat": 1}},
        {"step": {"claim": 1, "step": "pay", "why": "paid"}},
        {"meter": {"spot": "blazing-7s", "cents": 5, "why": "wrong"}},
        {"answer": {"request": 1, "grant": True}},
        {"request": {"about": "void", "why": "x"}},
        {"decision": {"choice": "void", "why": "it fed the jackpot"}},
    ],
)
async def test_an_override_moves_no_jackpot_and_stands_for_no_second_person(
    tmp_path: Path, act: dict[str, Any]
) -> None:
    async with (
        open_core(tmp_path, "1:main=500 1:blazing-7s=100 close", "blackjack-x") as core,
        core.wire() as wire,
    ):
        before = core.at.journal.head
        answer = await wire.call("act", override="I want to", act=act, id="o3")
        assert core.at.journal.head == before
    assert answer["error"]["code"] == Code.FORBIDDEN


def _void() -> Any:
    from controller.table.record.events import Supervisor

    return Supervisor("void", "override", "x", None)


@asynccontextmanager
async def open_to_all(tokens: str = "") -> AsyncIterator[CoreTable]:
    """A table whose socket every user may open; this user's own files stay closed."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as door:
        _open_to_all(Path(door), 0o755)
        async with open_core(Path(folder), tokens, users=USERS, socket_path=Path(door, "s")) as core:
            _open_to_all(core.path, 0o666)
            yield core


def _open_to_all(path: Path, mode: int) -> None:
    path.chmod(mode)


@asynccontextmanager
async def client_of(core: CoreTable, uid: int, kind: PeerKind) -> AsyncIterator[Wire]:
    """A connection of this user, as the kernel sees it, if this process may become that user; else one of its
    own user that gives up everything but `kind`."""
    connection = socket.socket(socket.AF_UNIX)
    with _user(uid if os.geteuid() == 0 else os.geteuid()):
        connection.connect(str(core.path))
    reader, writer = await asyncio.open_unix_connection(sock=connection, limit=1 << 20)
    wire = Wire(reader, writer)
    if os.geteuid() != 0:
        await wire.call("hello", **{"as": kind})
    try:
        yield wire
    finally:
        writer.close()


@contextmanager
def _user(uid: int) -> Iterator[None]:
    before = os.geteuid()
    os.seteuid(uid)
    try:
        yield
    finally:
        os.seteuid(before)
