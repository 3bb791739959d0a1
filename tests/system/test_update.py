"""`tableside device update` as a process, against a simulated device on a pty: to its end, and
interrupted."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.controller.commands.updates import BIG, PASSWORDS, Site
from tests.drivers.update.desk import made
from tests.fixtures.device_control import Hand
from tests.fixtures.waiting import PATIENCE
from tests.system.command import tableside, tableside_here

SLOW = 230_400
"""At this rate the image takes more than a second."""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    yield site
    assert site.replayed().devices["display"].open_actions == []


def updated(site: Site) -> tuple[int, str]:
    """`tableside device update` once more: exit status and output."""
    done = tableside_here(*site.arguments(), typed=PASSWORDS)
    return done.returncode, done.stdout + done.stderr


def cut_short(site: Site, number: signal.Signals, at: str) -> tuple[int, str]:
    """The command gets this signal when it has printed this: exit status and output."""
    words = [sys.executable, "-m", "tests.system.cut_short", at, str(int(number)), *site.arguments()]
    done = subprocess.run(
        words, input=PASSWORDS, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    return done.returncode, done.stdout + done.stderr


def results(site: Site) -> list[str]:
    return [str(record["result"]) for record in site.firmware()]


def test_a_newer_update_is_taken_and_an_older_one_refused(site: Site) -> None:
    with site.switched_on():
        status, said = site.update()
        assert (status, "display: confirmed: version 7 runs, confirmed" in said.splitlines()) == (0, True)
        assert "display: it runs 1.0.0; announcing version 7, 25,600 bytes" in said
        assert "display:  50 %" in said
        assert updated(site)[0] == 0
    site.put(made(6))
    with site.switched_on():
        status, said = updated(site)
        assert (status, "version 6: 7 is the lowest allowed" in said) == (1, True)
    assert results(site) == ["begun", "confirmed", "begun", "runs already", "begun", "failed"]
    last = site.firmware()[1]
    assert (last["who"], last["second"], last["before"], last["version"], last["sha256"]) == (
        "A. Smith",
        "B. Jones",
        "1.0.0",
        7,
        made(image=BIG).manifest.sha256.hex(),
    )


def test_the_result_is_printed_as_json_and_the_progress_on_standard_error(site: Site) -> None:
    with site.switched_on():
        done = tableside(*site.arguments(), "--json", typed=PASSWORDS)
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["result"], answer["before"]) == (0, "confirmed", "1.0.0")
    assert answer == site.firmware()[-1]
    assert "display: confirmed: version 7 runs, confirmed" in done.stderr.splitlines()


@pytest.mark.parametrize(
    ("number", "noted"), [(signal.SIGINT, ["begun", "interrupted"]), (signal.SIGKILL, ["begun"])]
)
def test_the_command_is_stopped_while_it_sends_and_goes_on(
    site: Site, number: signal.Signals, noted: list[str]
) -> None:
    with site.switched_on():
        status, said = cut_short(site, number, at=" 30 %")
        assert status != 0
        assert " 30 %" in said
        assert ("it goes on where it stopped" in said) is (number is signal.SIGINT)
        assert results(site) == noted
        status, said = updated(site)
        assert status == 0, said
        assert " 10 %" not in said, "what is on the flash is not sent again"
    assert results(site) == [*noted, "begun", "confirmed"]


def test_the_command_is_killed_in_the_trial_and_confirms_in_time(site: Site) -> None:
    with site.switched_on():
        assert cut_short(site, signal.SIGKILL, at="on trial")[0] == -signal.SIGKILL
        assert updated(site)[0] == 0
    assert results(site)[-1] == "confirmed"


def fail_flash(hand: Hand) -> None:
    hand.ask("fail-flash", write=100)


def hang_up(hand: Hand) -> None:
    hand.ask("hang-up", seconds=1)


@pytest.mark.parametrize("trouble", [fail_flash, hang_up])
def test_the_device_loses_its_power_or_its_cable_and_the_command_goes_on(site: Site, trouble: object) -> None:
    assert callable(trouble)
    with site.switched_on(SLOW) as hand, site.updating() as process:
        assert process.stdout
        for line in process.stdout:
            if " 10 %" in line:
                trouble(hand)
                break
        said = "".join(process.communicate(timeout=PATIENCE))
        assert process.returncode == 0, said
        assert said.count("sending") == 1
    assert results(site) == ["begun", "confirmed"]
