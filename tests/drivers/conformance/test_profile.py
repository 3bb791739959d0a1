"""The profile of a device: what the file may say, and what a run makes of it."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from drivers.conformance.checks import checks_of
from drivers.conformance.outcome import CheckOutcome
from drivers.conformance.profile import DeviceProfile, ProfileFault, read_profile
from drivers.conformance.report import as_json, ending
from drivers.conformance.runner import CheckReport
from drivers.conformance.subject import DeviceUnderTest
from drivers.messages import Door
from drivers.protocol.codes import DeviceClass
from drivers.sim.enclosure import Enclosure
from tests.drivers.conformance.rig import SERIAL, examined, unit

SHOE = DeviceProfile(DeviceClass.SHOE, ring=1024, window=8, update=True)
"""What the simulated shoe of the rig has."""


def test_a_profile_says_class_and_features() -> None:
    text = 'class = "shoe"\n[features]\nwindow = 8\nring = 1024\nupdate = true\n'
    assert read_profile(text) == SHOE
    assert SHOE.words() == "profile: shoe, window 8, ring 1024, update"


def test_what_a_profile_does_not_name_is_absent() -> None:
    profile = read_profile('class = "display"')
    assert profile == DeviceProfile(DeviceClass.DISPLAY, ring=128)
    assert profile.words() == "profile: display, window 1, ring 128, no optional feature"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("class = ", "not TOML"),
        ('class = "roulette"', "class: needed; one of shoe, shuffler"),
        ('class = "shoe"\nname = "x"', "name: allowed are class"),
        ('class = "shoe"\nfeatures = 3', "features: allowed are class"),
        ('class = "shoe"\n[features]\ncolour = true', "features.colour: unknown; allowed: case, doors"),
        ('class = "shoe"\n[features]\nupdate = 1', "features.update = 1: true or false"),
        ('class = "shoe"\n[features]\nwindow = 9', "features.window = 9: a whole number from 1 to 8"),
        ('class = "shoe"\n[features]\nring = 512', "features.ring = 512: a whole number from 1024"),
        ('class = "shoe"\n[features]\nring = true', "features.ring = True: a whole number from 1024"),
    ],
)
def test_a_wrong_profile_names_the_key_and_what_is_allowed(text: str, why: str) -> None:
    with pytest.raises(ProfileFault) as raised:
        read_profile(text)
    assert str(raised.value).startswith(why)


async def outcomes(profile: DeviceProfile, *only: str) -> dict[str, CheckOutcome]:
    subject = DeviceUnderTest(DeviceClass.SHOE, SERIAL, b"", 0, profile)
    chosen = [check for check in checks_of(DeviceClass.SHOE) if check.name in only]
    report = await examined(unit("shoe"), subject, chosen, frozenset(only))
    return {outcome.check: outcome for outcome in report.outcomes}


FEATURES = ("features.update", "features.ring", "features.window")


async def test_a_device_with_what_it_declares_passes() -> None:
    found = await outcomes(SHOE, *FEATURES)
    assert {found[name].verdict for name in (*FEATURES, "always.features")} == {"pass"}


@pytest.mark.parametrize(
    ("changes", "check"),
    [
        ({"update": False}, "features.update"),
        ({"ring": 2048}, "features.ring"),
        ({"window": 4}, "features.window"),
        ({"log": True}, "always.features"),
    ],
)
async def test_a_device_with_another_feature_than_it_declares_fails(
    changes: dict[str, int], check: str
) -> None:
    found = await outcomes(replace(SHOE, **changes), *FEATURES)  # type: ignore[arg-type]
    assert [name for name, outcome in found.items() if outcome.verdict == "fail"] == [check]


HANDLED = ("features.doors", "features.case", "features.trng")
"""Features that need a hand."""


async def handled(changes: dict[str, bool], bits: Callable[[int], bytes] | None = None) -> list[str]:
    """The checks that fail for a shoe whose hardware draws these bits; all that are declared must run."""
    profile = replace(SHOE, **changes)  # type: ignore[arg-type]
    subject = DeviceUnderTest(DeviceClass.SHOE, SERIAL, b"", 0, profile)
    chosen = [check for check in checks_of(DeviceClass.SHOE) if check.name in HANDLED]
    report = await examined(unit("shoe", random=bits), subject, chosen)
    not_run = {found.check for found in report.outcomes if found.verdict == "not run"}
    assert not_run == {f"features.{name}" for name in ("doors", "case") if not changes[name]}
    return [outcome.check for outcome in report.failed]


ALL = {"doors": True, "case": True, "trng": True}


async def test_a_device_with_doors_a_watched_case_and_random_bits_passes() -> None:
    assert await handled(ALL) == []


async def test_a_device_without_random_bits_that_declares_none_passes() -> None:
    assert await handled(ALL | {"trng": False}, bytes) == []


async def test_random_bits_that_are_absent_or_undeclared_fail_by_name() -> None:
    assert await handled(ALL, bytes) == ["features.trng"]
    assert await handled(ALL | {"trng": False}) == ["features.trng"]


@pytest.mark.parametrize(
    ("attribute", "check"),
    [("_door", "features.doors"), ("boot", "features.doors"), ("_case", "features.case")],
)
async def test_a_door_or_case_that_is_not_reported_fails_by_name(
    attribute: str, check: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Enclosure, attribute, lambda *_, **__: None)
    assert await handled(ALL) == [check]


@pytest.mark.parametrize(("declared", "verdict"), [(False, "fail"), (True, "pass")])
async def test_a_door_must_be_declared(declared: bool, verdict: str) -> None:
    device = unit("shoe")
    device.record(Door(1, True), 0.0)
    subject = DeviceUnderTest(DeviceClass.SHOE, SERIAL, b"", 0, replace(SHOE, doors=declared))
    chosen = [check for check in checks_of(DeviceClass.SHOE) if check.name == "events.resume-first"]
    report = await examined(device, subject, chosen)
    (found,) = [outcome for outcome in report.outcomes if outcome.check == "always.features"]
    assert found.verdict == verdict


async def test_a_declared_update_that_is_absent_is_a_failure_of_its_checks() -> None:
    subject = DeviceUnderTest(DeviceClass.SHOE, SERIAL, b"", 0, SHOE)
    device = unit("shoe")
    device.slots = None
    device.ask({"do": "reboot", "seconds": 0}, 0.0)
    chosen = [check for check in checks_of(DeviceClass.SHOE) if check.name == "update.confirm"]
    report = await examined(device, subject, chosen)
    assert [outcome.check for outcome in report.failed] == ["update.confirm"]


def test_the_report_prints_the_profile() -> None:
    subject = DeviceUnderTest(DeviceClass.SHOE, SERIAL, b"", 0, SHOE)
    assert next(iter(ending(CheckReport(()), subject))) == SHOE.words()
    assert as_json(CheckReport(()), "p", subject)["profile"]["ring"] == 1024
