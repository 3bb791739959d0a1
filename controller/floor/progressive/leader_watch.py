"""Whether the leader of a level announces amounts: the other instance does not follow it while it does."""

import time
from collections.abc import Mapping
from typing import Final

from controller.jackpot.linked.messages import read_amount
from controller.jackpot.linked.wire import MalformedMessage
from controller.property.signed import SignedMessage, UnsignedError

SILENCE: Final = 2.0
"""Seconds without an amount after which a leader is silent; it announces one each second."""


class LeaderWatch:
    """`public`: the key of both instances."""

    def __init__(self, public: bytes) -> None:
        self._public = public
        self._announced = -SILENCE

    def hear(self, subject: str, payload: bytes, headers: Mapping[str, str] | None) -> None:
        """An amount. An instance that is inoperable announces too, and does not lead."""
        try:
            amount = read_amount(SignedMessage.received(subject, payload, headers).verify({self._public}))
        except (UnsignedError, MalformedMessage):
            return
        if amount.state != "inoperable":
            self._announced = time.monotonic()

    def is_silent(self) -> bool:
        return time.monotonic() - self._announced >= SILENCE
