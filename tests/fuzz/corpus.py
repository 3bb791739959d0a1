"""The kept corpus: for each target the shortest inputs that together reach everything ever found.

`python -m tests.fuzz.corpus TARGET FOLDER` adds what a search left in a folder and rewrites the corpus. A
line is an input as hex and a sentence about its result.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from types import FrameType
from typing import Any, Final

from tests.fuzz.targets import TARGETS

CORPUS: Final = Path(__file__).parent / "corpus"
WATCHED: Final = ("/drivers/link/", "/drivers/sim/link/", "/drivers/adapters/")
LONGEST: Final = 512
"""Bytes of one kept input; longer ones repeat themselves."""

Step = tuple[str, int, int]
"""A file and two lines of it that ran in sequence; or a word about an input."""


def vectors(name: str) -> list[dict[str, str]]:
    """The kept inputs of a target: `in` as hex, and what it `shows`."""
    path = CORPUS / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def kept(name: str) -> list[bytes]:
    """The kept inputs of a target."""
    return [bytes.fromhex(vector["in"]) for vector in vectors(name)]


def minimised(name: str, inputs: Iterable[bytes]) -> list[bytes]:
    """The inputs that still add a step when all shorter ones are taken."""
    reached: set[Step] = set()
    chosen = []
    for data in sorted(set(inputs), key=lambda data: (len(data), data)):
        steps = _steps(name, data)
        if not steps <= reached:
            reached |= steps
            chosen.append(data)
    return chosen


def _steps(name: str, data: bytes) -> set[Step]:
    steps: set[Step] = set()
    last: dict[FrameType, int] = {}

    def enter(frame: FrameType, _event: str, _value: Any) -> Any:
        file = frame.f_code.co_filename
        return trace if any(part in file for part in WATCHED) else None

    def trace(frame: FrameType, event: str, _value: Any) -> Any:
        if event == "line":
            steps.add((frame.f_code.co_filename, last.get(frame, 0), frame.f_lineno))
            last[frame] = frame.f_lineno
        elif event == "return":
            last.pop(frame, None)
        return trace

    sys.settrace(enter)
    try:
        shows = TARGETS[name].run(data)
    finally:
        sys.settrace(None)
    return steps | {(word, 0, 0) for word in re.split(r"[ ,;]*\d+ |, |; ", shows)}


def _write(name: str, inputs: list[bytes]) -> None:
    lines = [json.dumps({"in": data.hex(), "shows": TARGETS[name].run(data)}) for data in inputs]
    CORPUS.mkdir(exist_ok=True)
    (CORPUS / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.corpus")
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("folders", type=Path, nargs="*", help="where a search left what it found")
    return parser.parse_args()


if __name__ == "__main__":
    asked = _asked()
    found = [path.read_bytes() for folder in asked.folders for path in folder.iterdir() if path.is_file()]
    short = [
        data for data in [*TARGETS[asked.target].seeds, *kept(asked.target), *found] if len(data) <= LONGEST
    ]
    _write(asked.target, minimised(asked.target, short))
    print(f"{asked.target}: {len(vectors(asked.target))} of {len(short)} inputs are kept")
