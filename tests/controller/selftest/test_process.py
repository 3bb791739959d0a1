"""Changed installed files: nothing runs, and no device is spoken to (A3, A4, C1)."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from controller.journal.history import History
from controller.selftest import files
from tests.fixtures.daemon_process import COMMAND, configured, daemon_process, nothing_sent, silent_port
from tests.fixtures.waiting import PATIENCE

pytestmark = pytest.mark.usefixtures("fork_server")

CHANGED = ("controller/monitor/templates/table.html", "drivers/protocol/tsl_pb2.pyi", "controller/py.typed")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both packages in a folder of their own, with the manifest that their own command wrote."""
    root = tmp_path_factory.mktemp("installed")
    for package in files.PACKAGES:
        shutil.copytree(files.ROOT / package, root / package, ignore=shutil.ignore_patterns(files.CACHE))
    command = [sys.executable, "-c", COMMAND, "manifest", "--install"]
    subprocess.run(command, cwd=root, check=True, capture_output=True, timeout=PATIENCE)
    assert (root / "controller" / files.NAME).exists()
    return root


def refusal(config: Path, installed: Path) -> list[str]:
    """The output of a daemon that does not start."""
    with silent_port(config.with_name("shoe")) as shoe, daemon_process(config, folder=installed) as refused:
        _, logged = refused.process.communicate(timeout=PATIENCE)
        assert refused.process.returncode == 1
        assert nothing_sent(shoe)
    assert not config.with_name("journal").exists()
    return logged.splitlines()


def test_an_unchanged_installation_runs_and_reports_its_manifest(installed: Path, tmp_path: Path) -> None:
    config = configured(tmp_path)
    with daemon_process(config, folder=installed) as running:
        assert running.status().startswith("READY=1\nSTATUS=The table is ready")
        seen = json.loads(running.get("api/v1/table")[1])["selftest"]
        assert running.end()[0] == 0
    manifest = json.loads((installed / "controller" / files.NAME).read_text())
    number = len(manifest["files"])
    assert seen == f"{number:,} own files are as installed, manifest {manifest['digest'][:12]}"
    rows = [
        json.loads(entry.content.body)
        for entry in History(tmp_path / "journal").rows()
        if _is_test(entry.content.kind)
    ]
    assert rows == [{"version": manifest["version"], "files": number, "manifest": manifest["digest"]}]


def _is_test(kind: str) -> bool:
    return kind == "self-test"


@pytest.mark.parametrize("name", CHANGED)
def test_one_changed_byte_stops_the_daemon(installed: Path, tmp_path: Path, name: str) -> None:
    path = installed / name
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + b"?")
    try:
        logged = refusal(configured(tmp_path), installed)
    finally:
        path.write_bytes(whole)
    assert logged == [
        "tableside: own files are not those that were installed",
        f"tableside: {name}: changed",
    ]


def test_an_extra_and_a_missing_file_stop_the_daemon(installed: Path, tmp_path: Path) -> None:
    extra, missing = installed / "controller/games/extra.py", installed / "drivers/py.typed"
    extra.write_text("")
    missing.rename(tmp_path / "away")
    try:
        logged = refusal(configured(tmp_path), installed)
    finally:
        extra.unlink()
        (tmp_path / "away").rename(missing)
    assert logged[1:] == [
        "tableside: controller/games/extra.py: not in the manifest",
        "tableside: drivers/py.typed: missing",
    ]


def test_a_missing_configured_manifest_stops_the_daemon(tmp_path: Path) -> None:
    config = configured(tmp_path)
    config.write_text(f'{config.read_text()}\n[selftest]\nmanifest = "absent.json"\n')
    logged = refusal(config, files.ROOT)
    assert logged == [
        f"tableside: manifest {tmp_path / 'absent.json'} cannot be read: No such file or directory"
    ]


def test_a_manifest_that_the_release_key_did_not_sign_stops_the_daemon(
    installed: Path, tmp_path: Path
) -> None:
    """Signed, it runs; a table that knows another release key does not start, and one that knows it does not
    start without the signature."""
    key = tmp_path / "release.key"
    command = [sys.executable, "-c", COMMAND, "manifest", "--install", "--sign", str(key), "--new-key"]
    subprocess.run(command, cwd=installed, check=True, capture_output=True, timeout=PATIENCE)
    signature, manifest = installed / "controller/manifest.json.sig", installed / "controller" / files.NAME
    try:
        assert "signed by the release key" in seen_at(released(tmp_path / "right", key), installed)
        foreign = released(tmp_path / "foreign", key)
        foreign.with_name("release.pub").write_text("ab" * 32)
        (by_another,) = refusal(foreign, installed)
        signature.unlink()
        (unsigned,) = refusal(released(tmp_path / "unsigned", key), installed)
    finally:
        signature.unlink(missing_ok=True)
    assert by_another.startswith(f"tableside: manifest {manifest} is signed by ")
    assert unsigned.startswith(f"tableside: manifest {manifest} is not signed: {signature} is missing")


def released(folder: Path, key: Path) -> Path:
    """The configuration of a table that knows the release key."""
    folder.mkdir()
    shutil.copy(f"{key}.pub", folder / "release.pub")
    return configured(folder)


def seen_at(config: Path, installed: Path) -> str:
    """What the page of a running table says about its own files."""
    with daemon_process(config, folder=installed) as running:
        assert running.status().startswith("READY=1\nSTATUS=The table is ready")
        shown = str(json.loads(running.get("api/v1/table")[1])["selftest"])
        assert running.end()[0] == 0
    return shown
