"""A conversation with a Bee-Tek shoe. The shoe only talks: it takes no orders, not even to lock.

Pure: bytes and time in, observations out. Unverified on hardware.
"""

from typing import Final

from drivers.adapters.bee_tek.tokens import Alarm, CardToken, Value, Warned, decoder
from drivers.adapters.line import AdapterCounters, LineOutput
from drivers.adapters.observations import CardSeen, Observation

NOT_READ: Final = 3
"""The alarm for a card that could not be read. The alarm and the token of such a card are about the same
card."""


class BeeTekLine:
    """Emits ShoeUp at once, because a shoe that says nothing looks like one that is absent."""

    def __init__(self) -> None:
        self._output = LineOutput()
        self._decoder = decoder()
        self._unread: type[CardToken] | type[Alarm] | None = None
        """What reported an unread card last, if nothing came after it."""
        self._output.up()

    @property
    def phase(self) -> str:
        return self._output.phase

    @property
    def counters(self) -> AdapterCounters:
        return self._output.counters

    def feed(self, data: bytes, now: float) -> list[Observation]:
        self.counters.bytes_in += len(data)
        for value in self._decoder.feed(data, now):
            self._handle(value)
        return self._output.take_all()

    def tick(self, now: float) -> list[Observation]:
        return self.feed(b"", now)

    def take(self, _now: float) -> bytes:
        """Returns no bytes: the shoe takes no orders."""
        return b""

    def deadline(self, now: float) -> float:
        return now if self._output.has_pending else self._decoder.deadline()

    def close(self, _now: float) -> None:
        """Does nothing: the shoe takes no orders."""

    def _handle(self, value: Value) -> None:
        if isinstance(value, CardToken):
            self._card(value)
        elif isinstance(value, Alarm):
            self._alarm(value)
        elif isinstance(value, Warned):
            self.counters.frames_in += 1
            self._output.remark(f"warning {value.code:02X}, which no document explains")
        else:
            self._output.count(value)
            self._output.doubt("" if value.raw.isspace() else "bytes came that are not a token")

    def _card(self, token: CardToken) -> None:
        self.counters.frames_in += 1
        if token.card:
            self._unread = None
            self._output.emit(CardSeen(token.card))
        else:
            self._cannot_read(CardToken)

    def _alarm(self, alarm: Alarm) -> None:
        self.counters.frames_in += 1
        if alarm.code == NOT_READ:
            self._cannot_read(Alarm)
        else:
            self._output.remark(f"alarm E{alarm.code}: {alarm.text}")
            self._output.doubt(f"alarm E{alarm.code} ({alarm.text})")

    def _cannot_read(self, by: type[CardToken] | type[Alarm]) -> None:
        if self._unread in (None, by):
            self._unread = by
            self._output.emit(CardSeen(""))
        else:
            self._unread = None  # the other half of the same news
            self.counters.repeats += 1
