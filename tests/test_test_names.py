"""The name of a test says what broke without the name of its file, as far as a program can tell."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
SUBJECTLESS = re.compile(
    "its?|is|are|has|have|of|by|in|on|to|with|without|where|when|while|before|after|until|since|between|around|"
    "from|for|not|and|but|or|that|which|they|them|this|these|those|their|none|under|beside|across|at|as|over|"
    "against|within|during|because|so"
)
"""First words of names without a subject, such as "test_is_empty" and "test_without_a_key"."""
LEAST = 3
"""Words of a name; "test_values" has one."""
LEAST_IN_CLASS = 2
"""The class gives the subject."""


def faults(source: str) -> list[str]:
    """The names of tests that have no subject."""
    return [name for name, in_class in _tests(source) if _is_subjectless(name, in_class)]


def _tests(source: str) -> Iterator[tuple[str, bool]]:
    for node in ast.parse(source).body:
        bodies = node.body if isinstance(node, ast.ClassDef) else [node]
        for inner in bodies:
            if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef) and inner.name.startswith("test_"):
                yield inner.name, isinstance(node, ast.ClassDef)


def _is_subjectless(name: str, in_class: bool) -> bool:
    first, *more = re.split("_+", name.removeprefix("test_"))
    if in_class:
        return len(more) + 1 < LEAST_IN_CLASS
    return len(more) + 1 < LEAST or bool(SUBJECTLESS.fullmatch(first))


def test_every_test_name_has_a_subject() -> None:
    found = {
        path.relative_to(TESTS).as_posix(): faults(path.read_text("utf-8")) for path in TESTS.rglob("*.py")
    }
    assert {path: names for path, names in found.items() if names} == {}


def test_a_name_without_a_subject_is_found() -> None:
    source = "def test_values(): ...\nasync def test_is_empty_again(): ...\n"
    source += "class TestJson:\n    def test_bets(self): ...\n"
    assert faults(source) == ["test_values", "test_is_empty_again", "test_bets"]
    assert faults("def test_a_deck_has_every_card_once(): ...") == []
