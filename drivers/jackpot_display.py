"""The players' display: jackpot levels and lines of text."""

from drivers.device import Device
from drivers.messages import Celebrate, Level, Text
from drivers.protocol.codes import DeviceClass, LevelState


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
