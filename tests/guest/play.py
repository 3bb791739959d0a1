"""A crew that plays at the devices of a guest while things happen, and the books afterwards."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.demo.audit import disputes, read_audit
from controller.demo.crew.crew import Crew
from controller.demo.crew.playbook import playbook
from controller.demo.crew.played_round import PlayedRound
from controller.demo.settings import DemoSettings
from drivers.sim.kinds import KINDS
from tests.guest.machine import Guest
from tests.guest.table import STATE
from tests.system.books import faults
from tests.system.gallery import Cue, Gallery
from tests.system.mishaps import ask

FOREVER: Final = 1e6
"""The crew's patience: whoever depends on it hangs, and is found."""
LIMIT: Final = 300.0
"""Seconds in which a short play is over, on a busy machine."""


@dataclass(frozen=True, slots=True)
class Act:
    """Something that is done once at a cue, while the crew plays on. `do` gets the folder of the devices."""

    cue: Cue
    do: Callable[[Path], Coroutine[object, object, None]]


def pull(phase: str, nth: int, kind: str, seconds: float = 0.5) -> Act:
    """The plug of a device is pulled, and is back after so many seconds."""

    async def hang_up(folder: Path) -> None:
        await ask(folder / f"{kind}.control", {"do": "hang-up", "seconds": seconds})

    return Act(Cue(phase, nth), hang_up)


async def play(
    folder: Path, settings: DemoSettings, rounds: int, acts: Sequence[Act] = (), limit: float = LIMIT
) -> Sequence[PlayedRound]:
    """What the crew played: `rounds`, and more while acts are still to be done. Raises TimeoutError."""
    controls = {kind: folder / f"{kind}.control" for kind in KINDS}
    crew = Crew(controls, playbook(settings.rules), settings.seed, patience=FOREVER)
    async with Gallery(controls) as gallery:
        acting = asyncio.create_task(_do(folder, gallery, acts))
        try:
            async with asyncio.timeout(limit):
                await crew.run(rounds, lambda: not acting.done())
                await acting
        except TimeoutError as error:
            seen = "\n".join(map(str, gallery.last))
            raise TimeoutError(
                f"after {len(crew.machine.rounds)} rounds, at {gallery.prompt!r}:\n{seen}"
            ) from error
        finally:
            acting.cancel()
            await asyncio.gather(acting, return_exceptions=True)
    return crew.machine.rounds


async def _do(folder: Path, gallery: Gallery, acts: Sequence[Act]) -> None:
    for act in acts:
        await gallery.wait(act.cue)
        await act.do(folder)


def wrong(guest: Guest, folder: Path, settings: DemoSettings, played: Sequence[PlayedRound]) -> Iterator[str]:
    """Stops the service. A sentence for each fault of its books, compared with the shoe and with the crew."""
    guest.run(f"systemctl stop tableside && rm -f /mnt/out/* && cp {STATE}/table.journal* /mnt/out")
    books = read_audit(guest.outgoing / "table.journal", folder / "shoe.cards")
    yield from faults(books)
    yield from disputes(settings, books.ended, played)
