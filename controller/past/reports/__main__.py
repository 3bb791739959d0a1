"""Make one report, or the list of periods, for the daemon: the order comes on standard input, the answer goes
to standard output. At the lowest priority, since a table plays meanwhile."""

import os
import sys

from controller.journal.errors import JournalError
from controller.past.reports.making import listed, made
from controller.past.reports.wire import Made, Order, order

LOWEST = 19


def main() -> None:
    """What cannot be read is said in the answer."""
    os.nice(LOWEST)
    sys.stdout.buffer.write(_answer(order(sys.stdin.buffer.read())).packed())


def _answer(wanted: Order) -> Made:
    try:
        return made(wanted) if wanted.period else listed(wanted)
    except JournalError as error:
        return Made(error=str(error))


if __name__ == "__main__":
    main()
