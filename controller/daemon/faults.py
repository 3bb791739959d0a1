"""What a command says when it cannot do what it was asked, and the status that it ends with."""

import errno
import sys

FAILED = 1
USAGE = 2
"""It was asked rightly and could not; it was asked wrongly."""
_PASSING = frozenset(
    {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS, errno.EAGAIN, errno.EINTR, errno.EIO}
)


def is_temporary(error: BaseException) -> bool:
    """Whether a retry may succeed: descriptors or memory ran out, or a disk that still answers refused a
    write."""
    cause = error.__cause__ or error.__context__
    ours = isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in _PASSING)
    return ours or (cause is not None and is_temporary(cause))


def print_faults(*faults: str) -> None:
    """Each on a line of its own."""
    for fault in faults:
        print(f"tableside: {fault}", file=sys.stderr)
