"""The sample shoe in C passes every check; broken on purpose, it fails those that are there to find that.

It may say that its firmware cannot be updated; then the checks of updates are not run.
"""

import asyncio

import pytest

from drivers.conformance.catalogue import checks_of
from drivers.conformance.check import Need
from drivers.conformance.runner import Report
from drivers.protocol.codes import DeviceClass
from tests.drivers.conformance.breakages import BREAKAGES, Breakage
from tests.drivers.conformance.firmware import Trial, broken, chosen, examined, sound

PROCESSES = 12
"""So many sound devices share the checks of the whole run: most of its time is waiting."""
EXCUSED = {Need.LONG, Need.CLEAR}
Reports = dict[str, Report]


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Reports:
    """Of all devices, sound and broken, examined at the same time."""
    folder = tmp_path_factory.mktemp("firmware")
    programs = broken(BREAKAGES, folder)
    checks = checks_of(DeviceClass.SHOE)
    trials = [Trial(f"sound-{part}", sound(), checks[part::PROCESSES]) for part in range(PROCESSES)]
    trials += [Trial(each.name, programs[each.name], chosen(*each.groups)) for each in BREAKAGES]
    return asyncio.run(examined(trials, folder))


def test_the_sample_shoe_passes_every_check(reports: Reports) -> None:
    whole = [
        outcome for name, made in reports.items() if name.startswith("sound-") for outcome in made.outcomes
    ]
    left_out = {check.name for check in checks_of(DeviceClass.SHOE) if EXCUSED & set(check.needs)}
    assert {outcome.check: outcome.why for outcome in whole if outcome.verdict == "fail"} == {}
    not_run = {outcome.check for outcome in whole if outcome.verdict == "not run"}
    assert {name for name in not_run if not name.startswith("update.")} == left_out


@pytest.mark.parametrize("breakage", BREAKAGES, ids=lambda breakage: breakage.name)
def test_a_broken_one_fails_the_right_check(breakage: Breakage, reports: Reports) -> None:
    found = {outcome.check: outcome.why for outcome in reports[breakage.name].failed}
    assert found.keys() == set(breakage.found), found
