"""One conversation with a Bee-Tek shoe, which only talks: it can be told nothing, not even to lock.

Pure: bytes and time in, news out. Unverified on hardware.
"""

from typing import Final

from drivers.adapters.bee_tek.tokens import Alarm, CardToken, Value, Warned, decoder
from drivers.adapters.line import AdapterCounters, LineOutput
from drivers.adapters.observations import CardSeen, Observation

NOT_READ: Final = 3
"""The alarm of a card that could not be read. It and the token of such a card tell of the same one."""


class BeeTekLine:
    """Up at once: a shoe that says nothing cannot be told from one that is not there."""

    def __init__(self) -> None:
        self._output = LineOutput()
        self._decoder = decoder()
        self._unread: type[CardToken] | type[Alarm] | None = None
        """What told of an unread card last, if nothing came after it."""
        self._output.up()

    @property
    def phase(self) -> str:
        """running or over."""
        return self._output.phase

    @property
    def counters(self) -> AdapterCounters:
        """What came."""
        return self._output.counters

    def feed(self, data: bytes, now: float) -> list[Observation]:
        """Bytes that came."""
        self.counters.bytes_in += len(data)
        for value in self._decoder.feed(data, now):
            self._handle(value)
        return self._output.take_all()

    def tick(self, now: float) -> list[Observation]:
        """Ends what was begun and did not go on."""
        return self.feed(b"", now)

    def take(self, _now: float) -> bytes:
        """Nothing, ever."""
        return b""

    def deadline(self, now: float) -> float:
        """When tick must run."""
        return now if self._output.has_pending else self._decoder.deadline()

    def close(self, _now: float) -> None:
        """It cannot be told."""

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
            self._output.doubt("" if value.raw.isspace() else "bytes came that are no token")

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
