"""Make one report, or the list of periods, for the daemon: the order comes on standard input, the answer goes
to standard output. At the lowest priority, since a table plays meanwhile."""

import os
import sys

from controller.journal.errors import JournalError
from controller.past.reports.making import list_periods, make_answer
from controller.past.reports.wire import ReportAnswer, ReportOrder, decode_order

LOWEST = 19


def main() -> None:
    """What cannot be read is said in the answer."""
    os.nice(LOWEST)
    sys.stdout.buffer.write(_answer(decode_order(sys.stdin.buffer.read())).encode())


def _answer(wanted: ReportOrder) -> ReportAnswer:
    try:
        return make_answer(wanted) if wanted.period else list_periods(wanted)
    except JournalError as error:
        return ReportAnswer(error=str(error))


if __name__ == "__main__":
    main()
