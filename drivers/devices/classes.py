"""The dealing shoe: gives out as many cards as it is permitted, and says which.

The shuffler: shuffles, counts every card, gives the decks out.

The bet sensors: wagers on the spots, and the spots' lamps.

The players' display: jackpot levels and lines of text.

The dealer's console: keys with lamps, and the one thing that is due now.
"""

from drivers.devices.device import Device
from drivers.errors import Misuse
from drivers.link.commands import PERMIT
from drivers.messages import (
    Buzz,
    Celebrate,
    Eject,
    KeyLamps,
    Lamps,
    Level,
    Lock,
    Permit,
    Prompt,
    Start,
    Stop,
    Text,
)
from drivers.protocol.codes import LAMPS, DeviceClass, LevelState


class Shoe(Device):
    """Events: cards, cut card, cover, loaded, empty, jam."""

    device_class = DeviceClass.SHOE

    def permit(self, up_to: int) -> None:
        """Cards may leave until the shoe's count of cards is `up_to` (journaled before); at most 64 ahead."""
        self.want(Permit(up_to))

    def lock(self) -> None:
        """No card may leave."""
        self.want(Lock())

    def log_changed(self) -> None:
        """A permit counts the cards of its log: nobody may take it for one of another."""
        if self.wanted(PERMIT):
            self.lock()


class Shuffler(Device):
    """Events: state, deck check, jam."""

    device_class = DeviceClass.SHUFFLER

    def start(self, key: int, decks: int) -> None:
        """Shuffle and check `decks` decks, once; `key` is reserved and journaled."""
        self.act(key, Start(decks))

    def eject(self, key: int) -> None:
        """Give the shuffled cards out, once; `key` is reserved and journaled."""
        self.act(key, Eject())

    def stop(self) -> None:
        """Stop the cycle that runs; without a session it finishes by itself and takes no new start."""
        self.want(Stop())


LEASE_MS = 6000
"""How long lamps stand without us; renewed at half of it. At most 10,000."""


class BetSensors(Device):
    """Events: wager, sensor fault."""

    device_class = DeviceClass.SENSORS

    def show(self, lamps: bytes) -> None:
        """One byte (codes.Lamp) for each spot, at 6 x (seat - 1) + spot; the lease renews itself."""
        if len(lamps) != LAMPS:
            raise Misuse(f"{self.name}: {len(lamps)} lamps, must be {LAMPS}")
        self.want(Lamps(LEASE_MS, lamps))


class JackpotDisplay(Device):
    """Shows what it is told and keeps the last value when the link is lost."""

    device_class = DeviceClass.DISPLAY

    def level(self, number: int, cents: int, state: LevelState = LevelState.RUNS) -> None:
        """The amount of jackpot `number`."""
        self.want(Level(number, cents, state))

    def text(self, line: int, text: str) -> None:
        """One line, at most 64 bytes of UTF-8."""
        self.want(Text(line, text))

    def celebrate(self, number: int, cents: int, seconds: int) -> None:
        """Show a win for a while: now or, without a session, never."""
        self.want(Celebrate(number, cents, seconds))


class DealerConsole(Device):
    """Events: keys."""

    device_class = DeviceClass.CONSOLE

    def prompt(self, text: str, seat: int = 0) -> None:
        """What is due now, at most 120 bytes of UTF-8; seat 0: the dealer's own."""
        self.want(Prompt(text, seat))

    def key_lamps(self, mask: int) -> None:
        """Which keys are legal: bit n for codes.KEYS[n]."""
        self.want(KeyLamps(mask))

    def buzz(self, ms: int) -> None:
        """A short sound: now or, without a session, never."""
        self.want(Buzz(ms))
