"""A crew that plays at the devices of a guest while plugs are pulled, and the books afterwards."""

import asyncio
from collections.abc import Iterator, Sequence
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
class Pull:
    """The plug of a device is pulled at a cue, and is back after `seconds`."""

    cue: Cue
    kind: str
    seconds: float = 0.5


async def play(
    folder: Path, settings: DemoSettings, rounds: int, pulls: Sequence[Pull] = (), limit: float = LIMIT
) -> Sequence[PlayedRound]:
    """What the crew played: `rounds`, and more while plugs are still to be pulled. Raises TimeoutError."""
    controls = {kind: folder / f"{kind}.control" for kind in KINDS}
    crew = Crew(controls, playbook(settings.rules), settings.seed, patience=FOREVER)
    async with Gallery(controls) as gallery:
        pulling = asyncio.create_task(_pull(controls, gallery, pulls))
        try:
            async with asyncio.timeout(limit):
                await crew.run(rounds, lambda: not pulling.done())
        except TimeoutError as error:
            seen = "\n".join(map(str, gallery.last))
            raise TimeoutError(
                f"after {len(crew.machine.rounds)} rounds, at {gallery.prompt!r}:\n{seen}"
            ) from error
        finally:
            pulling.cancel()
            await asyncio.gather(pulling, return_exceptions=True)
    return crew.machine.rounds


async def _pull(controls: dict[str, Path], gallery: Gallery, pulls: Sequence[Pull]) -> None:
    for pull in pulls:
        await gallery.wait(pull.cue)
        await ask(controls[pull.kind], {"do": "hang-up", "seconds": pull.seconds})


def wrong(guest: Guest, folder: Path, settings: DemoSettings, played: Sequence[PlayedRound]) -> Iterator[str]:
    """Stops the service. A sentence for each fault of its books, compared with the shoe and with the crew."""
    guest.run(f"systemctl stop tableside && rm -f /mnt/out/* && cp {STATE}/table.journal* /mnt/out")
    books = read_audit(guest.outgoing / "table.journal", folder / "shoe.cards")
    yield from faults(books)
    yield from disputes(settings, books.ended, played)
