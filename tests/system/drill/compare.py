"""Differences between a disturbed play and the undisturbed one."""

import json
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any, Final

from tests.system.drill.baton import Moment
from tests.system.drill.likeness import differences
from tests.system.drill.play import Played

OUTCOMES: Final = frozenset({"settlement", "meter", "round", "revealed", "peek", "claim"})
"""Records that must be the same, one for one."""
OF_SESSIONS: Final = (".newest", ".last_key", ".boot", ".open_actions")
"""What a state knows about sessions, and how often a key was pressed: an interrupted play has more."""
IN_HAND: Final = ("shift.at",)
"""The stamp of the input in hand: a start that finds a snapshot last has none yet."""
STAMPED: Final = (*IN_HAND, "shift.round_ends", "shift.alarms")
"""Fields with stamps: an interrupted play takes longer, and repeats some things."""
EPOCH: Final = "epoch"
OF_THE_JOURNAL: Final = (EPOCH, "shift.nonce")
"""What follows from the hashes of one journal, and from each start of its daemon."""
Known = Mapping[tuple[int, bytes], Any]


def known(undisturbed: Played) -> Known:
    """The table's state at each row that was the last on disk, by its number and hash."""
    last = [moment for moment in undisturbed.lives[0] if not moment.label.startswith("before")]
    return {(moment.row, moment.hash): moment.state for moment in last}


def faults(played: Played, undisturbed: Played, states: Known | None) -> Iterator[str]:
    """A sentence for each difference; `states`: of the undisturbed play, where the first daemon was killed;
    one that was killed before it had read reports nothing."""
    if states is not None and (found := played.lives[1][:1]):
        yield from _recovered(found[0], states)
    for one, other in zip_longest(played.sights, undisturbed.sights):
        if one != other:
            yield f"seen before {getattr(other, 'step', None)}: {_sight(one, other)}"
            break
    if played.records_of(OUTCOMES) != undisturbed.records_of(OUTCOMES):
        yield f"outcomes: {_first(played.records_of(OUTCOMES), undisturbed.records_of(OUTCOMES))}"
    if _cards(played) != _cards(undisturbed):
        yield f"cards: {_first(_cards(played), _cards(undisturbed))}"
    for text in _ended(played.end, undisturbed.end):
        if states is not None or not text.startswith("at the end alerts"):  # they report disturbances
            yield text


def _recovered(found: Moment, states: Known) -> Iterator[str]:
    """What the next daemon found is what the first one had in memory when it wrote its last row."""
    before = states.get((found.row, found.hash))
    if before is None:
        yield f"row {found.row}, which the next daemon found last, is none that a batch ended with"
    else:
        unlike = IN_HAND if before[EPOCH] else (*IN_HAND, EPOCH)  # known once row 1 is on disk
        yield from (
            f"recovered {text}" for text in differences(found.state, before) if not text.startswith(unlike)
        )


def _ended(found: Moment, undisturbed: Moment) -> Iterator[str]:
    for text in differences(found.state, undisturbed.state):
        if not text.split(":")[0].endswith(OF_SESSIONS) and not text.startswith(STAMPED + OF_THE_JOURNAL):
            yield f"at the end {text}"


def _cards(played: Played) -> list[str]:
    """The counts of all cards that the shoe reported, in order; which they were is in the outcomes."""
    answer = [
        json.loads(body)["body"]
        for _, device, body in played.records_of(frozenset({"event"}))
        if device == "shoe"
    ]
    return [str(card["count"]) for body in answer for kind, card in body.items() if kind.startswith("card_")]


def _sight(one: Any, other: Any) -> str:
    if one is None or other is None or one.step != other.step:
        return f"{getattr(one, 'step', None)} was done instead"
    return "; ".join(differences(one.seen, other.seen))


def _first(ones: Any, others: Any) -> str:
    return next(f"{one}, not {other}" for one, other in zip_longest(ones, others) if one != other)
