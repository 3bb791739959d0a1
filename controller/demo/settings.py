"""What a demonstration plays, on which cables."""

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
        """The command line options of a simulated device."""
        chances = {"--drop": self.drop, "--flip": self.flip, "--duplicate": self.duplicate}
        return [word for knob, chance in chances.items() if chance for word in (knob, str(chance))]


TSL = "tsl"


@dataclass(frozen=True, slots=True)
class DemoSettings:
    """What is played: the game, how fast, from which seed, on which cables."""

    game: str = "easy-jack"
    seed: int = 1
    speed: str = "max"
    decks: int | None = None
    """In the shoe; None: as many as the game is usually played with."""
    web_port: int = 0
    """The page's port; 0: any, so that stages beside each other do not meet."""
    faults: FrameFaults = field(default_factory=FrameFaults)
    usb: bool = False
    """The shoe is on USB, as umockdev pretends it."""
    shoe: str = TSL
    """What the shoe speaks, as `adapter` in the configuration."""
    shoe_tcp: int | None = None
    """The TCP port of a device server that a commercial shoe is behind; None: a pseudo-terminal."""
    checked: bool = False
    """The daemon compares its own files with what they are when the stage is set."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Game options as TOML values, `{"peek": "true"}`."""

    @property
    def game_options(self) -> dict[str, object]:
        """All options that the table is given, with their values."""
        written = "".join(f"{name} = {value}\n" for name, value in self.options.items())
        chosen = {} if self.decks is None else {"decks": self.decks}
        return chosen | tomllib.loads(written)

    @property
    def rules(self) -> Game:
        """The game itself; raises BadOptions."""
        return open_game(self.game, self.game_options)
