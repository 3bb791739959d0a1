"""What is played at a table: chosen by the operator, kept in the journal, changed only between rounds."""

from dataclasses import dataclass, field
from typing import Literal

from controller.games import open_game
from controller.games.game import Game
from controller.jackpot import Parameters
from controller.money import percent

Bank = Literal["third party", "rotating"]


@dataclass(frozen=True, slots=True)
class Progressive:
    """How a jackpot is fed: its seed in cents, and shares of each stake as exact text, "15%"."""

    seed: int = 1_000_000
    contribution: str = "15%"
    reserve: str = "5%"

    def parameters(self) -> Parameters:
        """As the meter takes them; raises ValueError."""
        return Parameters(self.seed, percent(self.contribution), percent(self.reserve))


@dataclass(frozen=True, slots=True)
class Rules:
    """The game's id, its options as they were given, how many seats there are, who banks the rounds of a
    player-dealer game, and how the jackpots are fed, by spot; one that is not named has the defaults."""

    game: str
    seats: int
    options: dict[str, object]
    bank: Bank = "third party"
    jackpots: dict[str, Progressive] = field(default_factory=dict)

    def open(self) -> Game:
        """The game itself; raises what `open_game` raises."""
        return open_game(self.game, self.options)

    def feeds(self, spot: str) -> Parameters:
        """How the jackpot of a spot is fed."""
        return self.jackpots.get(spot, Progressive()).parameters()

    def banks_after(self, seat: int) -> int:
        """Who banks the round after that of `seat`; 0 is the house's third party.

        Rotating goes over all seats, then the third party, a round each.
        """
        return seat + 1 if self.bank == "rotating" and seat < self.seats else 0
