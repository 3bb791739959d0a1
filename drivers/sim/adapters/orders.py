"""What a simulated Angel Eye understands of what it is told, and what it refuses."""

from collections.abc import Mapping
from typing import Final

from drivers.sim.requests import Flag, Verb, Whole
from drivers.sim.surroundings import Surroundings

SIZE = 10
"""STX, "OP", kind, data, ETX and two digits of BCC."""
KINDS: Final = (b"LK", b"EC", b"GP")
WRONG_BCC, NO_ETX, WRONG_ADDRESS, UNKNOWN_KIND = 0x02, 0x03, 0x12, 0x14


def asked_for(data: bytes) -> tuple[int, bytes] | None:
    """How many bytes are read, and the order in them, empty for noise; None: wait for more."""
    start = data.find(b"\x02")
    if start != 0:
        size = len(data) if start < 0 else start
        return (size, b"") if size else None
    return None if len(data) < SIZE else (SIZE, data[:SIZE])


class Refusals:
    """What this unit expects of a BCC, and what a hand has it refuse or ignore."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._refuse = self._ignore = self._code = 0
        self.verbs: Mapping[str, Verb] = {
            "refuse": Verb(self._to_refuse, {"code": Whole(0, 255), "times": Whole(1, 1000, 1)}),
            "ignore": Verb(self._to_ignore, {"times": Whole(1, 1000, 1)}),
            "bcc": Verb(self._expect, {"stx": Flag()}),
        }

    def refusal(self, order: bytes) -> bytes | None:
        """NAK and its code, empty for none; None: nobody answers."""
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
        check = 0 if self._around.get("bcc with stx", True) else order[0]
        for byte in order:
            check ^= byte
        return f"{check:02X}".encode()

    def _to_refuse(self, _now: float, code: int, times: int) -> None:
        self._code, self._refuse = code, times

    def _to_ignore(self, _now: float, times: int) -> None:
        self._ignore = times

    def _expect(self, _now: float, stx: bool) -> None:
        self._around.put(**{"bcc with stx": stx})
