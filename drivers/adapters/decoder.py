"""Cuts the bytes of a commercial shoe into messages and runs of noise. Every byte belongs to one value."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeVar

LONGEST_RUN = 64
"""The most bytes of one Noise."""
SILENCE = 0.25
"""Seconds without a byte after which an unfinished message becomes noise."""


RejectReason = Literal["check", "length", "format"]
"""What is wrong with bytes that look like a message: the check, the size, or something else."""


class HasRaw(Protocol):
    """A value of a decoder."""

    @property
    def raw(self) -> bytes:
        """The bytes of the value."""


@dataclass(frozen=True, slots=True)
class Noise:
    """Bytes that are not a message. `reason` says what is wrong with the first of them.

    `refusal` is None unless the run begins like a message.
    """

    raw: bytes
    reason: str
    refusal: RejectReason | None = None


@dataclass(frozen=True, slots=True)
class Malformed:
    """The first `size` bytes are noise. `refusal` is None unless they look like the beginning of a
    message."""

    size: int
    reason: str
    refusal: RejectReason | None = None


Item = TypeVar("Item", bound=HasRaw)


class Decoder(Generic[Item]):
    """Turns bytes into values. `read` returns the value that the bytes begin with, Malformed, or None to wait
    for more.

    Any split of the bytes gives the same values. No input raises. At most one message is kept.
    """

    def __init__(self, read: Callable[[bytes], Item | Malformed | None]) -> None:
        self._read = read
        self._buffer = b""
        self._run = bytearray()
        self._reason = ""
        self._refusal: RejectReason | None = None
        self._last = 0.0

    def feed(self, data: bytes, now: float) -> list[Item | Noise]:
        """Returns the values that these bytes end. After SILENCE, the unfinished bytes before them become
        noise first."""
        values = self.flush() if now >= self.deadline() else []
        if data:
            self._last = now
            self._buffer += data
            values += self._values(at_end=False)
        return values

    def deadline(self) -> float:
        """When to feed again at the latest, even without bytes."""
        return self._last + SILENCE if self._buffer or self._run else float("inf")

    def flush(self) -> list[Item | Noise]:
        """Ends the input. An unfinished message becomes noise."""
        return [*self._values(at_end=True), *self._end_run()]

    def end(self) -> tuple[list[Noise], bytes]:
        """Ends a capture. Returns the remaining noise and the unfinished message."""
        begun, self._buffer = self._buffer, b""
        return [*self._end_run()], begun

    def _values(self, *, at_end: bool) -> Iterator[Item | Noise]:
        while self._buffer:
            found = self._read(self._buffer)
            if found is None and not at_end:
                return
            if found is None:
                found = Malformed(1, "broken off", "length")
            if isinstance(found, Malformed):
                yield from self._add_noise(found)
            else:
                self._buffer = self._buffer[len(found.raw) :]
                yield from self._end_run()
                yield found

    def _add_noise(self, fault: Malformed) -> Iterator[Noise]:
        if fault.refusal or len(self._run) + fault.size > LONGEST_RUN:
            yield from self._end_run()
        if not self._run:
            self._reason, self._refusal = fault.reason, fault.refusal
        self._run += self._buffer[: fault.size]
        self._buffer = self._buffer[fault.size :]

    def _end_run(self) -> Iterator[Noise]:
        if self._run:
            noise = Noise(bytes(self._run), self._reason, self._refusal)
            self._run.clear()
            yield noise
