"""What is played at a table. The operator chooses it, and it changes only between rounds."""

from dataclasses import dataclass, field
from typing import Literal, Self

from controller.currency import Currency, named_currency
from controller.games import open_game
from controller.games.game import Game
from controller.jackpot import Parameters
from controller.money import percent, percent_text
from controller.round.state import PayFrom

Bank = Literal["third party", "rotating"]


@dataclass(frozen=True, slots=True)
class Progressive:
    """How a jackpot is fed: its seed in cents, and shares of each stake as exact text, "15%"."""

    seed: int = 1_000_000
    contribution: str = "15%"
    reserve: str = "5%"
    reset: int | None = None
    limit: int | None = None
    threshold: int | None = None
    second_over: int = 500_000
    """A share of more cents than this needs a second person."""
    tax_over: int = 60_000
    """A share of more cents than this, at 300 for 1 or more, needs a tax form."""

    @classmethod
    def from_parameters(cls, parameters: Parameters) -> Self:
        """What these parameters are of."""
        return cls(
            parameters.seed,
            percent_text(parameters.contribution),
            percent_text(parameters.reserve),
            parameters.reset,
            parameters.limit,
            parameters.threshold,
        )

    def parameters(self) -> Parameters:
        """Raises ValueError."""
        shares = percent(self.contribution), percent(self.reserve)
        return Parameters(self.seed, *shares, self.reset, self.limit, self.threshold)


@dataclass(frozen=True, slots=True)
class Rules:
    """The game's id, its options as they were given, how many seats there are, who banks the rounds of a
    player-dealer game, and how the jackpots are fed, by spot; one that is not named has the defaults."""

    game: str
    seats: int
    options: dict[str, object]
    bank: Bank = "third party"
    jackpots: dict[str, Progressive] = field(default_factory=dict)
    claims: bool = False
    """Won shares are locked after the deal, and claimed; older versions paid them at settlement."""
    approvals: bool = False
    """Two persons must grant new parameters of jackpots while the table plays."""
    unplayed: bool = False
    """Chips on spots that are not in play are remembered, and become wagers once those spots are in play."""
    linked: dict[str, str] = field(default_factory=dict)
    """The level of a linked progressive that a spot plays for, by spot. Other jackpots are the table's
    own."""
    pay_from: PayFrom = "first-base"
    """Where the dealer begins to pay; older versions always began with seat 1."""
    currency: str = ""
    """The code of the currency; empty if there is none. A journal keeps the one that it has."""
    plugins: dict[str, str] = field(default_factory=dict)
    """The distribution and version of each plug-in in use, by the name of the game or side bet."""

    @property
    def money(self) -> Currency:
        return named_currency(self.currency)

    def open(self) -> Game:
        """The game itself; raises what `open_game` raises."""
        return open_game(self.game, self.options)

    def parameters_of(self, spot: str) -> Parameters:
        """The parameters of the jackpot of a spot."""
        return self.progressive(spot).parameters()

    def progressive(self, spot: str) -> Progressive:
        """What an operator says of the jackpot of a spot."""
        return self.jackpots.get(spot, Progressive())

    def next_bank(self, seat: int) -> int:
        """The seat that banks the round after that of `seat`; 0 is the third party that banks for the house.

        Rotating goes over all seats, then the third party, a round each.
        """
        return seat + 1 if self.bank == "rotating" and seat < self.seats else 0
