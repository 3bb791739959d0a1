"""Error messages of commands, and their exit statuses."""

import errno
import sys

FAILED = 1
USAGE = 2
"""The exit status of a command that failed, and of one whose arguments or configuration are wrong."""
_PASSING = frozenset(
    {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS, errno.EAGAIN, errno.EINTR, errno.EIO}
)


def is_temporary(error: BaseException) -> bool:
    """Whether a retry may succeed: the error, or one that caused it, is a lack of memory or file descriptors,
    an interruption, or an I/O error."""
    cause = error.__cause__ or error.__context__
    ours = isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in _PASSING)
    return ours or (cause is not None and is_temporary(cause))


def print_faults(*faults: str) -> None:
    """Print each fault on its own line to standard error."""
    for fault in faults:
        print(f"tableside: {fault}", file=sys.stderr)
