"""Removes each rule of firmware-protocol/README.md, section 19, from a copy of the sources and expects the
tests that are named for the rule to fail: `python -m tests.drivers.link.why`."""

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from tests.drivers.link.rules import REMOVALS, Change, Removal

ROOT = Path(__file__).parents[3]
DRIVERS = Path("drivers")
TESTS = Path("tests/drivers/link")
COPIED = ("drivers", "tests", "pyproject.toml", "firmware-protocol/vectors")
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+::\w+)", re.MULTILINE)
LIMIT = 300.0


def main() -> int:
    """The exit status: 1 if a rule can be removed unnoticed."""
    with tempfile.TemporaryDirectory(prefix="tableside-why-") as folder:
        copy = Path(folder)
        _copy(copy)
        whole = failing(copy, (test for removal in REMOVALS for test in removal.tests))
        if whole:
            print(f"with all rules in place these fail: {', '.join(sorted(whole))}")
            return 1
        return int(sum(_unnoticed(copy, removal) for removal in REMOVALS) > 0)


def changed(source: str, change: Change) -> str:
    """A source without the rule. Raises ValueError where the sources have changed."""
    file, old, new = change
    if source.count(old) != 1:
        raise ValueError(f"{file}: {old!r} occurs {source.count(old)} times, must once")
    return source.replace(old, new)


def failing(copy: Path, tests: Iterable[str]) -> set[str]:
    """The tests that fail in the copy, as file::name."""
    names = sorted({str(TESTS / test) for test in tests})
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--no-header",
        "--tb=no",
        "-rfE",
        "-p",
        "no:cacheprovider",
    ]
    ran = subprocess.run(
        [*command, *names], cwd=copy, capture_output=True, text=True, timeout=LIMIT, check=False
    )
    if ran.returncode not in (0, 1):
        raise RuntimeError(ran.stdout + ran.stderr)
    return {Path(name).name for name in FAILED.findall(ran.stdout)}


def _unnoticed(copy: Path, removal: Removal) -> bool:
    sources = {file: (copy / DRIVERS / file).read_text("utf-8") for file, _, _ in removal.changes}
    try:
        for change in removal.changes:
            path = copy / DRIVERS / change[0]
            path.write_text(changed(path.read_text("utf-8"), change), "utf-8")
        missed = set(removal.tests) - failing(copy, removal.tests)
    finally:
        for file, source in sources.items():
            (copy / DRIVERS / file).write_text(source, "utf-8")
    where = ", ".join(sources)
    print(
        f"{removal.row} ({where}): " + (f"NOT NOTICED by {', '.join(missed)}" if missed else "noticed"),
        flush=True,
    )
    return bool(missed)


def _copy(folder: Path) -> None:
    for name in COPIED:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)


if __name__ == "__main__":
    sys.exit(main())
