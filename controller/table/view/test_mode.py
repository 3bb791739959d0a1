"""The texts of the console and the players' display in test mode."""

from controller.table.state.test_session import DeviceTest

DIGITS = 888_888_888
"""An amount in cents that lights every digit of a jackpot display."""
CLOSED = ("TEST", "This table is being tested", "Please place no bets")
LETTERS = ("TEST 8888 8888", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz 0123456789")


def prompt(testing: DeviceTest) -> str:
    """The console's prompt: without a lamp test, who tests and what was touched last; else the picture that
    the lamps show."""
    if testing.pattern == "none":
        touched = testing.echo[0] if testing.echo else "keys are only echoed"
        return f"TEST MODE, {testing.who}: {touched}"
    more = f", {testing.step + 1} of {testing.steps}. Any key: the next" if testing.steps > 1 else ""
    return f"TEST, lamps: {testing.lamps_text}{more}"


def lines(testing: DeviceTest) -> tuple[str, str, str]:
    """The three lines of the players' display."""
    return CLOSED if testing.pattern == "none" else LETTERS
