"""The wheel and the sdist, and a table that plays from the wheel alone."""

import json
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from systemd.deb.sources import PARTS, ROOT, version
from systemd.wheels import Distributions, build

EPOCH = 1_700_000_000
LEFT_BEHIND = ("__pycache__", "manifest.json", "manifest.json.sig")
"""What a checkout may have and no distribution does."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Distributions:
    return build(tmp_path_factory.mktemp("dist"), version(), EPOCH)


def files() -> Iterator[str]:
    for part in PARTS:
        for path in (ROOT / part).rglob("*"):
            name = path.relative_to(ROOT).as_posix()
            if path.is_file() and not set(path.parts) & set(LEFT_BEHIND):
                yield name


def test_the_wheel_has_every_file_of_the_program(built: Distributions) -> None:
    with zipfile.ZipFile(built.wheel) as wheel:
        packed = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert packed == set(files())


def test_the_sdist_has_every_file_of_the_program_and_what_builds_it(built: Distributions) -> None:
    with tarfile.open(built.sdist) as sdist:
        packed = {member.name.partition("/")[2] for member in sdist if member.isfile()}
        ages = {(member.mtime, member.uid, member.uname) for member in sdist}
    assert {*files(), "pyproject.toml", "README.md", "LICENSE"} <= packed
    assert ages == {(EPOCH, 0, "")}


def test_the_same_sources_give_the_same_bytes(built: Distributions, tmp_path: Path) -> None:
    again = build(tmp_path, version(), EPOCH)
    assert again.wheel.read_bytes() == built.wheel.read_bytes()
    assert again.sdist.read_bytes() == built.sdist.read_bytes()


def test_a_table_plays_from_the_wheel_alone(built: Distributions, tmp_path: Path) -> None:
    """In a fresh environment that has the libraries of this one, and not its checkout."""
    home = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    python = home / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--no-deps", "--no-index", str(built.wheel)], check=True)
    [site] = home.glob("lib/python*/site-packages")
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib"))
    where = [str(python), "-c", "import controller; print(controller.__file__)"]
    found = subprocess.run(where, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert found.startswith(str(site))
    demo = [str(home / "bin" / "tableside"), "demo", "--rounds", "3", "--speed", "max", "--json"]
    played = subprocess.run(demo, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert played.returncode == 0, played.stderr
    assert json.loads(played.stdout.splitlines()[-1])["rounds"] == 3
