"""What a failed transfer means, as a table: libusb's errors are the kernel's numbers."""

import errno
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Means = Literal["again", "stall", "gone"]


@dataclass(frozen=True, slots=True)
class Trouble:
    """`counted` is the name that it is counted by; `said` why the device is gone if it stays so."""

    counted: str
    means: Means
    said: str


PATIENCE: Final = 8
"""Failed transfers in a row after which a device is as good as gone."""
_LINE = Trouble("line_errors", "again", "its transfers fail again and again: check the cable and the hub")
_UNPLUGGED = Trouble("unplugged", "gone", "it was unplugged")
TROUBLES: Final[Mapping[int, Trouble]] = {
    errno.EPIPE: Trouble("stalls", "stall", "it stalls again and again"),
    errno.EOVERFLOW: Trouble("overflows", "again", "it sends more than its packets hold, again and again"),
    errno.EINTR: Trouble("interrupted", "again", "its transfers are interrupted again and again"),
    errno.EIO: _LINE,
    errno.EPROTO: _LINE,
    errno.EILSEQ: _LINE,
    errno.ETIME: _LINE,
    errno.ENODEV: _UNPLUGGED,
    errno.ESHUTDOWN: _UNPLUGGED,
    errno.ENOENT: _UNPLUGGED,
}


def trouble(error: OSError) -> Trouble:
    """What this error means; one that is not in the table is the end."""
    number = error.errno or 0
    return TROUBLES.get(number) or Trouble(
        "unknown_errors", "gone", os.strerror(number) if number else str(error)
    )
