"""What is announced before it is done at a table: an installation of software, or a test."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Literal, get_args

from controller.calendar import Calendar, UnknownPeriod
from controller.text.characters import character_fault

NoticeKind = Literal["installation", "test"]
KINDS: Final[tuple[NoticeKind, ...]] = get_args(NoticeKind)
HOUR: Final = 3600.0
MINUTE: Final = 60.0
MOST_MINUTES: Final = 7 * 24 * 60
MOST_TEXT: Final = 200


class NoticeRefused(ValueError):
    """A notice that cannot be entered. The message names the field, its value and what is allowed."""


@dataclass(frozen=True, slots=True)
class NoticeWish:
    """A notice as a person enters it. `asset`: the asset number of the table, its name if empty; `persons`:
    who will do it; `software`: the version that an installation brings; `begins`: a local time of the house,
    as "2026-11-27 09:00"; `why`: what is done."""

    kind: str
    table: str
    persons: str
    begins: str
    minutes: int
    why: str
    asset: str = ""
    software: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """`begins` and `ends`, and `entered`, when it was entered: seconds of Unix time. `who` entered it."""

    id: str
    kind: NoticeKind
    table: str
    asset: str
    persons: str
    software: str
    begins: float
    ends: float
    why: str
    who: str
    role: str
    entered: float

    def covers(self, at: float) -> bool:
        return self.begins <= at < self.ends

    def covers_test(self, table: str, at: float) -> bool:
        return self.kind == "test" and self.table == table and self.covers(at)

    def covers_software(self, table: str, software: str, at: float) -> bool:
        announced = self.kind, self.table, self.software
        return announced == ("installation", table, software) and self.covers(at)

    @property
    def minutes(self) -> int:
        return round((self.ends - self.begins) / MINUTE)


def checked_times(
    wish: NoticeWish, tables: Collection[str], ahead: int, calendar: Calendar, now: float
) -> tuple[float, float]:
    """From when to when the notice holds. `tables`: those of the floor; `ahead`: hours between a notice and
    its begin; `now`: seconds of Unix time. Raises NoticeRefused."""
    if wish.kind not in KINDS:
        raise NoticeRefused(f"kind = {wish.kind!r}: not allowed; allowed: {', '.join(KINDS)}")
    if wish.table not in tables:
        known = ", ".join(sorted(tables)) or "none"
        raise NoticeRefused(f"table = {wish.table!r}: not on this floor; allowed: {known}")
    for name in ("persons", "why"):
        _check_text(name, getattr(wish, name), needed=True)
    _check_text("asset", wish.asset, needed=False)
    _check_text("software", wish.software, needed=wish.kind == "installation")
    if wish.kind == "test" and wish.software:
        raise NoticeRefused(f"software = {wish.software!r}: not allowed for a test; allowed: nothing")
    if not 1 <= wish.minutes <= MOST_MINUTES:
        allowed = f"1 to {MOST_MINUTES} minutes"
        raise NoticeRefused(f"minutes = {wish.minutes}: not allowed; allowed: {allowed}")
    begins = _begins(wish, calendar)
    if begins < now + ahead * HOUR:
        earliest = calendar.format_time(now + ahead * HOUR + MINUTE)
        raise NoticeRefused(
            f"begins = {wish.begins!r}: too soon; allowed: {ahead} hours from now, {earliest} or later"
        )
    return begins, begins + wish.minutes * MINUTE


def _begins(wish: NoticeWish, calendar: Calendar) -> float:
    try:
        return calendar.instant(wish.begins)
    except UnknownPeriod:
        raise NoticeRefused(
            f"begins = {wish.begins!r}: no time; allowed: as 2026-11-27 09:00, by the clock of the house"
        ) from None


def _check_text(name: str, text: str, *, needed: bool) -> None:
    if needed and not text.strip():
        raise NoticeRefused(f"{name} = {text!r}: missing; needed: a text")
    if len(text) > MOST_TEXT:
        raise NoticeRefused(f"{name} has {len(text)} characters; allowed: {MOST_TEXT}")
    if fault := character_fault(text.strip()):
        raise NoticeRefused(f"{name} = {text!r}: {fault}; allowed: text that can be seen")
