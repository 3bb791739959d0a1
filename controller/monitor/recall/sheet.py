"""The audit log as comma-separated values."""

from controller.export import cells
from controller.export.stamps import stamp
from controller.recall.audit import Log

HEADINGS = ("row", "time", "sort", "who", "further persons", "what")


def lines(log: Log) -> bytes:
    """All of it, newest first; no text becomes a formula where it is opened."""
    written = [cells.line(HEADINGS)]
    for line in log.lines:
        who, *others = line.persons or ("",)
        written.append(cells.line((line.row, stamp(line.at), line.sort, who, ", ".join(others), line.text)))
    return b"".join(written)
