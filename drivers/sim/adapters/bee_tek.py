"""The firmware of a simulated Bee-Tek shoe: it reports each card once, and ignores what it receives."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from drivers.messages import CardDrawn, CardUnpermitted, CardUnreadable, EventBody
from drivers.sim.adapters.body import RAW, PlainShoeBody
from drivers.sim.physical_state import PhysicalState
from drivers.sim.requests import Verb

NEVER = float("inf")


class BeeTekFirmware:
    def __init__(self, _body: PlainShoeBody, _around: PhysicalState, _now: float) -> None:
        self._out: deque[bytes] = deque()
        self.verbs: Mapping[str, Verb] = {"say": Verb(self._say, RAW)}

    def feed(self, data: bytes, now: float) -> None:
        """Ignores everything."""

    def tick(self, now: float) -> None: ...

    def take(self, _now: float) -> bytes:
        """Everything that is to be written now."""
        return b"".join(self.pieces(0.0))

    def pieces(self, _now: float) -> Iterator[bytes]:
        """Everything that is to be written now, token by token."""
        while self._out:
            yield self._out.popleft()

    def deadline(self, _now: float) -> float:
        return NEVER

    def record(self, event: EventBody, _now: float) -> None:
        if tokens_of := _TOKENS.get(type(event)):
            self._out.extend(tokens_of(event))

    def _say(self, _now: float, raw: bytes) -> None:
        self._out.append(raw)


def _card(event: CardDrawn | CardUnpermitted) -> list[bytes]:
    return [f" [Game]<Card:{event.card.upper()}> ".encode()]


def _unread(_event: CardUnreadable) -> list[bytes]:
    return [b" [Game]<Game> ", b" [GameAlarm]<Alarm:E3 Card Not Read> "]


_TOKENS: Final[Mapping[type, Callable[[Any], list[bytes]]]] = {
    CardDrawn: _card,
    CardUnpermitted: _card,
    CardUnreadable: _unread,
}
