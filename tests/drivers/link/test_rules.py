"""The table of removable rules keeps up with the specification, the sources and the tests."""

from pathlib import Path

import pytest

from tests.drivers.link.rules import REMOVALS, Removal
from tests.drivers.link.why import DRIVERS, ROOT, TESTS, changed

README = ROOT / "firmware-protocol" / "README.md"


def rows() -> set[str]:
    """The simpler readings that section 19 names."""
    section = README.read_text("utf-8").split("\n## 19.")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return {line.split(" | ")[0].removeprefix("| ") for line in lines[1:]}


def test_every_row_has_a_removal_and_every_removal_a_row() -> None:
    assert {removal.row for removal in REMOVALS} == rows()
    assert len(rows()) == 17


@pytest.mark.parametrize("removal", REMOVALS, ids=lambda removal: f"{removal.row} {removal.changes[0][0]}")
def test_what_is_taken_out_is_there_and_so_are_the_tests(removal: Removal) -> None:
    for change in removal.changes:
        source = (ROOT / DRIVERS / change[0]).read_text("utf-8")
        assert changed(source, change) != source
    for test in removal.tests:
        file, _, name = test.partition("::")
        assert f"def {name}(" in (ROOT / TESTS / Path(file)).read_text("utf-8")


def test_a_piece_that_is_not_there_is_named() -> None:
    with pytest.raises(ValueError, match=r"keys\.py: 'nothing' occurs 0 times"):
        changed("source", ("keys.py", "nothing", ""))
