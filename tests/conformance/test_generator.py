"""The committed vectors are what their generator makes, without the product."""

import ast
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from .vectors import LARGEST, VECTORS, load

SOURCES = [VECTORS / "make.py", *sorted((VECTORS / "generator").glob("*.py"))]
STANDARD = {*sys.stdlib_module_names, "generator"}


def test_the_generator_makes_the_committed_files(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-E", VECTORS / "make.py", tmp_path], check=True, timeout=60)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert made == {path.name: path.read_bytes() for path in VECTORS.glob("*.jsonl")}


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_the_generator_uses_the_standard_library_alone(source: Path) -> None:
    assert _imported(source) <= STANDARD


def test_no_two_vectors_share_a_name() -> None:
    names = [vector["name"] for path in sorted(VECTORS.glob("*.jsonl")) for vector in load(path.stem)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("path", sorted(VECTORS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_a_sentence_says_what_each_vector_shows(path: Path) -> None:
    sentences = [vector["shows"] for vector in load(path.stem)]
    assert [one for one in sentences if not (one[:1].isupper() and one.endswith("."))] == []
    assert [one for one, count in Counter(sentences).items() if count > 1] == []


@pytest.mark.parametrize("path", sorted(VECTORS.rglob("*.jsonl")), ids=lambda path: path.stem)
def test_no_integer_is_one_that_a_float_rounds(path: Path) -> None:
    bare: list[int] = []

    def kept(digits: str) -> int:
        if abs(int(digits)) > LARGEST:
            bare.append(int(digits))
        return int(digits)

    for line in path.read_text("utf-8").splitlines():
        json.loads(line, parse_int=kept)
    assert bare == []


def test_every_file_of_vectors_is_used_by_a_test() -> None:
    tests = [path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py")]
    stems = {path.stem for path in VECTORS.glob("*.jsonl")}
    assert {stem for stem in stems if not any(f'"{stem}"' in test for test in tests)} == set()


def _imported(source: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(source.read_text())))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return {
        name.split(".")[0] for name in plain | {str(n.module) for n in nodes if isinstance(n, ast.ImportFrom)}
    }
