"""A table that plays a number of rounds through a programme of mishaps, and its books afterwards."""

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path

from controller.demo.audit import DemoAudit, disputes, read_audit
from controller.demo.claims import handle_claims
from controller.demo.crew.crew import Crew
from controller.demo.crew.played_round import PlayedRound
from controller.demo.run import make_crew
from controller.demo.settings import DemoSettings
from controller.demo.table import KINDS, DemoTable
from controller.journal.history import History
from controller.monitor.client import TableAbsentError, fetch
from tests.fixtures.process_table import ForkedStage
from tests.system.drill.occurrences import named
from tests.system.gallery import Gallery
from tests.system.mishaps import Mishap
from tests.system.supervisor import supervise

Person = Callable[[DemoTable, Gallery], Coroutine[object, object, None]]
"""A supervisor, who is there while it is played."""
FOREVER = 1e6
"""The crew's patience: whoever depends on it hangs, and is found."""


PATIENT = 300.0
"""Seconds in which a short play is over, on a busy machine."""


class HangError(Exception):
    """Not everything was played in time; the text describes the whole state."""


@dataclass(frozen=True, slots=True)
class Performance:
    """`befell`: the phases in which mishaps happened; `disputes`: differences from the crew's record; `met`:
    what rows of the journal stand for, by name."""

    books: DemoAudit
    befell: tuple[str, ...]
    disputes: tuple[str, ...]
    met: Counter[str]


async def perform(
    folder: Path,
    scene: DemoSettings,
    rounds: int,
    mishaps: Sequence[Mishap] = (),
    *,
    limit: float = PATIENT,
    build: Callable[[Path, DemoSettings], DemoTable] = ForkedStage,
    person: Person = supervise,
    exactly: bool = False,
) -> Performance:
    """Plays `rounds` within `limit` seconds while `mishaps` happen, in order; more rounds while some of them
    have not happened yet, or `exactly` this many. Raises HangError."""
    befell: list[str] = []
    stage = build(folder, scene)
    async with stage:
        await stage.start_daemon()
        played = await _play(stage, rounds, mishaps, befell, limit, person, exactly=exactly)
        await stage.stop_daemon()
    books = read_audit(stage.journal, stage.shoe_log)
    met = Counter(named(History(stage.journal).rows()))
    return Performance(books, tuple(befell), tuple(disputes(scene, books.ended, played)), met)


async def _play(
    stage: DemoTable,
    rounds: int,
    mishaps: Sequence[Mishap],
    befell: list[str],
    limit: float,
    person: Person,
    *,
    exactly: bool,
) -> Sequence[PlayedRound]:
    crew = make_crew(stage, patience=FOREVER)
    async with Gallery({kind: stage.control(kind) for kind in KINDS}) as gallery:
        harm = asyncio.create_task(_harm(stage, gallery, mishaps, befell))
        supervisor = asyncio.create_task(person(stage, gallery))
        floor = asyncio.create_task(handle_claims(stage))
        playing = asyncio.create_task(crew.run(rounds, lambda: not (exactly or harm.done())))
        try:
            await _until_played(playing, harm, limit)
        except TimeoutError as error:
            raise HangError(await how_it_stands(stage, crew, gallery)) from error
        finally:
            for task in (harm, supervisor, floor, playing):
                task.cancel()
            await asyncio.gather(harm, supervisor, floor, playing, return_exceptions=True)
    return crew.machine.rounds


async def _until_played(playing: asyncio.Task[None], harm: asyncio.Task[None], limit: float) -> None:
    """Mishaps that nothing is left to happen to are no fault; an error in one is."""
    async with asyncio.timeout(limit):
        await asyncio.wait({playing, harm}, return_when=asyncio.FIRST_COMPLETED)
        if harm.done():
            harm.result()
        await playing


async def _harm(stage: DemoTable, gallery: Gallery, mishaps: Sequence[Mishap], befell: list[str]) -> None:
    for mishap in mishaps:
        await gallery.wait(mishap.cue)
        befell.append(mishap.cue.phase)
        await mishap.harm(stage)


async def how_it_stands(stage: DemoTable, crew: Crew, gallery: Gallery) -> str:
    """The table's view, what the crew knows, what was seen last, and the end of the daemon's log."""
    try:
        view = str(await asyncio.to_thread(fetch, "127.0.0.1", stage.web_port))
    except TableAbsentError as error:
        view = str(error)
    play = crew.machine
    knows = {name: getattr(part, "__dict__", part) for name, part in vars(play).items() if name != "rounds"}
    seen = "\n".join(map(str, gallery.last))
    return f"after {len(play.rounds)} rounds\n{view}\n{knows}\n{seen}\n{stage.log_tail('daemon')}"
