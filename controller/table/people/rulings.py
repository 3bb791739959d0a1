"""Why play is suspended, and what a supervisor may choose now, for the pages."""

from collections.abc import Iterator

from controller.table.people.decisions import offered_choices
from controller.table.record.causes import kind_of
from controller.table.record.choices import CHOICES, OTHER_REASON, ChoiceName
from controller.table.record.views import ReasonView, RulingView, WaitingView
from controller.table.state.table_state import TableState

NAMED_KINDS = frozenset[str]().union(*(choice.fits for choice in CHOICES.values())) - {OTHER_REASON}


def ruling(state: TableState) -> RulingView:
    offered = offered_choices(state)
    return RulingView(tuple(_reasons(state, offered)), _waiting(state), offered)


def _reasons(state: TableState, offered: tuple[ChoiceName, ...]) -> Iterator[ReasonView]:
    """The reasons that need a person come before those that end by themselves."""
    if state.suspension.testing:
        yield ReasonView(state.suspension.reasons[0], passes=True, choices=())
    for about, text in state.suspension.lasting.items():
        yield ReasonView(text, passes=False, choices=_fitting(about, offered))
    for about, text in state.suspension.passing.items():
        choices = _fitting(about, offered) if kind_of(about) == "held" else ()
        yield ReasonView(text, passes=True, choices=choices)


def _fitting(about: str, offered: tuple[ChoiceName, ...]) -> tuple[str, ...]:
    kind = kind_of(about)
    needed = kind if kind in NAMED_KINDS else OTHER_REASON
    return tuple(name for name in offered if needed in CHOICES[name].fits)


def _waiting(state: TableState) -> WaitingView | None:
    if not state.unplaced:
        return None
    card = state.unplaced[0]
    return WaitingView(card.count, not card.card, bool(state.round.cards_due))
