"""The person who is called when a commercial shoe may have lost a card, and the check of its cards."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from controller.demo.audit import read_shoe_log
from controller.demo.staff_desk import StaffDesk
from controller.demo.table import DemoTable
from controller.journal.journal import Journal
from controller.monitor.client import TableAbsentError, fetch
from controller.table.record.codec import read_input
from controller.table.record.events import DeviceEvent, EventsMissing, Input
from controller.table.record.sealed import readable
from controller.table.record.views import TableView
from drivers.messages import CardDrawn, CardUnpermitted, CardUnreadable
from tests.system.gallery import Gallery
from tests.system.performance import Performance

LOOK: Final = 0.1
COMPARING: Final = 5
"""Looks at an unchanged table before it acts: what is still on the line comes meanwhile."""
PASSING: Final = ("Missing: ", "Fault ", "A card is stuck")
"""Reasons that end by themselves."""
UNREAD: Final = ""
"""Stands for any card."""


async def audit(stage: DemoTable, _gallery: Gallery) -> None:
    """Voids a round in which a card may be missing; burns a card between two rounds."""
    looks, before = 0, ""
    async with StaffDesk(stage) as desk:
        while True:
            with suppress(TableAbsentError):
                view = await asyncio.to_thread(fetch, "127.0.0.1", stage.web_port)
                choice, seen = _choice(view), f"{view.suspended} {view.shoe.cards_out}"
                looks, before = (looks + 1 if seen == before else 0), seen
                if choice and looks >= COMPARING:
                    await desk.act("Sue", {"decision": {"choice": choice, "why": "compared"}})
            await asyncio.sleep(LOOK)


def _choice(view: TableView) -> str:
    """The choice to make; empty: none."""
    if not view.suspended or view.suspended[0].startswith(PASSING):
        return ""
    if view.phase != "betting":
        return "void"
    burnt = view.suspended[0].startswith("Card ") and "burn" in view.ruling.choices
    return "burn" if burnt else "resume"


def unaccounted(journal: Path, shoe_log: Path) -> Iterator[str]:
    """Differences between the journal and the shoe's own list, except cards that the journal says may be
    missing."""
    out, place, run = [card for _, card in read_shoe_log(shoe_log)], 0, list[str]()
    with Journal(journal) as opened:
        kinds = {"event", "events missing"}
        entries = readable([*opened.since(0)])
    rows = [read_input(entry.content) for entry in entries if entry.content.kind in kinds]
    told_cards = [found for row in rows for found in _cards_named(row)]
    doubted = True
    for card in [*told_cards, None]:
        if card is not None:
            run.append(card)
            continue
        found = _find(run, out, place, anywhere=doubted)
        if found is None:
            yield f"{run} does not follow card {place} of the shoe: {out[place : place + len(run) + 3]}"
            return
        place, run, doubted = found + len(run), [], True
    if place != len(out) and told_cards[-1:] != [None]:
        yield f"the shoe gave out {len(out)} cards, the journal ends at {place}"


def overlooked(performance: Performance) -> list[str]:
    """Differences from the crew's record, except rounds that became void while they paid."""
    void = {ended.round.number for ended in performance.books.ended if ended.round.outcome == "void"}
    late = {f"round {number} is void for one of them only" for number in void}
    return [dispute for dispute in performance.disputes if dispute not in late]


def _cards_named(row: Input) -> list[str | None]:
    """A card, UNREAD, or None where cards may be missing."""
    match row:
        case DeviceEvent(body=CardDrawn(_, card) | CardUnpermitted(_, card)):
            return [card]
        case DeviceEvent(body=CardUnreadable()):
            return [UNREAD]
        case EventsMissing(device="shoe"):
            return [None]
    return []


def _find(run: Sequence[str], out: Sequence[str], place: int, *, anywhere: bool) -> int | None:
    """Where the cards of a run left one after the other, from `place` on."""
    last = len(out) - len(run) if anywhere else place
    for first in range(place, last + 1):
        pairs = zip(run, out[first : first + len(run)], strict=True)
        if all(card in (UNREAD, left) for card, left in pairs):
            return first
    return None
