"""What is in the packages, built once from this checkout with pip and dpkg-deb (as `make deb` does)."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from hashlib import md5
from pathlib import Path
from tempfile import gettempdir

import pytest

from controller.commands.key_pairs import make_key_pair
from controller.languages import LANGUAGES
from systemd.deb.build import QUICK, build
from systemd.deb.environment import HOME, SITE
from systemd.deb.nats_server import LIBRARY, PROGRAM
from systemd.deb.packages import FLOOR, TABLE, Package
from systemd.deb.sources import ROOT, locked, version
from tests.fixtures.waiting import PATIENCE

pytestmark = pytest.mark.timeout(900)  # the first test builds them
EPOCH = 1_700_000_000
UNITS = {
    TABLE.name: (
        "tableside.service",
        "tableside-web.service",
        "tableside-kiosk.service",
        "tableside-uplink.service",
        "tableside-bridge.service",
    ),
    FLOOR.name: ("tableside-progressive.service", "tableside-floor.service", "tableside-nats.service"),
}
"""By package."""
TARGETS = ("sysinit", "basic", "shutdown", "network", "network-online", "time-sync", "multi-user")
BIGGEST = 25_000_000
"""Bytes of the whole package, although it is compressed quickly here. A release is smaller by a quarter."""
PAPERS = {
    TABLE.name: (
        "tableside/install.md",
        "tableside/install-floor.md",
        "tableside/copyright",
        "tableside/examples/table.toml",
        "tableside/examples/prometheus/tableside.rules.yml",
    ),
    FLOOR.name: (
        "tableside-floor/copyright",
        "tableside/examples/floor.toml",
        "tableside/examples/progressive.toml",
    ),
}
SERVER = (2, 12)
"""The oldest server that has what a linked progressive needs."""
MODULE = re.compile(rb"^(?:mod|dep)\t([^\t\n]+)\tv", re.MULTILINE)
"""A module in the list that Go puts into a program."""
INTERNAL = "__pycache__"


def built(package: Package, folder: Path) -> Path:
    make_key_pair(folder / "release.key")
    return build(package, folder, version(), EPOCH, folder / "release.key", QUICK)


def unpacked(package: Path) -> Path:
    """The folder of the unpacked package, with DEBIAN/ in it."""
    folder = package.parent / "root"
    subprocess.run(["dpkg-deb", "--raw-extract", package, folder], check=True)
    return folder


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(TABLE, tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def root(package: Path) -> Path:
    return unpacked(package)


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(FLOOR, tmp_path_factory.mktemp("dist-of-the-floor"))


@pytest.fixture(scope="module")
def floor_root(floor: Path) -> Path:
    return unpacked(floor)


@pytest.fixture(scope="module", params=[TABLE.name, FLOOR.name])
def each(request: pytest.FixtureRequest, root: Path, floor_root: Path) -> tuple[str, Path]:
    """The name of each package, and its folder."""
    name = str(request.param)
    return name, {TABLE.name: root, FLOOR.name: floor_root}[name]


def files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def field(package: Path, name: str) -> str:
    return subprocess.run(
        ["dpkg-deb", "--field", package, name], check=True, capture_output=True, text=True
    ).stdout.strip()


def test_the_package_name_has_version_and_architecture(package: Path) -> None:
    architecture = field(package, "Architecture")
    assert package.name == f"tableside_{version()}_{architecture}.deb"
    assert field(package, "Version") == version()


def test_the_package_depends_on_its_python(package: Path) -> None:
    minor = sys.version_info.minor
    needs = field(package, "Depends")
    assert f"python3 (>= 3.{minor}), python3 (<< 3.{minor + 1})" in needs
    assert {"systemd", "udev"} <= set(needs.split(", "))
    assert {"chromium", "cage", "xwayland"} <= set(field(package, "Recommends").split(", "))  # cage needs it


def test_the_package_is_small(package: Path) -> None:
    assert package.stat().st_size < BIGGEST


def test_each_language_has_its_dates_and_amounts_in_the_package(root: Path) -> None:
    program = (
        "from datetime import date; from controller.currency import formatting, named_currency;"
        "from controller.languages import LANGUAGES, day_text, speaking;"
        "print(formatting.money_text(1250, named_currency('USD')))\n"
        "for language in LANGUAGES.values():\n"
        "    with speaking(language): print(day_text(date(2026, 11, 20)))"
    )
    said = subprocess.run(
        [sys.executable, "-c", program],
        check=True,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(root / SITE)},
        cwd=root,
    ).stdout.splitlines()
    assert said[:3] == ["$12.50", "Fri 20 Nov 2026", "vie 20 nov 2026"]
    assert len(said) == 1 + len(LANGUAGES)


def test_a_release_is_compressed_well_and_built_twice_it_has_the_same_bytes(tmp_path: Path) -> None:
    """Without its server, which takes long to compress."""
    bare = replace(FLOOR, install=lambda _root, _version, _key: None)
    one, again = (build(bare, tmp_path / name, version(), EPOCH).read_bytes() for name in ("one", "again"))
    assert one == again
    assert b"data.tar.xz" in one


def test_every_product_file_of_the_checkout_is_in_the_package(root: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "controller", "drivers"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    kept = [name for name in listed if not name.endswith(".md") and (ROOT / name).exists()]
    assert [name for name in kept if not (root / SITE / name).exists()] == []


def test_the_package_has_no_file_that_no_table_runs(root: Path) -> None:
    names = {path.name for path in (root / SITE).iterdir()}
    assert not names & {"pip", "setuptools", "wheel", "pytest", "mypy", "playwright"}
    assert not list((root / SITE).rglob("tests"))


def test_no_folder_of_who_built_it_is_named(each: tuple[str, Path]) -> None:
    _, root = each
    python = Path(sys.base_prefix)  # libraries of another interpreter than the system's may hold its path
    folders = {ROOT, root.parents[1], python} - {Path("/usr")}
    places = [f"{folder}/".encode() for folder in folders] + [
        f"{gettempdir()}/{made}".encode() for made in ("tmp", "pip-")
    ]
    found = [path for path in files(root) if any(place in path.read_bytes() for place in places)]
    assert found == []


def test_the_environment_is_in_opt_and_linked_from_the_path(root: Path) -> None:
    home = root / HOME
    assert (root / "usr/bin/tableside").readlink() == Path("/opt/tableside/bin/tableside")
    assert (home / "bin/tableside").read_text().startswith("#!/opt/tableside/bin/python -I\n")
    assert (home / "bin/tableside").stat().st_mode & 0o777 == 0o755
    assert (home / "bin/python").readlink() == Path(f"/usr/bin/python3.{sys.version_info.minor}")
    assert "home = /usr/bin\n" in (home / "pyvenv.cfg").read_text()


def test_the_installed_command_is_that_of_the_project_file(root: Path) -> None:
    """As pyproject.toml names it; the service starts it, and a table has little memory."""
    script = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]["tableside"]
    module, name = script.split(":")
    command = (root / HOME / "bin/tableside").read_text()
    assert f'from {module} import {name}\n\nif __name__ == "__main__":\n    {name}()\n' in command


def test_the_installed_command_plays_on_two_processors(root: Path) -> None:
    """Each process that it starts reads the command again, and must not run it."""
    command = [sys.executable, "-I", str(root / HOME / "bin/tableside")]
    simulate = ("game", "simulate", "easy-jack", "--rounds", "5300", "--seed", "1", "--json")
    words = [*command, *simulate, "--engine", "round", "--processors", "2"]
    played = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert played.returncode == 0, played.stderr
    assert json.loads(played.stdout)["rounds"] == 5300


def test_the_self_test_finds_its_files_as_they_were_listed_and_signed(root: Path) -> None:
    """By the packaged code itself; its version is the checkout's."""
    script = "import sys; from controller.selftest.check import compare; "
    script += "print(compare('', release=sys.argv[1]).files)"
    done = subprocess.run(
        [sys.executable, "-P", "-B", "-c", script, root.with_name("release.key.pub")],
        env={"PYTHONPATH": str(root / SITE)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    listed = json.loads((root / SITE / "controller/manifest.json").read_text())
    assert int(done.stdout) == len(listed["files"]) + len(listed["compiled"]) > 1000


def test_everything_is_compiled_and_what_is_run_is_checked_against_its_source(root: Path) -> None:
    compiled = list((root / SITE).rglob("*.pyc"))
    sources = list((root / SITE).rglob("*.py"))
    assert len(compiled) == len(sources)
    assert {path.read_bytes()[4] for path in compiled} == {3}  # PEP 552: a checked hash


def test_a_package_lists_the_sum_of_every_file(each: tuple[str, Path]) -> None:
    _, root = each
    lines = (root / "DEBIAN/md5sums").read_text().splitlines()
    sums = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    there = {path.relative_to(root).as_posix(): path for path in files(root)}
    there = {name: path for name, path in there.items() if not name.startswith("DEBIAN/")}
    assert sums == {
        name: md5(path.read_bytes(), usedforsecurity=False).hexdigest() for name, path in there.items()
    }


def test_modes_and_times_are_nobodys(each: tuple[str, Path]) -> None:
    _, root = each
    for path in files(root):
        assert path.stat().st_mode & 0o777 in {0o644, 0o755}, path
        assert path.stat().st_mtime == EPOCH or path.is_relative_to(root / "DEBIAN"), path


@pytest.mark.parametrize("unit", [unit for units in UNITS.values() for unit in units])
def test_units_verify_where_they_lie(unit: str, root: Path, floor_root: Path, tmp_path: Path) -> None:
    """In a root with the files of both packages, the compositor, and the parts of systemd that the units
    name."""
    machine = tmp_path / "machine"
    units = machine / "usr/lib/systemd/system"
    units.mkdir(parents=True)
    for folder, name in ((root, TABLE.name), (floor_root, FLOOR.name)):
        for one in UNITS[name]:
            shutil.copy(folder / "usr/lib/systemd/system" / one, units)
    for name in TARGETS:
        (units / f"{name}.target").write_text("[Unit]\n")
    (units / "getty@.service").write_text("[Service]\nExecStart=/usr/bin/env\n")
    (machine / "usr/bin").mkdir()
    (machine / "bin").symlink_to("usr/bin")
    shutil.copy(root / HOME / "bin/tableside", machine / "usr/bin")
    for name in ("env", "sh"):
        (machine / "usr/bin" / name).write_text("#!/bin/sh\n")
        (machine / "usr/bin" / name).chmod(0o755)
    (machine / PROGRAM).parent.mkdir(parents=True)
    shutil.copy(floor_root / PROGRAM, machine / PROGRAM)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", f"--root={machine}", unit],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_nothing_of_a_machine_is_overwritten(each: tuple[str, Path]) -> None:
    """Only folders of packages: what an owner changes in /etc is theirs."""
    _, root = each
    tops = {path.relative_to(root).parts[0] for path in files(root)}
    assert tops == {"DEBIAN", "opt", "usr"}


@pytest.mark.parametrize("script", ["postinst", "prerm", "postrm"])
def test_scripts_are_a_shells(script: str, each: tuple[str, Path]) -> None:
    _, root = each
    path = root / "DEBIAN" / script
    assert path.stat().st_mode & 0o777 == 0o755
    subprocess.run(["sh", "-n", path], check=True)


def test_the_script_that_units_run_is_a_shells(root: Path) -> None:
    subprocess.run(["sh", "-n", root / "usr/lib/tableside/restart-pause"], check=True)


def test_no_script_removes_a_journal(each: tuple[str, Path]) -> None:
    """Or what tables have sent to a floor."""
    _, root = each
    words = (root / "DEBIAN/postrm").read_text()
    removed = [
        word for line in words.splitlines() if line.strip().startswith("rm ") for word in line.split()[2:]
    ]
    assert removed
    kept = ("/var/lib/tableside", "/var/lib/tableside-floor", "/var/lib/tableside-progressive")
    assert not [word for word in removed if "journal" in word or "stores" in word or word in kept]


def test_papers_and_examples_are_there(each: tuple[str, Path]) -> None:
    name, root = each
    for paper in PAPERS[name]:
        assert (root / "usr/share/doc" / paper).is_file(), paper


def test_a_table_gets_nothing_of_a_floor_but_the_program_that_both_run(root: Path) -> None:
    names = {path.name for path in root.rglob("*") if not path.is_relative_to(root / HOME / "lib")}
    assert not names & {*UNITS[FLOOR.name], PROGRAM.name, "tableside-floor.conf", "floor.toml"}


def test_the_two_packages_have_no_file_in_common(root: Path, floor_root: Path) -> None:
    """Or dpkg would install only one of them."""
    of_table, of_floor = (
        {path.relative_to(folder) for path in files(folder)} for folder in (root, floor_root)
    )
    assert {path for path in of_table & of_floor if path.parts[0] != "DEBIAN"} == set()


def test_a_floor_needs_the_program_of_its_own_version(floor: Path) -> None:
    assert floor.name == f"{FLOOR.name}_{version()}_{field(floor, 'Architecture')}.deb"
    assert f"{TABLE.name} (= {version()})" in field(floor, "Depends").split(", ")


def test_the_server_of_a_floor_is_the_locked_one_and_new_enough(floor_root: Path) -> None:
    said = subprocess.run([floor_root / PROGRAM, "--version"], check=True, capture_output=True, text=True)
    number = said.stdout.strip().removeprefix("nats-server: v")
    assert f"{LIBRARY}=={number} " in locked(LIBRARY)
    assert tuple(map(int, number.split(".")))[:2] >= SERVER


def test_the_license_of_the_server_names_its_version_and_every_module_in_it(floor_root: Path) -> None:
    """A newer server may contain others: look at their licenses before you change the text."""
    words = set(re.split(r"[,\s]+", (floor_root / "usr/share/doc/tableside-floor/copyright").read_text()))
    version_of_server = locked(LIBRARY).split("==")[1].split()[0]
    modules = {module.decode() for module in MODULE.findall((floor_root / PROGRAM).read_bytes())}
    assert "github.com/nats-io/nats-server/v2" in modules
    assert {version_of_server, *modules} <= words
