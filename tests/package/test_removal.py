"""What a purge takes and what it leaves. The scripts run in a folder instead of a whole machine, with
Debian's own helper and systemctl; `make deb-test` purges the packages in machines."""

import os
import shlex
import subprocess
from pathlib import Path

import pytest

from systemd.deb.control import MAINTAINER
from systemd.deb.layout import UNITS
from systemd.deb.packages import FLOOR, PACKAGES, TABLE, Package

NOT_HERE = ("systemd-sysusers", "systemd-tmpfiles", "find")
"""Programs that need users of the whole machine."""
ENABLED_BY_HAND = {
    TABLE.name: ("tableside-uplink", "tableside-bridge", "tableside-kiosk"),
    FLOOR.name: ("tableside-nats", "tableside-floor", "tableside-progressive"),
}
"""By package."""
EVIDENCE = (
    "var/lib/tableside-floor/stores/day-2026-11-20.sqlite",
    "var/lib/tableside-floor/stores/floor.journal",
    "var/lib/tableside-progressive/sevens.journal",
)
OF_THE_TABLE = ("etc/tableside/keys/shoe.key", "etc/tableside/table.toml")
OF_THE_FLOOR = (
    "etc/tableside/authority/issued/bj-1-U.jwt",
    "etc/tableside/authority/operator.seed",
    "etc/tableside/floor.toml",
    "etc/tableside/keys/floor.key",
    "etc/tableside/keys/progressive.creds",
    "etc/tableside/keys/progressive.key",
    "etc/tableside/nats/server.key",
    "etc/tableside/progressive.toml",
    "var/lib/tableside-floor/access.db",
    "var/lib/tableside-floor/access.db-wal",
    "var/lib/tableside-nats/jetstream/A/streams/JOURNAL/msgs/1.blk",
)


def call(package: Package, script: str, root: Path, *arguments: str) -> None:
    """Runs a maintainer script of the package on the machine whose root is `root`."""
    text = (MAINTAINER / package.name / script).read_text()
    for folder in ("/etc/", "/var/lib/", "/opt/", "/run/"):
        text = text.replace(folder, f"{shlex.quote(str(root))}{folder}")
    programs = root / "programs"
    programs.mkdir(exist_ok=True)
    for name in NOT_HERE:
        (programs / name).write_text("#!/bin/sh\n")
        (programs / name).chmod(0o755)
    environment = {
        "PATH": f"{programs}:{os.environ['PATH']}",
        "DPKG_ROOT": str(root),
        "DPKG_MAINTSCRIPT_PACKAGE": package.name,
    }
    done = subprocess.run(["sh", "-c", text, script, *arguments], env=environment, check=False)
    assert done.returncode == 0


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """With the files of both packages that systemd reads, and no others."""
    for package in PACKAGES:
        for source, target in package.layout.files.items():
            if target.parent == UNITS:
                (tmp_path / UNITS).mkdir(parents=True, exist_ok=True)
                (tmp_path / target).write_bytes((MAINTAINER.parents[2] / source).read_bytes())
    return tmp_path


def written(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("words")


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_a_purge_leaves_no_service_enabled(package: Package, root: Path) -> None:
    """Or a new installation would start services that nobody has enabled."""
    call(package, "postinst", root, "configure", "")
    enable = ["systemctl", f"--root={root}", "enable", *ENABLED_BY_HAND[package.name]]
    subprocess.run(enable, check=True, capture_output=True)
    links = root / "etc/systemd/system/multi-user.target.wants"
    assert {f"{name}.service" for name in ENABLED_BY_HAND[package.name]} <= {
        link.name for link in links.iterdir()
    }
    call(package, "postrm", root, "purge")
    assert [path for path in (root / "etc").rglob("*") if path.is_symlink()] == []
    assert not list(root.glob("var/lib/systemd/deb-systemd-helper-enabled/**/tableside*"))


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_an_installation_enables_nothing_that_people_enable(package: Package, root: Path) -> None:
    call(package, "postinst", root, "configure", "")
    call(package, "postinst", root, "configure", "0.0.9")
    enabled = {path.stem for path in (root / "etc").rglob("*.service") if path.is_symlink()}
    assert not enabled & set(ENABLED_BY_HAND[package.name])


def test_a_purge_of_a_floor_leaves_evidence_and_what_is_the_tables(root: Path) -> None:
    written(root, *EVIDENCE, *OF_THE_TABLE, *OF_THE_FLOOR)
    call(FLOOR, "postrm", root, "purge")
    left = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    assert {name for name in left if name.startswith(("etc/", "var/"))} == {*EVIDENCE, *OF_THE_TABLE}


def test_a_removal_without_a_purge_leaves_everything(root: Path) -> None:
    written(root, *EVIDENCE, *OF_THE_TABLE, *OF_THE_FLOOR)
    call(FLOOR, "postrm", root, "remove")
    assert all((root / name).is_file() for name in (*EVIDENCE, *OF_THE_TABLE, *OF_THE_FLOOR))
