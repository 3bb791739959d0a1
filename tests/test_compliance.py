"""docs/compliance.md has a row for each requirement, which names existing tests or says why there is none."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LAST = {"A": 8, "B": 8, "C": 6, "D": 12, "E": 6, "F": 22, "G": 8}
"""How many requirements each part has."""
WANTED = [f"{part}{number}" for part, last in LAST.items() for number in range(1, last + 1)]
ROW = re.compile(r"^\| ([A-G]\d+) \| (.+?) \| (.+?) \| (.+?) \|$")
TEST = re.compile(r"`(tests/[\w/]+\.py)::([\w:]+)`")
PLACE = re.compile(r"`((?:controller|drivers|firmware-protocol|docs|systemd|benchmarks)/[\w./-]+)`")
NO_TEST = ("does not apply: ", "with the ")
"""How a row without a test begins; its reason follows."""


def rows() -> dict[str, tuple[str, str]]:
    """Where it is done and which tests show it, by id; a repeated id is an error."""
    found: dict[str, tuple[str, str]] = {}
    for line in (ROOT / "docs" / "compliance.md").read_text(encoding="utf-8").splitlines():
        if match := ROW.match(line):
            name, _asked, done, shown = match.groups()
            assert name not in found, f"{name} stands there twice"
            found[name] = (done, shown)
    return found


@cache
def names(path: str) -> frozenset[str]:
    """Tests and classes of a file, those in a class as Class::test."""
    found = set()
    for node in ast.parse((ROOT / path).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}::{inner.name}" for inner in node.body if hasattr(inner, "name")}
    return frozenset(found)


def test_every_requirement_has_its_row() -> None:
    assert [name for name in rows() if name[0] in LAST] == WANTED


@pytest.mark.parametrize("name", WANTED)
def test_a_row_names_tests_that_exist_or_says_why_there_is_none(name: str) -> None:
    _done, shown = rows()[name]
    tests = TEST.findall(shown)
    assert tests or shown.startswith(NO_TEST), f"{name} names no test and no reason: {shown}"
    for path, test in tests:
        assert (ROOT / path).is_file(), f"{name}: {path} is not there"
        assert test in names(path), f"{name}: {path} has no {test}"


@pytest.mark.parametrize("name", WANTED)
def test_a_row_names_places_that_exist(name: str) -> None:
    for place in PLACE.findall(rows()[name][0]):
        assert (ROOT / place).exists(), f"{name}: {place} is not there"
