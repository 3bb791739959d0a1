"""What the API says about itself, compared with its answers to generated requests, at a real table with real
sign-in.

Every operation is requested in each role that it serves. No answer is a server error, and none is
undocumented.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy, one_of
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from controller.access.accounts import Account
from controller.access.desk import AccessDesk
from controller.access.people import ROLES
from controller.monitor.authorization import ANYONE, ROLES_KEY
from controller.monitor.context import WebContext
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.openapi import openapi_document
from controller.monitor.past import report_routes
from controller.monitor.server.address import listen
from controller.monitor.server.server import serve
from controller.monitor.sign_in.authentication import SessionAuthentication
from controller.monitor.sign_in.cookies import CSRF, SESSION
from controller.monitor.web import build
from controller.past.reports.making import list_periods, make_answer
from controller.past.reports.wire import ReportAnswer, ReportOrder
from controller.table.view.build import build_view
from tests.controller.monitor.api.tables import DEVICES
from tests.controller.monitor.recall.pages import ask_here
from tests.fixtures.access_desk import FROM, Clock
from tests.fixtures.core_socket import core_of, linked
from tests.fixtures.device_inputs import Script
from tests.fixtures.loop_table import loop_table
from tests.fixtures.waiting import PATIENCE

CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)
EXAMPLES = 10
SLOW = 2
"""The number of examples for answers that take a worker process."""
SLOW_PATHS = (
    "/api/v1/reports",
    "/api/v1/rounds",
    "/api/v1/audit",
    "/api/v1/significant-events",
    "/api/v1/seats",
)
ENDLESS = "/api/v1/events"
SIGN_IN = "/api/v1/session"


@dataclass(frozen=True)
class Table:
    """`signed_in` gives fresh cookies of somebody with a role."""

    address: str
    access: AccessDesk
    document: dict[str, Any]
    signed_in: Callable[[str], Mapping[str, str]]


async def test_every_operation_answers_as_its_schema_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report_routes, "make_in_worker", print_here)
    async with playing(tmp_path) as table:
        await asyncio.to_thread(ask_everything, table)
        assert "forged" not in {record.what for _, record in table.access.pending_records()}


async def print_here(_ask: object, order: ReportOrder) -> ReportAnswer:
    """Makes a report as its own process does, inside this one."""
    return make_answer(order) if order.period else list_periods(order)


@asynccontextmanager
async def playing(folder: Path) -> AsyncIterator[Table]:
    """A table with a round in play, over HTTP."""
    script = Script("easy-jack", devices={name: f"{name}-1" for name in DEVICES})
    clock, loop = Clock(), asyncio.get_running_loop()
    with (
        loop_table(folder / "journal", script.started()) as at,
        AccessDesk(folder / "access.db", clock, clock) as access,
    ):
        for event in (*script.opening(), script.loaded(at.table.state.game.options.decks)):
            at.apply(event)
        changes = ChangeNotifier()
        core = core_of(lambda: build_view("T", at.table.state, ()), at.table, access)
        async with linked(core, changes) as (_, link):
            context = WebContext(
                link.client,
                link.view,
                changes,
                folder / "journal",
                SessionAuthentication(link.client),
                public=False,
                worker=ask_here,
                outage=link.outage,
            )
            app = build(context)
            add = access.accounts.add
            accounts: dict[str, Account] = {role: add(role.title(), role, "root") for role in ROLES}

            async def begin(role: str) -> Mapping[str, str]:
                token, session = access.sessions.begin(accounts[role], FROM)
                return {SESSION: token, CSRF: session.csrf}

            listener = listen("127.0.0.1", 0)
            tasks = [
                asyncio.create_task(serve(app, ChangeNotifier(), listener)),
                asyncio.create_task(at.table.run()),
            ]
            try:
                yield Table(
                    f"http://127.0.0.1:{listener.getsockname()[1]}",
                    access,
                    openapi_document(app, tls=False),
                    lambda role: asyncio.run_coroutine_threadsafe(begin(role), loop).result(PATIENCE),
                )
            finally:
                for task in tasks:
                    task.cancel()
                    with contextlib.suppress(asyncio.CancelledError):
                        await task


def ask_everything(table: Table) -> None:
    schema = schemathesis.openapi.from_dict(unlocked(table.document))
    for path, operations in table.document["paths"].items():
        for method, operation in operations.items():
            for role in operation[ROLES_KEY] if path != ENDLESS else ():
                answered = ask(table, schema[path][method.upper()], role)
                assert path == SIGN_IN or 401 not in answered, (method, path, role)


def unlocked(document: dict[str, Any]) -> dict[str, Any]:
    """Without its parameters for sessions: those are real here, not generated."""
    copy = deepcopy(document)
    del copy["components"]["securitySchemes"]
    for operations in copy["paths"].values():
        for operation in operations.values():
            operation.pop("security", None)
    return copy


def ask(table: Table, operation: Any, role: str) -> set[int]:
    """Sends this many generated requests, the same each time; returns the statuses of the answers."""
    session = requests.Session()
    session.trust_env = False
    headers = {}
    if role != ANYONE:
        cookies = table.signed_in(role)
        session.cookies.update(cookies)
        headers = {"X-CSRF-Token": cookies[CSRF]}
    answered: set[int] = set()
    examples = SLOW if operation.path.startswith(SLOW_PATHS) else EXAMPLES

    @settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=made_up(operation))
    def asked(case: Any) -> None:
        answer = case.call_and_validate(
            base_url=table.address, session=session, headers=headers, checks=CHECKS, timeout=PATIENCE
        )
        answered.add(answer.status_code)

    with session:
        asked()
    return answered


def made_up(operation: Any) -> SearchStrategy[Any]:
    """Valid requests, and others."""
    modes = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
    return one_of(*(operation.as_strategy(generation_mode=mode) for mode in modes))
