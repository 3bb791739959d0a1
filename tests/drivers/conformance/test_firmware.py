"""The sample shoe in C passes every check; broken on purpose, it fails the checks that exist for that fault.

Both run in virtual time; a few checks on a pty show that the sample behaves the same as a process.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from drivers.conformance import operator
from drivers.conformance.check import Need
from drivers.conformance.checks import checks_of
from drivers.conformance.operator import NoOperator
from drivers.conformance.probe import Probe
from drivers.conformance.profile import DeviceProfile
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import DeviceClass
from tests.drivers.conformance.breakages import BREAKAGES, Breakage
from tests.drivers.conformance.firmware import (
    SUBJECT,
    broken,
    chosen,
    examined_at,
    on_a_pty,
    sound,
    virtual,
)
from tests.drivers.conformance.rig import UnitWire, examined
from tests.fixtures.waiting import PATIENCE

EXCUSED = {Need.LONG, Need.CLEAR, Need.PROFILE}
ON_A_PTY = (
    "handshake.session",
    "frames.split",
    "events.reboot",
    "commands.results-reboot",
    "shoe.unpermitted",
)
"""Bytes in pieces, cards drawn through the control socket, a memory that outlives a start."""
TRIES = 5
"""Every answer has a time limit here, and a busy machine may delay either end."""


async def test_the_sample_shoe_passes_every_check(tmp_path: Path) -> None:
    """It may state that its firmware cannot be updated; then the checks of updates are not run."""
    checks = checks_of(DeviceClass.SHOE)
    with virtual(sound(), tmp_path) as device:
        report = await examined(device, SUBJECT, checks)
    left_out = {check.name for check in checks if EXCUSED & set(check.needs)}
    assert {outcome.check: outcome.why for outcome in report.failed} == {}
    not_run = {outcome.check for outcome in report.outcomes if outcome.verdict == "not run"}
    assert {name for name in not_run if not name.startswith("update.")} == left_out


async def test_the_sample_shoe_has_the_features_that_it_declares(tmp_path: Path) -> None:
    profile = DeviceProfile(DeviceClass.SHOE, ring=1024, window=8, doors=True, case=True, trng=True)
    features = [check for check in checks_of(DeviceClass.SHOE) if check.name.startswith("features.")]
    with virtual(sound(), tmp_path) as device:
        report = await examined(device, replace(SUBJECT, profile=profile), features)
    assert {outcome.check: outcome.why for outcome in report.failed} == {}
    assert {outcome.verdict for outcome in report.outcomes} == {"pass"}


async def test_the_sample_shoe_reports_a_door_that_opened_while_it_had_no_power(tmp_path: Path) -> None:
    with virtual(sound(), tmp_path) as device:
        device.ask({"do": "reboot", "seconds": 1}, 1.0)
        device.ask({"do": "door", "which": 7, "open": True}, 1.5)
        device.tick(2.5)
        probe = Probe(UnitWire(device, 3.0), SUBJECT, NoOperator())
        hello = await probe.open()
        found = await probe.events(1, hello.newest)
    doors = [entry.message.door for entry in found if entry.message.WhichOneof("body") == "door"]
    assert [(door.which, door.open) for door in doors] == [(7, True)]


async def test_the_sample_shoe_reports_its_cover_and_fresh_cards_in_order(
    tmp_path: Path,
) -> None:
    """Fresh cards wait for the closed cover, an open cover is reported again after each boot, and nothing
    twice."""
    with virtual(sound(), tmp_path) as device:
        for request in (
            {"do": "cover", "open": True},
            {"do": "cover", "open": True},
            {"do": "load", "cards": "As Kd"},
            {"do": "reboot", "seconds": 0},
        ):
            device.ask(request, 1.0)
        device.tick(2.0)
        device.ask({"do": "cover", "open": False}, 2.0)
        probe = Probe(UnitWire(device, 3.0), SUBJECT, NoOperator())
        hello = await probe.open()
        found = await probe.events(1, hello.newest)
    bodies = [entry.message.WhichOneof("body") for entry in found if isinstance(entry.message, tsl.Event)]
    assert bodies == ["booted", "loaded", "cover", "booted", "cover", "cover", "loaded"]


@pytest.mark.parametrize("breakage", BREAKAGES, ids=lambda breakage: breakage.name)
async def test_a_broken_one_fails_the_right_check(breakage: Breakage, tmp_path: Path) -> None:
    with virtual(broken(breakage, tmp_path), tmp_path) as device:
        report = await examined(device, SUBJECT, chosen(*breakage.groups))
    found = {outcome.check: outcome.why for outcome in report.failed}
    assert found.keys() == set(breakage.found), found


async def test_the_sample_shoe_passes_as_a_process_on_a_pty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operator, "ANSWER_SECONDS", PATIENCE)
    for _ in range(TRIES):
        with on_a_pty(tmp_path) as port:
            report = await examined_at(port, chosen(*ON_A_PTY))
        if not report.failed:
            break
    assert {outcome.check: outcome.why for outcome in report.failed} == {}
    assert {outcome.verdict for outcome in report.outcomes} == {"pass"}
