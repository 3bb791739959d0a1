"""The firmware of a simulated Angel Eye II-EX shoe: each message three times, a lock, errors, refusals."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from drivers.messages import CardDrawn, CardUnpermitted, CardUnreadable, CutCard, EventBody, ShoeJam
from drivers.sim.adapters.body import RAW, PlainShoeBody
from drivers.sim.physical_state import PhysicalState
from drivers.sim.requests import FlagField, IntegerField, RequestError, Verb

SIZE = 10
"""STX, "OP", kind, data, ETX and two digits of BCC."""
KINDS: Final = (b"LK", b"EC", b"GP")
WRONG_BCC = 0x02
NO_ETX = 0x03
WRONG_ADDRESS = 0x12
UNKNOWN_KIND = 0x14


def next_order(data: bytes) -> tuple[int, bytes] | None:
    """How many bytes are used up, and the order in them (empty for noise); None: wait for more."""
    start = data.find(b"\x02")
    if start != 0:
        size = len(data) if start < 0 else start
        return (size, b"") if size else None
    return None if len(data) < SIZE else (SIZE, data[:SIZE])


class Refusals:
    """The BCC that this unit expects, and the orders that requests make it refuse or ignore."""

    def __init__(self, state: PhysicalState) -> None:
        self._state = state
        self._refuse = self._ignore = self._code = 0
        self.verbs: Mapping[str, Verb] = {
            "refuse": Verb(
                self._to_refuse, {"code": IntegerField(0, 255), "times": IntegerField(1, 1000, 1)}
            ),
            "ignore": Verb(self._to_ignore, {"times": IntegerField(1, 1000, 1)}),
            "bcc": Verb(self._expect, {"stx": FlagField()}),
        }

    def refusal(self, order: bytes) -> bytes | None:
        """NAK and its code, empty if the order is right; None: no answer."""
        if self._ignore:
            self._ignore -= 1
            return None
        code = self._code if self._refuse else self._wrong(order)
        self._refuse = max(0, self._refuse - 1)
        return b"\x15" + f"{code:02X}".encode() if code else b""

    def _wrong(self, order: bytes) -> int:
        for wrong, code in (
            (order[7] != 0x03, NO_ETX),
            (order[8:] != self._check(order[:8]), WRONG_BCC),
            (order[1:3] != b"OP", WRONG_ADDRESS),
            (order[3:5] not in KINDS, UNKNOWN_KIND),
        ):
            if wrong:
                return code
        return 0

    def _check(self, order: bytes) -> bytes:
        check = 0 if self._state.get("bcc with stx", True) else order[0]
        for byte in order:
            check ^= byte
        return f"{check:02X}".encode()

    def _to_refuse(self, _now: float, code: int, times: int) -> None:
        self._code, self._refuse = code, times

    def _to_ignore(self, _now: float, times: int) -> None:
        self._ignore = times

    def _expect(self, _now: float, stx: bool) -> None:
        self._state.put(**{"bcc with stx": stx})


NEVER = float("inf")
COPIES = 3
ERROR_MODE: Final = 0x40
CANNOT_READ = 1
TIMED_OUT = 7
SUITS: Final = "?dcsh"
RANKS: Final = "?A23456789TJQK"
NUMBERS = 256
"""Sequence numbers have one byte."""


class AngelEyeFirmware:
    """The number of the last message outlives a loss of power, and is used once more."""

    def __init__(self, body: PlainShoeBody, state: PhysicalState, _now: float) -> None:
        self._body, self._state = body, state
        self._out: deque[bytes] = deque()
        self._received = b""
        self._error = 0
        self._last_card = ""
        self._refusals = Refusals(state)
        self.verbs: Mapping[str, Verb] = {
            "say": Verb(self._say, RAW),
            "error": Verb(self._fail, {"code": IntegerField(1, 63)}),
            "cancel": Verb(self._cancel),
            "again": Verb(self._again),
            "preset": Verb(self._preset, {"number": IntegerField(0, 99), "value": IntegerField(0, 9999)}),
            "copies": Verb(self._copies, {"copies": IntegerField(1, 4)}),
            "quiet": Verb(self._quiet, {"quiet": FlagField()}),
            **self._refusals.verbs,
        }
        if not state.get("quiet", False):
            self._send_message("S", again=True)

    def feed(self, data: bytes, _now: float) -> None:
        """Handles orders of the host."""
        self._received += data
        while (found := next_order(self._received)) is not None:
            size, order = found
            self._received = self._received[size:]
            if order:
                self._answer(order)

    def tick(self, now: float) -> None: ...

    def take(self, now: float) -> bytes:
        """Everything that is to be written now."""
        return b"".join(self.pieces(now))

    def pieces(self, _now: float) -> Iterator[bytes]:
        """Everything that is to be written now, copy by copy."""
        while self._out:
            yield self._out.popleft()

    def deadline(self, _now: float) -> float:
        return NEVER

    def record(self, event: EventBody, _now: float) -> None:
        if handle := _EVENT_HANDLERS.get(type(event)):
            handle(self, event)

    def _answer(self, order: bytes) -> None:
        refusal = self._refusals.refusal(order)
        if refusal is None:
            return
        self._out.append(refusal or b"\x06")
        if not refusal:
            _ORDER_HANDLERS[order[3:5]](self, order[5:7])

    def _lock(self, value: bytes) -> None:
        if self._body.lock_it(locked=value == b"02"):
            self._send_message("L", bytes([self._body.locked]))

    def _clear(self, value: bytes) -> None:
        if self._error == int(value):
            self._cancelled()

    def _confirm(self, _value: bytes) -> None:
        """Does nothing: the simulated game goes on anyway."""

    def _card_drawn(self, event: CardDrawn) -> None:
        if self._error:
            self._send_message("d", bytes([0x10 | self._error & 0x0F, self._face(event.card)]))
        else:
            self._send_message("D", bytes([0x80, self._face(event.card)]))

    def _card_unpermitted(self, event: CardUnpermitted) -> None:
        self._send_message("d", bytes([0x00, self._face(event.card)]))

    def _card_unreadable(self, _event: CardUnreadable) -> None:
        self._failed(CANNOT_READ)

    def _cut(self, _event: CutCard) -> None:
        self._send_message("C")

    def _jam(self, event: ShoeJam) -> None:
        if event.on:
            self._failed(TIMED_OUT)
        else:
            self._cancelled()

    def _face(self, card: str) -> int:
        self._last_card = card
        return 0x80 | SUITS.index(card[1]) << 4 | RANKS.index(card[0])

    def _failed(self, code: int) -> None:
        self._error = code
        self._send_message("E", bytes([ERROR_MODE | code]))

    def _cancelled(self) -> None:
        self._send_message("e", bytes([self._error]))
        self._error = 0

    def _send_message(self, code: str, data: bytes = b"", *, again: bool = False) -> None:
        """Sends a message; `again`: under the number of the last one."""
        number: int = self._state.get("sequence", 0)
        if not again:
            number = (number + 1) % NUMBERS
            self._state.put(sequence=number)
        body = bytes([number]) + code.encode() + data + b"\x03"
        check = 0
        for byte in body:
            check ^= byte
        copies: int = self._state.get("copies", COPIES)
        self._out.extend([b"\x05" + body + f"{check:02X}".encode()] * copies)

    def _say(self, _now: float, raw: bytes) -> None:
        self._out.append(raw)

    def _fail(self, _now: float, code: int) -> None:
        self._failed(code)

    def _cancel(self, _now: float) -> None:
        if not self._error:
            raise RequestError("cancel: there is no error")
        self._cancelled()

    def _again(self, _now: float) -> None:
        if not self._last_card:
            raise RequestError("again: no card was drawn since the start")
        self._send_message("R", bytes([0x80, self._face(self._last_card)]))

    def _preset(self, _now: float, number: int, value: int) -> None:
        self._send_message("M", f"{number:02d}{value:04d}".encode())

    def _copies(self, _now: float, copies: int) -> None:
        self._state.put(copies=copies)

    def _quiet(self, _now: float, quiet: bool) -> None:
        self._state.put(quiet=quiet)


_EVENT_HANDLERS: Final[Mapping[type, Callable[[AngelEyeFirmware, Any], None]]] = {
    CardDrawn: AngelEyeFirmware._card_drawn,
    CardUnpermitted: AngelEyeFirmware._card_unpermitted,
    CardUnreadable: AngelEyeFirmware._card_unreadable,
    CutCard: AngelEyeFirmware._cut,
    ShoeJam: AngelEyeFirmware._jam,
}
_ORDER_HANDLERS: Final[Mapping[bytes, Callable[[AngelEyeFirmware, bytes], None]]] = {
    b"LK": AngelEyeFirmware._lock,
    b"EC": AngelEyeFirmware._clear,
    b"GP": AngelEyeFirmware._confirm,
}
