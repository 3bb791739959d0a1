"""What to mend first."""

import pytest

from drivers.conformance.causes import EARLIEST, PRESUPPOSES, first_to_mend, presupposed
from drivers.conformance.checks import CHECKS
from drivers.conformance.invariants import RULES
from drivers.conformance.outcome import CheckOutcome

SECTIONS = {check.name: check.section for check in CHECKS} | {rule.name: rule.section for rule in RULES}


def failed(*names: str) -> list[CheckOutcome]:
    return [CheckOutcome(name, SECTIONS[name], "", "fail") for name in names]


@pytest.mark.parametrize(
    ("names", "line"),
    [
        ((), ""),
        (("link.nak",), "first to mend: link.nak (section 4)"),
        (
            ("frames.crc", "link.nak", "link.order", "commands.arm"),
            "first to mend: frames.crc (section 3); 3 more failures probably follow from it",
        ),
        (
            ("link.order", "commands.arm", "shoe.lock", "heartbeat.late"),
            "first to mend: link.order (section 9); 2 more failures probably follow from it",
        ),
        (
            ("commands.arm", "shoe.lock"),
            "first to mend: commands.arm (section 9.3); 1 more failure probably follows from it",
        ),
        (("shoe.lock", "console.key"), "first to mend: shoe.lock (section 9.4)"),
    ],
)
def test_the_first_failure_that_presupposes_no_other_failed_one_is_named(
    names: tuple[str, ...], line: str
) -> None:
    assert first_to_mend(failed(*names)) == line


def test_every_check_that_is_presupposed_exists() -> None:
    needed = {name for _, names in PRESUPPOSES for name in names}
    assert needed | set(EARLIEST) <= SECTIONS.keys()


def test_no_check_presupposes_itself_however_indirectly() -> None:
    for name in SECTIONS:
        seen: set[str] = set()
        front = set(presupposed(name))
        while front:
            seen |= front
            front = {needed for each in front for needed in presupposed(each)} - seen
        assert name not in seen
