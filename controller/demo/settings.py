"""What a demonstration plays, and how good its cables are."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field

from controller.games import open_game
from controller.games.game import Game


@dataclass(frozen=True, slots=True)
class FrameFaults:
    """Chances of a fault for each frame on every cable, both ways."""

    drop: float = 0.0
    flip: float = 0.0
    duplicate: float = 0.0

    def arguments(self) -> list[str]:
        """Command line options of a simulated device."""
        chances = {"--drop": self.drop, "--flip": self.flip, "--duplicate": self.duplicate}
        return [word for knob, chance in chances.items() if chance for word in (knob, str(chance))]


TSL = "tsl"
CREW = "crew"
ME = "me"


@dataclass(frozen=True, slots=True)
class DemoSettings:
    """The game, its speed and seed, and the devices."""

    game: str = "easy-jack"
    seed: int = 1
    speed: str = "max"
    decks: int | None = None
    """Decks in the shoe; None: the default of the game."""
    web_port: int = 0
    """The page's port; 0: any free one, so that several demonstrations can run."""
    simulator_port: int = 0
    """The port of the simulator's page; 0: there is none."""
    dealer: str = CREW
    players: str = CREW
    """CREW, or ME: a person plays that part by hand, at the simulator's page."""
    pages: bool = True
    """The table has a web server."""
    faults: FrameFaults = field(default_factory=FrameFaults)
    usb: bool = False
    """The shoe is on a simulated USB bus."""
    shoe: str = TSL
    """The protocol of the shoe, as `adapter` in the configuration."""
    shoe_tcp: int | None = None
    """TCP port of a device server in front of a commercial shoe; None: a pseudo-terminal."""
    checked: bool = False
    """The daemon compares its own files with a manifest made at the start."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Game options as TOML values: `{"peek": "true"}`."""
    name: str = "Demonstration"
    """The name of the table."""
    target: int = 300
    """Rounds an hour that the house wants, about what the crew plays at human speed."""

    @property
    def by_hand(self) -> bool:
        """Whether a person plays."""
        return ME in {self.dealer, self.players}

    @property
    def game_options(self) -> dict[str, object]:
        """All options that the table is given."""
        written = "".join(f"{name} = {value}\n" for name, value in self.options.items())
        chosen = {} if self.decks is None else {"decks": self.decks}
        return chosen | tomllib.loads(written)

    @property
    def rules(self) -> Game:
        """The game with its options; raises BadOptions."""
        return open_game(self.game, self.game_options)
