"""The dealer's console: keys with lamps, and the one thing that is due now."""

from drivers.device import Device
from drivers.messages import Buzz, KeyLamps, Prompt
from drivers.protocol.codes import DeviceClass


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
