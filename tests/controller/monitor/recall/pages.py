"""The pages of a journal's past, answered in this process by the code that otherwise has one of its own."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
from prometheus_client import CollectorRegistry

from controller.access.people import Person
from controller.monitor.context import Parts
from controller.monitor.live.changes import Changes
from controller.monitor.past.answers import answer
from controller.monitor.past.messages import Question, Reply, packed, parsed, unpacked, written
from controller.monitor.web import build
from tests.fixtures.open_doors import ANN, Everybody
from tests.fixtures.table_views import BETTING


async def ask_here(question: Question) -> Reply:
    """All that a process of its own does, without one."""
    return parsed(written(answer(unpacked(packed(question)))))


@asynccontextmanager
async def library(journal: Path | None, person: Person = ANN) -> AsyncIterator[httpx.AsyncClient]:
    parts = Parts(
        lambda: BETTING, CollectorRegistry(), Changes(), journal, door=Everybody(person), ask=ask_here
    )
    transport = httpx.ASGITransport(build(parts))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        yield client


async def get(
    journal: Path | None, path: str, person: Person = ANN, asked: Mapping[str, str] | None = None
) -> httpx.Response:
    async with library(journal, person) as client:
        return await client.get(path, params=asked)
