"""Pages show the time of the table, whatever zone its computer has."""

import subprocess
import sys

import pytest

SCRIPT = """
import sys
from controller.monitor.live.formatting import clock_text, date_time_text
from controller.monitor.past.drawing import day, local, zone
from controller.process.time_zone import set_time_zone
set_time_zone(sys.argv[1])
at = 1_795_190_400.5
print(clock_text(at), date_time_text(at), local(at), day(at), zone(at), sep="|")
"""


@pytest.mark.parametrize("computer", ["UTC", "Asia/Tokyo"])
@pytest.mark.parametrize(
    ("table", "shown"),
    [
        ("America/Los_Angeles", "08:00|2026-11-20 08:00|08:00:00|Fri 20 Nov 2026|PST"),
        ("Asia/Kuwait", "19:00|2026-11-20 19:00|19:00:00|Fri 20 Nov 2026|+03"),
        ("Pacific/Auckland", "05:00|2026-11-21 05:00|05:00:00|Sat 21 Nov 2026|NZDT"),
    ],
)
def test_times_are_those_of_the_table(computer: str, table: str, shown: str) -> None:
    command = [sys.executable, "-c", SCRIPT, table]
    done = subprocess.run(command, env={"TZ": computer}, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == shown
