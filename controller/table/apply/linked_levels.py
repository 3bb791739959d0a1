"""Levels of linked progressives at the table: whether their spots take wagers, and what this table counts for
them. Their money is not in the table's books."""

from collections.abc import Sequence
from dataclasses import asdict, replace

from controller.round import Jackpot
from controller.table.record.causes import Cause, cause
from controller.table.record.events import LevelChanged
from controller.table.record.notes import LevelRead
from controller.table.state.linked import LevelAccount
from controller.table.state.table_state import TableState

CLOSED = "The linked jackpot {level} is closed: {why}"


def change_level(state: TableState, changed: LevelChanged) -> None:
    """A level shows another amount, or may be played or not any more. Latched wagers stay; chips that are not
    latched yet stop being wagers when the level closes, and become wagers when it opens."""
    before = state.linked.get(changed.level, LevelAccount())
    account = replace(
        before,
        state=changed.state,
        cents=changed.cents,
        n=changed.n,
        version=changed.version,
        hash=changed.hash,
        conflict=changed.conflict,
    )
    state.linked[changed.level] = account
    _alert(state, changed, playable=account.playable)
    if account.playable != before.playable and not state.underway:
        state.lay_out_round()


def forget_amounts(state: TableState) -> None:
    """At a start: no amount has come yet, so no linked spot takes wagers until one may again."""
    for level, account in state.linked.items():
        state.linked[level] = replace(account, state="closed" if account.conflict else "lost")
    state.shown.clear()
    if state.linked and not state.underway:
        state.lay_out_round()


def conflicts(state: TableState) -> dict[str, str]:
    """Why two persons must look at a level before it may be played again, by level."""
    return {level: account.conflict for level, account in state.linked.items() if account.conflict}


def clear_conflicts(state: TableState) -> None:
    """Two persons have looked. The next amount of such a level may have any number."""
    for level in conflicts(state):
        state.linked[level] = replace(state.linked[level], state="lost", conflict="", n=0, version=0, hash="")


def count_wagers(state: TableState, spot: str, stakes: Sequence[int]) -> None:
    """Betting has closed: the wagers on a spot count for its level, and are played for what it showed."""
    level = state.rules.linked[spot]
    account = state.linked[level]
    state.linked_before.setdefault(level, account.counts)
    _count(state, level, replace(account, counts=account.counts.with_round(len(stakes), sum(stakes))))
    state.apply_to_round(Jackpot(spot, max(1, account.cents), linked=True))


def take_back_wagers(state: TableState) -> None:
    """The round is void: so are its wagers."""
    for level, before in state.linked_before.items():
        account = state.linked[level]
        if account.counts != before:
            _count(state, level, replace(account, counts=account.counts.with_void(before)))


def moved_spots(state: TableState) -> tuple[str, ...]:
    """The spots whose linked jackpot the round in play has fed."""
    return tuple(
        spot
        for spot, level in state.rules.linked.items()
        if level in state.linked_before and state.linked_before[level] != state.linked[level].counts
    )


def _count(state: TableState, level: str, account: LevelAccount) -> None:
    state.linked[level] = account
    state.notes.append(LevelRead(level, **asdict(account.counts)))


def _alert(state: TableState, changed: LevelChanged, *, playable: bool) -> None:
    about = _about(changed.level)
    if playable or not changed.why:
        state.standing.pop(about, None)
    else:
        state.set_standing(about, CLOSED.format(level=changed.level, why=changed.why))


def _about(level: str) -> Cause:
    return cause("linked", level)
