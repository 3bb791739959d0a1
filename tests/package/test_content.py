"""What is in the package, built once from this checkout with pip and dpkg-deb (`make deb` builds it so)."""

import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from hashlib import md5
from pathlib import Path
from tempfile import gettempdir

import pytest

from controller.commands.key_pairs import make_key_pair
from systemd.deb.build import build
from systemd.deb.environment import HOME, SITE
from systemd.deb.sources import ROOT, version

pytestmark = pytest.mark.timeout(900)  # the first test builds it
EPOCH = 1_700_000_000
UNITS = (
    "tableside.service",
    "tableside-web.service",
    "tableside-kiosk.service",
    "tableside-uplink.service",
    "tableside-progressive.service",
    "tableside-floor.service",
    "tableside-nats.service",
)
TARGETS = ("sysinit", "basic", "shutdown", "network", "network-online", "time-sync", "multi-user")
BIGGEST = 25_000_000
"""Bytes of the whole package."""
PAPERS = (
    "install.md",
    "floor.md",
    "copyright",
    "examples/table.toml",
    "examples/floor.toml",
    "examples/prometheus/tableside.rules.yml",
)
INTERNAL = "__pycache__"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    make_key_pair(folder / "release.key")
    return build(folder, version(), EPOCH, folder / "release.key")


@pytest.fixture(scope="module")
def root(package: Path) -> Path:
    """The unpacked package, with DEBIAN/ in it."""
    folder = package.parent / "root"
    subprocess.run(["dpkg-deb", "--raw-extract", package, folder], check=True)
    return folder


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


def test_no_folder_of_who_built_it_is_named(root: Path, package: Path) -> None:
    python = Path(sys.base_prefix)  # libraries of another interpreter than the system's may hold its path
    folders = {ROOT, package.parent.parent, python} - {Path("/usr")}
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
    assert f"from {module} import {name}\n\n{name}()\n" in command


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


def test_the_package_lists_the_sum_of_every_file(root: Path) -> None:
    lines = (root / "DEBIAN/md5sums").read_text().splitlines()
    sums = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    there = {path.relative_to(root).as_posix(): path for path in files(root)}
    there = {name: path for name, path in there.items() if not name.startswith("DEBIAN/")}
    assert sums == {
        name: md5(path.read_bytes(), usedforsecurity=False).hexdigest() for name, path in there.items()
    }


def test_modes_and_times_are_nobodys(root: Path) -> None:
    for path in files(root):
        assert path.stat().st_mode & 0o777 in {0o644, 0o755}, path
        assert path.stat().st_mtime == EPOCH or path.is_relative_to(root / "DEBIAN"), path


@pytest.mark.parametrize("unit", UNITS)
def test_units_verify_where_they_lie(unit: str, root: Path, tmp_path: Path) -> None:
    """In a root with the package's files, the compositor, and the parts of systemd that the units name."""
    machine = tmp_path / "machine"
    units = machine / "usr/lib/systemd/system"
    units.mkdir(parents=True)
    for name in UNITS:
        (units / name).write_bytes((root / "usr/lib/systemd/system" / name).read_bytes())
    for name in TARGETS:
        (units / f"{name}.target").write_text("[Unit]\n")
    (units / "getty@.service").write_text("[Service]\nExecStart=/usr/bin/env\n")
    (machine / "usr/bin").mkdir()
    (machine / "usr/bin/env").write_text("#!/bin/sh\n")
    for name in ("sh", "kill"):
        (machine / "usr/bin" / name).write_text("#!/bin/sh\n")
    (machine / "bin").symlink_to("usr/bin")
    (machine / "usr/bin/tableside").write_bytes((root / HOME / "bin/tableside").read_bytes())
    (machine / "usr/local/bin").mkdir(parents=True)
    (machine / "usr/local/bin/nats-server").write_text("#!/bin/sh\n")
    for program in (*(machine / "usr/bin").iterdir(), machine / "usr/local/bin/nats-server"):
        program.chmod(0o755)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", f"--root={machine}", unit],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_nothing_of_a_machine_is_overwritten(root: Path) -> None:
    """Only folders of packages: what an owner changes in /etc is theirs."""
    tops = {path.relative_to(root).parts[0] for path in files(root)}
    assert tops == {"DEBIAN", "opt", "usr"}


@pytest.mark.parametrize("script", ["postinst", "prerm", "postrm"])
def test_scripts_are_a_shells(script: str, root: Path) -> None:
    path = root / "DEBIAN" / script
    assert path.stat().st_mode & 0o777 == 0o755
    subprocess.run(["sh", "-n", path], check=True)


def test_the_script_that_units_run_is_a_shells(root: Path) -> None:
    subprocess.run(["sh", "-n", root / "usr/lib/tableside/restart-pause"], check=True)


def test_no_script_removes_a_journal(root: Path) -> None:
    words = (root / "DEBIAN/postrm").read_text()
    removed = [line for line in words.splitlines() if line.strip().startswith("rm ")]
    assert removed
    assert not [line for line in removed if "journal" in line or line.rstrip().endswith("/var/lib/tableside")]


def test_papers_and_examples_are_there(root: Path) -> None:
    papers = root / "usr/share/doc/tableside"
    for name in PAPERS:
        assert (papers / name).is_file(), name
