"""The log of the round in play: its events, and the state that chips were last compared with."""

from dataclasses import dataclass, field

from controller.games.game import Invitation
from controller.round import Event, Round, Wager


@dataclass(slots=True)
class RoundLog:
    """The events of a round in order, beginning with its latched wagers."""

    events: list[Event] = field(default_factory=list)
    """Events that a corrected card has made void remain in the list; a replay of the round skips them."""
    before_shoe: int = 0
    """How many of the events came before the shoe in use was loaded."""
    hole_index: int | None = None
    """The index in `events` of the dealer's face-down card; None if it has not been dealt."""
    corrections: tuple[str, ...] = ()
    """A sentence for each corrected card."""
    window: Invitation | None = None
    """The window that was open when chips were last compared with the wagers."""
    acting_seat: int = 0
    """The seat whose turn it was at that comparison; 0 if none."""

    def add(self, phase: str, event: Event, after: Round) -> None:
        """Record an event. `phase` is the phase before it and `after` the round after it.

        Nothing is recorded while betting is open. When it closes, the latched wagers are recorded first.
        Afterwards a change of chips is recorded only while a window is open.
        """
        if after.phase == "betting":
            return
        if phase == "betting":
            seats = after.seats.items()
            self.events = [
                Wager(at, spot, True, cents) for at, on in seats for spot, cents in on.wagers.items()
            ]
        if after.hidden and self.hole_index is None:
            self.hole_index = len(self.events)
        if phase == "offering" or not isinstance(event, Wager):
            self.events.append(event)

    @property
    def hole_is_of_older_shoe(self) -> bool:
        """Whether the face-down card came from a shoe that is no longer in use."""
        return self.hole_index is not None and self.hole_index < self.before_shoe
