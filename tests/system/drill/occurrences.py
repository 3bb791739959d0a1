"""What happened at a table in virtual time: the rows of its journal, and what its daemons reported before
they died."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from controller.journal.chain import JournalRow
from controller.journal.closed_files import list_closed_files
from controller.journal.history import History
from controller.table.record.codec import read_ended, read_input
from controller.table.record.events import Action, ActionEnded, DeviceLost, Input, Started
from drivers.link.reports import DeviceEvent
from drivers.messages import CardInterrupted
from tests.system.drill.table import JOURNAL, Table

ROUND: Final = "round ended"
VOID: Final = "round void"
CLOSED: Final = "journal file closed"
CLOSED_IN_A_KILL: Final = "kill around the closing of a journal file"
HEALED: Final = "copy of the journal put right"
CLAIM: Final = "claim settled"
CLAIM_IN_A_KILL: Final = "kill around a step of a claim"
INTERRUPTED: Final = "card on its way while the shoe lost its power"
OPEN_ACTION: Final = "action open while its session or its daemon ended"
HELD: Final = "device held off"
ROWS: Final = {"claim step": CLAIM, "round": ROUND}
"""Kinds of rows that need no further look."""
DEATHS: Final = {"roll": CLOSED_IN_A_KILL, "claim": CLAIM_IN_A_KILL}
"""By a word in the label of the moment at which a daemon was killed."""
COPIED: Final = "was copied"
"""Part of a sentence about rows, or a whole file, that one copy of the journal gave to the other."""
READ: Final = frozenset({"event", "action", "action ended", "device lost", "started"})
"""Inputs whose content decides the name."""


def met(table: Table) -> Counter[str]:
    """How often each thing happened, by name."""
    journal, world = table.folder / JOURNAL, table.world
    found = Counter(named(History(journal).rows())) + died_and_healed(world.deaths, world.healed)
    found[CLOSED] = len(list_closed_files(journal))
    return +found


def died_and_healed(deaths: Iterable[str], healed: Iterable[str]) -> Counter[str]:
    """At which moments daemons died, and what the next daemons repaired."""
    found = Counter(name for label in deaths for word, name in DEATHS.items() if word in label)
    found[HEALED] = sum(1 for _ in healed)
    return +found


def named(rows: Iterable[JournalRow]) -> Iterator[str]:
    """The names of the rows of a journal, in order."""
    actions = set[int]()
    for row in (entry.content for entry in rows):
        if row.kind in ROWS:
            yield ROWS[row.kind]
        if row.kind == "noticed" and COPIED in row.body:
            yield HEALED
        elif row.kind in READ:
            yield from _named(read_input(row), actions)
        elif row.kind == "round" and read_ended(row).round.outcome == "void":
            yield VOID


def _named(event: Input, actions: set[int]) -> Iterator[str]:
    """`actions`: the keys of open actions."""
    match event:
        case DeviceEvent(body=CardInterrupted()):
            yield INTERRUPTED
        case DeviceLost(held=True):
            yield HELD
        case Action(key=key):
            actions.add(key)
        case ActionEnded(key=key):
            actions.discard(key)
        case DeviceLost(device="shuffler") | Started() if actions:
            yield OPEN_ACTION
            actions.clear()
