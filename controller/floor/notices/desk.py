"""Enters notices: checks them, and writes them into the floor's own journal before they count."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final
from uuid import uuid4

from controller.access.people import Person
from controller.calendar import Calendar
from controller.floor.notices.notice import KINDS, Notice, NoticeWish, checked_times
from controller.floor.notices.register import NoticeRegister

KIND: Final = "notice"
"""The kind of the entry in the floor's own journal."""
Record = Callable[[str, Mapping[str, Any]], Awaitable[object]]
"""Writes into the floor's own journal. Raises NotActing."""


@dataclass(frozen=True, slots=True)
class NoticeRules:
    """`ahead`: hours between a notice and its begin. `tables`: returns those of the floor."""

    ahead: int
    calendar: Calendar
    tables: Callable[[], Collection[str]]


def made_notice(wish: NoticeWish, rules: NoticeRules, person: Person, now: float) -> Notice:
    """The notice of this person. Raises NoticeRefused."""
    begins, ends = checked_times(wish, rules.tables(), rules.ahead, rules.calendar, now)
    return Notice(
        id=str(uuid4()),
        kind=next(kind for kind in KINDS if kind == wish.kind),
        table=wish.table,
        asset=wish.asset.strip() or wish.table,
        persons=wish.persons.strip(),
        software=wish.software.strip(),
        begins=begins,
        ends=ends,
        why=wish.why.strip(),
        who=person.name,
        role=person.role,
        entered=round(now, 3),
    )


class NoticeDesk:
    """`clock`: seconds of Unix time."""

    def __init__(
        self, register: NoticeRegister, rules: NoticeRules, record: Record, clock: Callable[[], float]
    ) -> None:
        self._register, self.rules = register, rules
        self._record, self._clock = record, clock

    async def enter(self, wish: NoticeWish, person: Person) -> Notice:
        """The notice, when it is in the floor's own journal. Raises NoticeRefused, NotActing, StoreError."""
        notice = made_notice(wish, self.rules, person, self._clock())
        await self._record(KIND, asdict(notice))
        self._register.confirm(notice)
        return notice

    def notices(self) -> Sequence[Notice]:
        """Those that count, the one that begins last first. Raises StoreError."""
        return self._register.recorded()

    def now(self) -> float:
        return self._clock()
