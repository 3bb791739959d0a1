"""The pages about past rounds, answered in this process instead of by the worker process."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from controller.access.people import Person
from controller.monitor.context import WebContext
from controller.monitor.house import NO_HOUSE, House
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.past.answers import answer
from controller.monitor.web import build
from tests.fixtures.core_socket import no_core
from tests.fixtures.past_answers import local_worker
from tests.fixtures.table_views import BETTING
from tests.fixtures.web_server import ANN, KnownPerson

ask_here = local_worker(answer)


@asynccontextmanager
async def past_pages(
    journal: Path | None, person: Person = ANN, house: House = NO_HOUSE
) -> AsyncIterator[httpx.AsyncClient]:
    parts = WebContext(
        no_core(),
        lambda: BETTING,
        ChangeNotifier(),
        journal,
        authentication=KnownPerson(person),
        worker=ask_here,
        house=lambda: house,
    )
    transport = httpx.ASGITransport(build(parts))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        yield client


async def get(
    journal: Path | None, path: str, person: Person = ANN, query: Mapping[str, str] | None = None
) -> httpx.Response:
    async with past_pages(journal, person) as client:
        return await client.get(path, params=query)
