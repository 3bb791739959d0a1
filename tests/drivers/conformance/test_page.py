"""The page lists every check, with its section and what it shows."""

from pathlib import Path

from drivers.conformance.checks import CHECKS
from drivers.conformance.invariants import RULES

PAGE = Path(__file__).parents[3] / "docs" / "conformance.md"


def test_the_page_has_every_check() -> None:
    lines = {line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| `") and "." in line}
    listed = [(check.name, check.section, check.shows) for check in CHECKS]
    listed += [(rule.name, rule.section, rule.shows) for rule in RULES]
    rows = {f"| `{name}` | {section} | {shows} |" for name, section, shows in listed}
    assert rows <= lines
    assert {line.split(" | ")[0] for line in lines if line.count(" | ") == 2} == {
        row.split(" | ")[0] for row in rows
    }
