"""The Bee-Tek as a make of shoe, and its tokens as the events of `tableside device decode --json`."""

import re
from collections.abc import Callable
from typing import Final

from drivers.adapters.bee_tek.line import BeeTekLine
from drivers.adapters.bee_tek.tokens import Alarm, CardToken, Token
from drivers.adapters.capture import JsonEvent
from drivers.adapters.decoder import RejectReason
from drivers.adapters.line import OpenLine
from drivers.adapters.options import AdapterOptions
from drivers.adapters.shoe import ShoeMake

_TOKEN: Final = re.compile(rb"[^>]*> ?")


class BeeTekEvents:
    """Makes the events of one line. Nothing on the line shows whether a token is a repeat."""

    def event(self, token: Token) -> JsonEvent:
        if isinstance(token, CardToken):
            return {"event": "card_drawn", "card": token.card} if token.card else {"event": "card_unreadable"}
        if isinstance(token, Alarm):
            return {"event": "device_error", "code": f"E{token.code}"}
        return {"event": "ignored", "why": f"warning {token.code:02X}, which no document explains"}


def extent(run: bytes, _refusal: RejectReason) -> int:
    """The number of bytes at the beginning of the run that belong to the rejected token."""
    token = _TOKEN.match(run)
    return token.end() if token else len(run)


NAME: Final = "bee-tek"
MAKE: Final = ShoeMake(NAME, b"BTEK")


def line_opener(_options: AdapterOptions) -> OpenLine:
    """Returns what opens the lines of one shoe."""

    def open_line(_now: float, _may_leave: Callable[[], bool]) -> BeeTekLine:
        return BeeTekLine()

    return open_line
