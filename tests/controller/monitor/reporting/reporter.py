"""The worker process for tests of reports.

It keeps the normal priority: on a busy machine it would wait too long.
It waits until the file that HELD names, if any, is gone."""

import os
from pathlib import Path

from controller.monitor.past import __main__ as worker
from controller.monitor.past import worker_process
from tests.fixtures.waiting import until

NAME = "tests.controller.monitor.reporting.reporter"
HELD = "REPORTS_HELD"

if __name__ == "__main__":
    held = os.environ.get(HELD)
    until(lambda: not held or not Path(held).exists())
    worker_process.LOWEST = 0
    worker.main()
