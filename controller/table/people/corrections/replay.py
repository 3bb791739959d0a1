"""Compares a round as it is with the same round after a change to its events."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from controller.cards import Card
from controller.round import CardOut, Event, Key, Peeked, Revealed, Round
from controller.round.replay import CardPosition, CommandAt, ReplayedRound, replay


@dataclass(frozen=True, slots=True)
class RoundComparison:
    """`old` is the round as it is, `new` the replay of the changed list `events`. `visible` is the part of
    `new` that may be shown before the change holds: all of it, unless `secret`, since the rest depends on
    the face-down card."""

    events: tuple[Event, ...]
    at: int
    """The place of the card that is another one, or one more."""
    is_extra: bool
    """It is one more."""
    old: ReplayedRound
    new: ReplayedRound
    visible: ReplayedRound
    secret: bool

    @property
    def cards(self) -> Iterator[int]:
        """The indexes of the events that are cards."""
        return (at for at, event in enumerate(self.events) if isinstance(event, CardOut))

    @property
    def changes_hole_card(self) -> bool:
        """Whether another card would lie face down. Nobody may know which card that is."""
        return self.old.hidden is not None and self.new.hidden not in {self.old.hidden, None}


def with_other_card(begun: Round, events: Sequence[Event], at: int, card: Card) -> RoundComparison:
    """The comparison if the card at index `at` were another one."""
    other = (*events[:at], CardOut(card), *events[at + 1 :])
    return _compare(begun, other, at, replay(begun.fresh(), events), is_extra=False)


def with_extra_card(begun: Round, events: Sequence[Event], at: int, card: Card) -> RoundComparison:
    """The comparison if another card came right before the event at index `at`."""
    other = (*events[:at], CardOut(card), *events[at:])
    return _compare(begun, other, at, _shifted(replay(begun.fresh(), events), at), is_extra=True)


def card_number(comparison: RoundComparison, at: int) -> int:
    """The number of the card in the round, from 1."""
    return sum(place <= at for place in comparison.cards)


def card_places(replay: ReplayedRound) -> Mapping[int, CardPosition]:
    """By index of the event, the place of its card."""
    return {at: place for place, at in replay.positions.items()}


def key_events(events: Sequence[Event], at: Sequence[int]) -> Iterator[Key]:
    return (event for event in map(events.__getitem__, at) if isinstance(event, Key))


def _compare(
    begun: Round, events: tuple[Event, ...], at: int, old: ReplayedRound, *, is_extra: bool
) -> RoundComparison:
    new = replay(begun.fresh(), events)
    until = _first_disclosure(old, new)
    if until is None:
        return RoundComparison(events, at, is_extra, old, new, new, secret=False)
    return RoundComparison(
        events, at, is_extra, old, new, replay(begun.fresh(), events[: until + 1]), secret=True
    )


def _first_disclosure(old: ReplayedRound, new: ReplayedRound) -> int | None:
    """The index of the first event at which the new replay discloses something about the face-down card of
    the old one; None if there is no such event."""
    if old.hidden is None:
        return None
    looked = any(isinstance(effect.command, Peeked) for effect in old.commands)
    same_up = old.round.dealer.cards[:1] == new.round.dealer.cards[:1]
    disclosing = (Revealed,) if looked and same_up else (Revealed, Peeked)
    return next((said.at for said in new.commands if isinstance(said.command, disclosing)), None)


def _shifted(replay: ReplayedRound, at: int) -> ReplayedRound:
    """The replay with its indexes moved as if one more event stood at `at`."""

    def moved(place: int) -> int:
        return place + (place >= at)

    return replace(
        replay,
        accepted=tuple(map(moved, replay.accepted)),
        refused=tuple(map(moved, replay.refused)),
        positions={card_place: moved(place) for card_place, place in replay.positions.items()},
        commands=tuple(CommandAt(moved(effect.at), effect.command) for effect in replay.commands),
        hidden=None if replay.hidden is None else moved(replay.hidden),
        hole=None if replay.hole is None else moved(replay.hole),
    )
