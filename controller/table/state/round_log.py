"""The round in play, beside the round itself: what happened in it, and what chips were compared with."""

from dataclasses import dataclass, field

from controller.games.game import Invitation
from controller.round import Event, Round, Wager


@dataclass(slots=True)
class RoundLog:
    """Is told of all that a round took, from the wagers that were latched on."""

    events: list[Event] = field(default_factory=list)
    """Some may no longer count because a card was corrected: a replay of the round skips them."""
    before_shoe: int = 0
    """So many of them came before the shoe in use was loaded."""
    hole_index: int | None = None
    """At which place of the list the dealer's card that was dealt face down came."""
    corrections: tuple[str, ...] = ()
    """Cards that were put right, each in a sentence."""
    window: Invitation | None = None
    """The window that was open when chips were last compared with the wagers."""
    acting_seat: int = 0
    """The seat that was to act then; 0: none."""

    def add(self, phase: str, event: Event, after: Round) -> None:
        """The round, which was in `phase`, took the event. Chips on other spots than those of an open window
        are nothing that a round is made of."""
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
        """Whether the face-down card came out of a shoe that is not in use any more."""
        return self.hole_index is not None and self.hole_index < self.before_shoe
