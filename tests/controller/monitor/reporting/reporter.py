"""`python -m controller.past.reports` for tests.

It does not give way to others: on a busy machine its turn would never come.
It waits until the file that HELD names, if any, is gone."""

import os
from pathlib import Path

from controller.past.reports import __main__ as reports
from tests.fixtures.waiting import until

NAME = "tests.controller.monitor.reporting.reporter"
HELD = "REPORTS_HELD"

if __name__ == "__main__":
    held = os.environ.get(HELD)
    until(lambda: not held or not Path(held).exists())
    reports.LOWEST = 0
    reports.main()
