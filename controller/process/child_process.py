"""Work in a process that ends when it is done, so that what it loads takes no memory afterwards."""

import os
import sys
import traceback
from collections.abc import Callable

from controller.process.faults import FAILED


class ChildFailed(Exception):
    """The work failed, and has said why on standard error."""

    def __init__(self, status: int) -> None:
        super().__init__(f"exit status {status}")
        self.status = status


def in_child(work: Callable[[], bytes]) -> bytes:
    """What the work returns. Call it before any thread is started. A SystemExit of the work becomes
    ChildFailed with its status."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _do(work, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        found = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status:
        raise ChildFailed(status if status > 0 else FAILED)
    return found


def _do(work: Callable[[], bytes], writing: int) -> None:
    """Nothing of the parent is ended here: neither its files nor what it would do at its exit."""
    status = FAILED
    try:
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(work())
        status = 0
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else FAILED
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        sys.stderr.flush()
        os._exit(status)
