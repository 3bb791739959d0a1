"""The Angel Eye II-EX as a make of shoe."""

from collections.abc import Callable
from typing import Final

from drivers.adapters.angel_eye.fields import ERRORS, STUCK, UNREAD
from drivers.adapters.angel_eye.line import AngelEyeLine
from drivers.adapters.angel_eye.orders import OrderFormat
from drivers.adapters.line import OpenLine
from drivers.adapters.options import AdapterOptions
from drivers.adapters.shoe import ShoeMake
from drivers.messages import Fault, ShoeJam

NAME: Final = "angel-eye-2ex"
FAULTS: Final = tuple(code for code in ERRORS if code not in UNREAD and code != STUCK)
MAKE: Final = ShoeMake(
    NAME, b"AE2X", (*(Fault(code, False, ERRORS[code]) for code in FAULTS), ShoeJam(False))
)


def line_opener(options: AdapterOptions) -> OpenLine:
    """Returns what opens the lines of one shoe. The lines share what was found out about its orders."""
    form = OrderFormat()

    def open_line(now: float, may_leave: Callable[[], bool]) -> AngelEyeLine:
        return AngelEyeLine(now, may_leave, options, form)

    return open_line
