"""The round in play as it is, beside the round that it would be had other cards come."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from controller.cards import Card
from controller.round import CardOut, Event, Key, Peeked, Revealed, Round
from controller.round.replay import CardPosition, CommandAt, ReplayedRound, replay


@dataclass(frozen=True, slots=True)
class RoundComparison:
    """Two tellings of one list of `events`, which is the new one. `shown`: the new telling as far as it may
    be shown before it holds: all of `new`, unless `secret`, where the rest tells of the face-down card."""

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
        """At which places of the list cards came."""
        return (at for at, event in enumerate(self.events) if isinstance(event, CardOut))

    @property
    def changes_hole_card(self) -> bool:
        """Whether the card that lies face down would be another one: nobody may know which that is."""
        return self.old.hidden is not None and self.new.hidden not in {self.old.hidden, None}


def with_other_card(begun: Round, events: Sequence[Event], at: int, card: Card) -> RoundComparison:
    """The round had the card at a place of its events been another one."""
    other = (*events[:at], CardOut(card), *events[at + 1 :])
    return _compare(begun, other, at, replay(begun.fresh(), events), is_extra=False)


def with_extra_card(begun: Round, events: Sequence[Event], at: int, card: Card) -> RoundComparison:
    """The round had a card more come, right before the event at a place."""
    other = (*events[:at], CardOut(card), *events[at:])
    return _compare(begun, other, at, _shifted(replay(begun.fresh(), events), at), is_extra=True)


def card_number(comparison: RoundComparison, at: int) -> int:
    """Which card of the round it is, counted from 1."""
    return sum(place <= at for place in comparison.cards)


def card_places(replay: ReplayedRound) -> Mapping[int, CardPosition]:
    """Where the card that came at a place of the list lies."""
    return {at: place for place, at in replay.positions.items()}


def key_events(events: Sequence[Event], at: Sequence[int]) -> Iterator[Key]:
    """Those of the events that are keys."""
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
    """From which event on the new telling says something of the card that lies face down in the old one."""
    if old.hidden is None:
        return None
    looked = any(isinstance(effect.command, Peeked) for effect in old.commands)
    same_up = old.round.dealer.cards[:1] == new.round.dealer.cards[:1]
    disclosing = (Revealed,) if looked and same_up else (Revealed, Peeked)
    return next((said.at for said in new.commands if isinstance(said.command, disclosing)), None)


def _shifted(replay: ReplayedRound, at: int) -> ReplayedRound:
    """With places as they are counted where one more stands at `at`."""

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
