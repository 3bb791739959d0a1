"""A demonstration from the first wager to the figures."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from statistics import median, quantiles

from controller.demo.audit import DemoAudit, disputes, read_audit
from controller.demo.claims import DEALER, handle_claims
from controller.demo.crew.crew import PATIENCE, Crew
from controller.demo.crew.playbook import playbook
from controller.demo.settings import CREW, DemoSettings
from controller.demo.simulator.server import serve_simulator
from controller.demo.table import KINDS, DemoTable
from controller.monitor.client import TableAbsentError, fetch
from controller.table.record.views import TableView


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds from a card that left the shoe to the lamps that it changed."""

    samples: int
    p50: float | None
    p99: float | None


@dataclass(frozen=True, slots=True)
class DemoResult:
    """The figures of a demonstration: counted from the journal, except link counters and latency."""

    rounds: int
    cards: int
    wagers: int
    seconds: float
    start_to_ready: float
    retransmissions: int
    """Frames that the controller sent again."""
    corrupted: int
    """Frames that arrived damaged."""
    card_to_lamp_ms: Latency
    journal_equals_shoe: bool
    """Whether the journal has exactly the cards of the simulated shoe's list, in order."""
    disputes: tuple[str, ...]
    """A sentence for each difference between the table and the crew's record of a round."""

    @property
    def sound(self) -> bool:
        """Whether journal, shoe and crew agree."""
        return self.journal_equals_shoe and not self.disputes


POLL_SECONDS = 0.2
"""Seconds between two requests to the page."""
THINKING = {"human": 0.7, "max": 0.0}
"""Seconds that the crew waits before each act."""

Watch = Callable[[TableView], None]


async def run_demo(table: DemoTable, rounds: int | None, watch: Watch | None = None) -> DemoResult:
    """Plays that many rounds, or until cancelled, and returns the figures.

    The caller has entered `table` and not started its daemon. Raises DemoError if the daemon or the web
    server ends by itself.
    """
    loop = asyncio.get_running_loop()
    ready = await table.start_daemon()
    crew = make_crew(table)
    started = loop.time()
    looking = [_watch(table, watch)] if watch else []
    attending = [handle_claims(table)] if table.settings.rules.meters else []
    touching = [serve_simulator(table)] if table.settings.simulator_port else []
    await until_first(crew.run(rounds), table.first_end(), *looking, *attending, *touching)
    seconds = loop.time() - started
    view = await asyncio.to_thread(fetch, "127.0.0.1", table.web_port, timeout=table.patience)
    await table.stop_daemon()
    books = read_audit(table.journal, table.shoe_log)
    return _result(table.settings, books, view, crew, seconds, ready)


async def run_by_hand(table: DemoTable, watch: Watch | None = None) -> None:
    """Lets people play at the simulator's page until cancelled; who does not, is simulated there.

    The caller has entered `table` and not started its daemon. Raises DemoError if the daemon or the web
    server ends by itself.
    """
    settings = table.settings
    await table.start_daemon()
    dealer = DEALER if settings.dealer == CREW else ""
    claims = [handle_claims(table, dealer)] if settings.rules.meters else []
    looking = [_watch(table, watch)] if watch else []
    await until_first(serve_simulator(table), table.first_end(), *looking, *claims)


def make_crew(table: DemoTable, patience: float = PATIENCE) -> Crew:
    """A crew for the game and devices of `table`."""
    scene = table.settings
    controls = {kind: table.control(kind) for kind in KINDS}
    return Crew(controls, playbook(scene.rules), scene.seed, think=THINKING[scene.speed], patience=patience)


async def until_first(*works: Awaitable[None]) -> None:
    """Returns when the first of these ends, and cancels the others. Raises its error."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _watch(stage: DemoTable, watch: Watch) -> None:
    while True:
        with contextlib.suppress(TableAbsentError):
            watch(await asyncio.to_thread(fetch, "127.0.0.1", stage.web_port))
        await asyncio.sleep(POLL_SECONDS)


def _result(
    scene: DemoSettings, books: DemoAudit, view: TableView, crew: Crew, seconds: float, ready: float
) -> DemoResult:
    counters = [device.counters for device in view.devices]
    return DemoResult(
        rounds=books.rounds,
        cards=len(books.cards),
        wagers=books.wagers,
        seconds=round(seconds, 3),
        start_to_ready=round(ready, 3),
        retransmissions=sum(counter["retransmissions"] for counter in counters),
        corrupted=sum(counter["crc"] + counter["cobs"] + counter["length"] for counter in counters),
        card_to_lamp_ms=latency(crew.stopwatch.card_to_lamp()),
        journal_equals_shoe=books.cards == books.shoe_cards,
        disputes=tuple(disputes(scene, books.ended, crew.machine.rounds)),
    )


def latency(durations: list[float]) -> Latency:
    """Median and 99th percentile of durations in seconds, as milliseconds; None for fewer than two."""
    if len(durations) < 2:
        return Latency(len(durations), None, None)
    slow = quantiles(durations, n=100, method="inclusive")[98]
    return Latency(len(durations), round(median(durations) * 1e3, 3), round(slow * 1e3, 3))
