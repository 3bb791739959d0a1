"""The Bee-Tek as a make of shoe."""

from collections.abc import Callable
from typing import Final

from drivers.adapters.bee_tek.line import BeeTekLine
from drivers.adapters.line import OpenLine
from drivers.adapters.options import Options
from drivers.adapters.shoe import Make

NAME: Final = "bee-tek"
MAKE: Final = Make(NAME, b"BTEK")


def line_opener(_options: Options) -> OpenLine:
    """What begins the lines of one shoe."""

    def open_line(_now: float, _may_leave: Callable[[], bool]) -> BeeTekLine:
        return BeeTekLine()

    return open_line
