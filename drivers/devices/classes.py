"""The five classes of devices, with the commands that each one understands."""

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
    """Gives out as many cards as it is permitted, and says which. Events: cards, cut card, cover, loaded,
    empty, jam."""

    device_class = DeviceClass.SHOE

    def permit(self, up_to: int) -> None:
        """Cards may leave until the shoe's count of cards is `up_to`: journaled before, at most 64 ahead."""
        self.want(Permit(up_to))

    def lock(self) -> None:
        """No card may leave."""
        self.want(Lock())

    def log_changed(self) -> None:
        """Withdraws the permit: its count of cards is of the old log and means nothing in the new one."""
        if self.wanted(PERMIT):
            self.lock()


class Shuffler(Device):
    """Shuffles, counts every card, gives the decks out. Events: state, deck check, jam."""

    device_class = DeviceClass.SHUFFLER

    def start(self, key: int, decks: int) -> None:
        """Shuffle and check `decks` decks once. `key` is reserved and journaled."""
        self.act(key, Start(decks))

    def eject(self, key: int) -> None:
        """Give the shuffled cards out once. `key` is reserved and journaled."""
        self.act(key, Eject())

    def stop(self) -> None:
        """Stop the cycle that runs. Without a session the shuffler finishes its cycle and takes no new
        start."""
        self.want(Stop())


LEASE_MS = 6000
"""Milliseconds that the lamps last without renewal, at most 10,000. The link renews them after half of it."""


class BetSensors(Device):
    """Sees wagers on the spots and has a lamp at each. Events: wager, sensor fault."""

    device_class = DeviceClass.SENSORS

    def show(self, lamps: bytes) -> None:
        """One byte (codes.Lamp) for each spot, at 6 x (seat - 1) + spot. The lease renews itself."""
        if len(lamps) != LAMPS:
            raise Misuse(f"{self.name}: {len(lamps)} lamps, must be {LAMPS}")
        self.want(Lamps(LEASE_MS, lamps))


class JackpotDisplay(Device):
    """Shows jackpot levels and lines of text. It keeps the last values when the link is lost."""

    device_class = DeviceClass.DISPLAY

    def level(self, number: int, cents: int, state: LevelState = LevelState.RUNS) -> None:
        """Show the amount of jackpot `number`."""
        self.want(Level(number, cents, state))

    def text(self, line: int, text: str) -> None:
        """Show one line, at most 64 bytes of UTF-8."""
        self.want(Text(line, text))

    def celebrate(self, number: int, cents: int, seconds: int) -> None:
        """Show a win for some seconds: now or, without a session, never."""
        self.want(Celebrate(number, cents, seconds))


class DealerConsole(Device):
    """Has keys with lamps, and a prompt for the dealer. Events: keys."""

    device_class = DeviceClass.CONSOLE

    def prompt(self, text: str, seat: int = 0) -> None:
        """Show what is due now, at most 120 bytes of UTF-8. Seat 0 is the dealer's own."""
        self.want(Prompt(text, seat))

    def key_lamps(self, mask: int) -> None:
        """Light the keys that are legal: bit n for codes.KEYS[n]."""
        self.want(KeyLamps(mask))

    def buzz(self, ms: int) -> None:
        """Sound the buzzer: now or, without a session, never."""
        self.want(Buzz(ms))
