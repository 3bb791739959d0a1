"""The round in play as it is, beside the round that it would be had other cards come."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from controller.cards import Card
from controller.round import CardOut, Event, Key, Peeked, Revealed, Round
from controller.round.replay import Laid, Retold, Said, retell


@dataclass(frozen=True, slots=True)
class Remade:
    """Two tellings of one list of `events`, which is the new one. `shown`: the new telling as far as it may
    be shown before it holds: all of `new`, unless `secret`, where the rest tells of the face-down card."""

    events: tuple[Event, ...]
    at: int
    """The place of the card that is another one, or one more."""
    more: bool
    """It is one more."""
    old: Retold
    new: Retold
    shown: Retold
    secret: bool

    @property
    def cards(self) -> Iterator[int]:
        """At which places of the list cards came."""
        return (at for at, event in enumerate(self.events) if isinstance(event, CardOut))

    @property
    def unhides(self) -> bool:
        """Whether the card that lies face down would be another one: nobody may know which that is."""
        return self.old.hidden is not None and self.new.hidden not in {self.old.hidden, None}


def exchanged(begun: Round, events: Sequence[Event], at: int, card: Card) -> Remade:
    """The round had the card at a place of its events been another one."""
    other = (*events[:at], CardOut(card), *events[at + 1 :])
    return _remade(begun, other, at, retell(begun.anew(), events), more=False)


def inserted(begun: Round, events: Sequence[Event], at: int, card: Card) -> Remade:
    """The round had a card more come, right before the event at a place."""
    other = (*events[:at], CardOut(card), *events[at:])
    return _remade(begun, other, at, _later(retell(begun.anew(), events), at), more=True)


def number(remade: Remade, at: int) -> int:
    """Which card of the round it is, counted from 1."""
    return sum(place <= at for place in remade.cards)


def places(told: Retold) -> Mapping[int, Laid]:
    """Where the card that came at a place of the list lies."""
    return {at: laid for laid, at in told.laid.items()}


def keys(events: Sequence[Event], at: Sequence[int]) -> Iterator[Key]:
    """Those of the events that are keys."""
    return (event for event in map(events.__getitem__, at) if isinstance(event, Key))


def _remade(begun: Round, events: tuple[Event, ...], at: int, old: Retold, *, more: bool) -> Remade:
    new = retell(begun.anew(), events)
    until = _tells(old, new)
    if until is None:
        return Remade(events, at, more, old, new, new, secret=False)
    return Remade(events, at, more, old, new, retell(begun.anew(), events[: until + 1]), secret=True)


def _tells(old: Retold, new: Retold) -> int | None:
    """From which event on the new telling says something of the card that lies face down in the old one."""
    if old.hidden is None:
        return None
    looked = any(isinstance(said.command, Peeked) for said in old.said)
    same_up = old.round.dealer.cards[:1] == new.round.dealer.cards[:1]
    known = (Revealed,) if looked and same_up else (Revealed, Peeked)
    return next((said.at for said in new.said if isinstance(said.command, known)), None)


def _later(told: Retold, at: int) -> Retold:
    """With places as they are counted where one more stands at `at`."""

    def moved(place: int) -> int:
        return place + (place >= at)

    return replace(
        told,
        took=tuple(map(moved, told.took)),
        passed=tuple(map(moved, told.passed)),
        laid={laid: moved(place) for laid, place in told.laid.items()},
        said=tuple(Said(moved(said.at), said.command) for said in told.said),
        hidden=None if told.hidden is None else moved(told.hidden),
        hole=None if told.hole is None else moved(told.hole),
    )
