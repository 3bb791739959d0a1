"""What other programs cost a card: a table alone, and under the loads of LOADS, in turns with one daemon.

The loads come and go while the devices stay connected, so that other work of the machine affects all of them
alike.
"""

import asyncio
import contextlib
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median

from benchmarks.bridges import bridge
from benchmarks.callers import callers
from benchmarks.crowd import Stream, crowd
from benchmarks.kiosk import kiosk
from benchmarks.latency import DECKS, Dealer, configure
from benchmarks.pages import streams
from benchmarks.people import cookies
from benchmarks.processors import give_way, others
from benchmarks.yardstick import Yardstick, yardstick
from controller.demo.audit import read_audit
from controller.demo.reservations import free_port
from controller.demo.settings import DemoSettings
from controller.demo.table import DemoTable
from controller.socket.listening import default_path
from tests.system.connection_flood import connection_flood
from tests.system.secured_pages import SCREEN, TOKEN, Visitor, secure

TURNS = 3
SAMPLES = 80
"""Cards in each turn."""
HANDSHAKES = 4000
SILENT = 400
ASKING = 8
SETTLE = 1.0
"""Seconds after a load has come or gone."""
PATIENCE = 120.0
"""Seconds in which a load comes or goes, also on a busy machine."""
SIGN_IN = b"401"
"""The status of the console's page before a person has signed in."""


class FloorTable(DemoTable):
    """Its pages have TLS, its kiosk has a port of its own, and its web server gives way to the daemon."""

    def __init__(self, folder: Path, settings: DemoSettings) -> None:
        super().__init__(folder, settings)
        self.kiosk_port = free_port()

    @property
    def address(self) -> str:
        return f"https://127.0.0.1:{self.web_port}/"

    async def start_web(self) -> None:
        """Starts it with the weight of all others, so that it comes up on a busy machine, too."""
        await super().start_web()
        assert self.web is not None
        give_way(self.web.pid)

    async def _until_shown(self) -> None:
        await Visitor(self.kiosk_port, SCREEN, "/console").come(0.1, until=SIGN_IN)


@dataclass(frozen=True, slots=True)
class Floor:
    """A table that plays. `cookies`: those of a dealer and a supervisor; `streams`: what pages follow."""

    stage: FloorTable
    cookies: tuple[str, str]
    streams: Sequence[Stream]


Load = Callable[[Floor], contextlib.AbstractContextManager[Counter[str]]]


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn. `cost`: the median card as a multiple of echo and commit. `cards` and `processor`: seconds
    of each."""

    cost: float
    cards: Sequence[float]
    processor: Sequence[float]


@dataclass(slots=True)
class LoadFigures:
    """Under one load. `counts`: what its processes counted."""

    turns: list[Turn] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def cost(self) -> float:
        return median(turn.cost for turn in self.turns)

    @property
    def cards(self) -> list[float]:
        return [seconds for turn in self.turns for seconds in turn.cards]

    @property
    def processor(self) -> list[float]:
        return [seconds for turn in self.turns for seconds in turn.processor]


@dataclass(frozen=True, slots=True)
class Loads:
    """`rounds` were played; `missing` of them are not in the journal, or void; `cards_agree`: whether it has
    exactly the cards that were dealt."""

    figures: Mapping[str, LoadFigures]
    rounds: int
    missing: int
    cards_agree: bool

    def ratios(self, name: str) -> list[float]:
        """The cost under a load as a multiple of that alone, turn by turn."""
        pairs = zip(self.figures[name].turns, self.figures[ALONE].turns, strict=True)
        return [turn.cost / alone.cost for turn, alone in pairs]


@contextlib.contextmanager
def _nobody(_floor: Floor) -> Iterator[Counter[str]]:
    yield Counter()


def _pages(floor: Floor) -> contextlib.AbstractContextManager[Counter[str]]:
    return crowd(floor.stage, floor.streams)


@contextlib.contextmanager
def _attack(floor: Floor) -> Iterator[Counter[str]]:
    """Unfinished handshakes, silent connections and requests for the metrics, from 121 addresses, while
    pages follow the table and its own screen looks at it."""
    counts, stage = Counter[str](), floor.stage
    flood = connection_flood(
        stage.web_port, HANDSHAKES, SILENT, ASKING, token=TOKEN.hex(), processors=others()
    )
    with contextlib.ExitStack() as there:
        found = [
            there.enter_context(load)
            for load in (_pages(floor), kiosk(stage.kiosk_port, floor.cookies[0]), flood)
        ]
        yield counts
        there.close()
        for each in found:
            counts.update(each)


def _callers(floor: Floor) -> contextlib.AbstractContextManager[Counter[str]]:
    return callers(default_path(floor.stage.journal))


def _bridge(floor: Floor) -> contextlib.AbstractContextManager[Counter[str]]:
    return bridge(floor.stage.config, hangs=False)


def _stalled_bridge(floor: Floor) -> contextlib.AbstractContextManager[Counter[str]]:
    return bridge(floor.stage.config, hangs=True)


ALONE = "alone"
LOADS: Mapping[str, Load] = {
    ALONE: _nobody,
    "20 pages": _pages,
    "attack": _attack,
    "table socket": _callers,
    "bridge": _bridge,
    "hanging broker": _stalled_bridge,
}


def measure() -> Loads:
    with tempfile.TemporaryDirectory(prefix="tableside-") as folder, yardstick(Path(folder)) as measured:
        return asyncio.run(_measure(Path(folder), measured))


async def _measure(folder: Path, measured: Yardstick) -> Loads:
    stage = FloorTable(folder, DemoSettings(decks=DECKS))
    configure(stage)
    secure(stage, stage.kiosk_port)
    with contextlib.closing(Dealer(stage)) as dealer:
        await stage.start_web()
        await stage.start_daemon()
        try:
            figures = _play(stage, dealer, measured)
        finally:
            await stage.stop_daemon()
            await stage.kill_web()
    books = read_audit(stage.journal, stage.shoe_log)
    ended = sum(each.round.outcome != "void" for each in books.ended)
    return Loads(figures, dealer.rounds, dealer.rounds - ended, list(books.cards) == dealer.dealt)


def _play(stage: FloorTable, dealer: Dealer, measured: Yardstick) -> dict[str, LoadFigures]:
    people = cookies(stage)
    floor = Floor(stage, people, streams(*people))
    figures = {name: LoadFigures() for name in LOADS}
    assert stage.daemon is not None
    dealer.open(stage.daemon.pid)
    with ThreadPoolExecutor(1) as opener:
        for _ in range(TURNS):
            for name, load in LOADS.items():
                with _opened(opener, dealer, load(floor)) as counts:
                    figures[name].turns.append(_turn(dealer, measured))
                _add(figures[name].counts, counts)
    return figures


@contextlib.contextmanager
def _opened(
    opener: ThreadPoolExecutor, dealer: Dealer, load: contextlib.AbstractContextManager[Counter[str]]
) -> Iterator[Counter[str]]:
    """Enters and leaves it in another thread, while the dealer serves the devices."""
    opening = opener.submit(load.__enter__)
    dealer.serve_until(opening.done, PATIENCE)
    counts = opening.result()
    _settle(dealer)
    try:
        yield counts
    finally:
        closing = opener.submit(load.__exit__, None, None, None)
        dealer.serve_until(closing.done, PATIENCE)
        closing.result()
        _settle(dealer)


def _settle(dealer: Dealer) -> None:
    until = time.monotonic() + SETTLE
    dealer.serve_until(lambda: time.monotonic() > until, PATIENCE)


def _turn(dealer: Dealer, measured: Yardstick) -> Turn:
    own, first = replace(measured, echoes=[], commits=[]), len(dealer.times)
    while len(dealer.times) < first + SAMPLES:
        dealer.play(own)
    cards = dealer.times[first:]
    cost = median(cards) / (median(own.echoes) + median(own.commits))
    return Turn(cost, cards, dealer.processor[first:])


def _add(total: Counter[str], counts: Counter[str]) -> None:
    """Adds what was counted; of what is called slowest, the slowest stays."""
    for name, count in counts.items():
        total[name] = max(total[name], count) if name.startswith("slowest") else total[name] + count
