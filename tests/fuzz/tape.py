"""Bytes as a series of choices, so that small changes by a fuzzer are small changes of what happens."""


class Tape:
    """Read from the front; after its end every choice is 0 and every text empty."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def over(self) -> bool:
        """Nothing is left."""
        return self._at >= len(self._data)

    def byte(self) -> int:
        """One choice of 256."""
        return int.from_bytes(self.take(1), "little")

    def short(self) -> int:
        """One choice of 65,536."""
        return int.from_bytes(self.take(2), "little")

    def take(self, size: int) -> bytes:
        """At most this many bytes."""
        taken = self._data[self._at : self._at + size]
        self._at += len(taken)
        return taken

    def text(self) -> bytes:
        """A byte for the length, then that many bytes."""
        return self.take(self.byte())

    def rest(self) -> bytes:
        """The rest of the bytes."""
        return self.take(len(self._data))
