"""Bytes to lines and back. A line is one JSON object; no line is longer than MOST_LINE bytes."""

MOST_LINE = 65_536
"""The longest line in bytes, with its end."""


class LineTooLong(Exception):
    """The peer sends a line that does not end in time."""


class LineBuffer:
    """Takes bytes in pieces of any size and gives out whole lines."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._searched = 0

    def __len__(self) -> int:
        return len(self._bytes)

    def feed(self, data: bytes) -> None:
        self._bytes += data

    def next_line(self) -> bytes | None:
        """The next line without its end; None if there is no whole line. Raises LineTooLong."""
        end = self._bytes.find(b"\n", self._searched, MOST_LINE)
        if end < 0:
            self._searched = min(len(self._bytes), MOST_LINE)
            if len(self._bytes) >= MOST_LINE:
                raise LineTooLong(f"a line is longer than {MOST_LINE} bytes")
            return None
        line = bytes(self._bytes[:end])
        del self._bytes[: end + 1]
        self._searched = 0
        return line
