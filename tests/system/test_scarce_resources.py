"""A computer that runs out of descriptors or memory: the table plays on, or halts and says so, or ends and is
restarted. What is on disk is right in any case."""

import os
import re
import signal
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import pytest

from controller.table.loop import CHECK
from tests.fixtures.process_table import ProcessTable, stopped
from tests.fixtures.waiting import until
from tests.system import script
from tests.system.preload.descriptors import Descriptors, build
from tests.system.service import Service, service

STEP: Final = 6
"""A card is due."""
STARTED_AGAIN = 1
REFUSED_FOR_EVER = 2
"""The exit statuses of a daemon that systemd restarts, and of one that it does not."""
SHORT: Final = 0.05
EACH: Final = "TABLESIDE_EACH" in os.environ
"""The long form tries everything."""
STARTS: Final = 9
"""Calls during a start that are refused, one in each start."""
ALLOCATIONS: Final = range(1, 12_000, 100) if EACH else (1, 300, 3000)
"""The allocations after a key that are refused, each in a play of its own: a key causes some thousands."""


@pytest.fixture(scope="session")
def scarcity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("scarce"))


@pytest.fixture
def descriptors(tmp_path: Path) -> Iterator[Descriptors]:
    with Descriptors(tmp_path / "words") as descriptors:
        yield descriptors


def test_each_descriptor_of_a_start_may_be_refused(
    house: ProcessTable, descriptors: Descriptors, scarcity: Path
) -> None:
    number = script.deal_up_to(house, STEP)
    with stopped(house):
        descriptors.begin()
        with service(house.stage.config, more=descriptors.environment(scarcity)) as running:
            assert outcome(running) == "plays"
            house.until_recovered()
            calls = descriptors.calls
            end(running, 0)
        step = 1 if EACH else max(1, calls // STARTS)
        for call in range(1, calls + 1, step):
            descriptors.begin()
            descriptors.fail(call)
            with service(house.stage.config, more=descriptors.environment(scarcity)) as running:
                how = outcome(running)
                if how == "plays":
                    house.until_recovered()
                    script.at(house, STEP)
                    end(running, 0)
                elif how == "halted":
                    end(running, STARTED_AGAIN)
                else:
                    assert running.end()[0] == STARTED_AGAIN, call
    house.pull()
    script.play_to_the_end(house, number, STEP + 1)


def test_a_table_survives_a_while_without_descriptors(
    house: ProcessTable, descriptors: Descriptors, scarcity: Path
) -> None:
    """What is open stays open: the round goes on without new descriptors."""
    number = script.deal_up_to(house, STEP)
    with stopped(house):
        descriptors.begin()
        with service(house.stage.config, more=descriptors.environment(scarcity)) as running:
            house.until_recovered()
            script.at(house, STEP)
            house.until_permitted()
            descriptors.fail(descriptors.calls + 1, most=0)
            time.sleep(2 * CHECK)  # meanwhile the daemon checks and tidies its files
            before = house.hands["console"].last("prompt")
            house.hands["shoe"].ask("pull")
            until(lambda: house.hands["console"].last("prompt") != before)
            descriptors.begin()
            script.at(house, STEP + 1)
            end(running, 0)
    script.play_to_the_end(house, number, STEP + 1)


if find_spec("_testcapi"):  # not every Python can refuse an allocation

    @pytest.mark.parametrize("allocation", ALLOCATIONS)
    def test_any_allocation_may_be_refused(house: ProcessTable, allocation: int) -> None:
        number = script.deal_up_to(house, STEP)
        module = ("tests.system.refused_allocation", str(allocation))
        with (
            stopped(house),
            service(house.stage.config, module=module) as running,
        ):
            house.until_recovered()
            before = rows(house)
            running.process.send_signal(signal.SIGUSR1)
            house.hands["console"].ask("press", action="pay", seat=0)
            until(lambda: running.process.poll() is not None or halted(house) or rows(house) > before)
            running.process.terminate()
            assert running.end()[0] != REFUSED_FOR_EVER
        house.pull()
        script.play_to_the_end(house, number, STEP + 1)


def rows(house: ProcessTable) -> float:
    """The journal's last row; 0 while the page does not answer."""
    try:
        found = re.search(r"(?m)^tableside_journal_rows (\S+)$", house.page("/metrics"))
    except OSError:
        return 0.0
    return float(found[1]) if found else 0.0


def halted(house: ProcessTable) -> bool:
    try:
        return "tableside_halted 1.0" in house.page("/metrics")
    except OSError:
        return False


def outcome(running: Service) -> str:
    """The outcome of a start: the table plays, is halted, or has ended."""
    said: list[str] = []

    def known() -> bool:
        try:
            said.append(running.say(within=SHORT))
        except TimeoutError:
            return running.process.poll() is not None
        return said[-1].startswith("READY=1")

    until(known)
    if running.process.poll() is not None:
        return "ended"
    return "halted" if "Halted" in said[-1] else "plays"


def end(running: Service, status: int) -> None:
    running.process.terminate()
    assert running.end()[0] == status
