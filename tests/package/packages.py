"""The packages that a machine gets: this checkout's, the same as an older version, and one of history."""

import hashlib
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from systemd.deb.packages import FLOOR, PACKAGES, TABLE
from systemd.deb.sources import ROOT, version
from tests.package.machine import MachineError, must

EPOCH = "1700000000"
NO_SOURCES = (".git", ".venv", ".*_cache", "__pycache__", "build", "dist", "*.egg-info")
OLDER = "0.0.9"
ONE_UNIT = "8d79e31aaa10c93b98ed03ac61d21b012bdde4b3"
"""A commit of the time when the daemon itself served the pages."""
GIT = ("git", "-c", "safe.directory=*")
"""The checkout may belong to another user than root."""


@dataclass(frozen=True, slots=True)
class Packages:
    """`before`: this checkout as an older version. `one_unit`: an older version from before the services
    were separate. `floor`, `floor_before`: the packages of a floor that go with `now` and `before`."""

    now: Path
    before: Path
    one_unit: Path
    floor: Path
    floor_before: Path


def build_packages(folder: Path) -> Packages:
    """Built from copies in which nobody works meanwhile. Raises MachineError if two builds differ, or if the
    history of the checkout is not long enough."""
    checkout, history = folder / "checkout", folder / "history"
    take_from_history(history)
    shutil.copytree(ROOT, checkout, ignore=shutil.ignore_patterns(*NO_SOURCES))
    wanted = (
        (checkout, folder / "now", version()),
        (checkout, folder / "again", version()),
        (checkout, folder / "before", OLDER),
        (history, folder / "one-unit", OLDER),
    )
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as builders:
        now, again, before, one_unit = builders.map(_built, *zip(*wanted, strict=True))
    for package in PACKAGES:
        _must_be_alike(now[package.name], again[package.name])
    floors = now[FLOOR.name], before[FLOOR.name]
    return Packages(now[TABLE.name], before[TABLE.name], one_unit[TABLE.name], *floors)


def _must_be_alike(now: Path, again: Path) -> None:
    digests = {hashlib.sha256(package.read_bytes()).hexdigest() for package in (now, again)}
    must(len(digests) == 1, f"{now.name} built twice, the bytes differ: {digests}")
    print(
        f"{now.name} built twice, the same bytes: {now.stat().st_size:,}, SHA-256 {digests.pop()}", flush=True
    )


def take_from_history(folder: Path, checkout: Path = ROOT) -> None:
    """Makes the folder with the sources of ONE_UNIT. Raises MachineError if the checkout lacks them."""
    wanted = [*GIT, "cat-file", "-e", f"{ONE_UNIT}^{{commit}}"]
    if subprocess.run(wanted, cwd=checkout, stderr=subprocess.DEVNULL, check=False).returncode:
        raise MachineError(
            f"the history of {checkout} has no commit {ONE_UNIT}, from which the version before the separate "
            "services is built: get the whole history (git fetch --unshallow)"
        )
    folder.mkdir()
    archive = subprocess.run([*GIT, "archive", ONE_UNIT], cwd=checkout, check=True, stdout=subprocess.PIPE)
    subprocess.run(["tar", "--extract", "--directory", folder], input=archive.stdout, check=True)


def _built(sources: Path, out: Path, version_wanted: str) -> dict[str, Path]:
    """The packages by their names."""
    subprocess.run(
        [sys.executable, "-m", "systemd.deb", "--out", out, "--version", version_wanted],
        cwd=sources,
        env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return {package.name.split("_")[0]: package for package in out.iterdir()}
