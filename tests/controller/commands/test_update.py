"""`tableside device update` and `tableside device sign-update`: what is refused before a device is spoken
to."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from controller.commands.app import app
from controller.journal.journal import Journal
from controller.table.record.codec import to_row
from drivers.protocol.codes import DeviceClass
from drivers.update.image import parse, read_update, serialize
from drivers.update.signing import public_key
from tests.controller.commands.updates import PASSWORDS, Site
from tests.drivers.update.desk import IMAGE, MAKER, made
from tests.fixtures.access_desk import PASSWORD
from tests.fixtures.device_inputs import Script


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


def run(*arguments: str, typed: str = PASSWORDS) -> Result:
    return CliRunner().invoke(app, arguments, input=typed)


def refusal(site: Site, device: str = "display", **other: str) -> tuple[int, str]:
    """Exit status and output; nothing may have been sent to a device, or written."""
    ended = run(*site.arguments(device, **other))
    assert not (site.folder / "journal").exists() or not site.firmware()
    return ended.exit_code, ended.stderr


@pytest.mark.parametrize("second", ["A. Smith", " a. smith ", "", "x" * 201])
def test_an_update_needs_two_persons(site: Site, second: str) -> None:
    status, text = refusal(site, second=second)
    assert status == 2
    assert f"--second {second.strip()!r}: not allowed; allowed: " in text


@pytest.mark.parametrize(
    ("names", "typed", "says"),
    [
        ({"second": "B. Jons"}, PASSWORDS, "account 'B. Jons' is not there"),
        ({"second": "E. Vane"}, PASSWORDS, "E. Vane is an auditor; allowed: a technician or supervisor"),
        ({}, f"{PASSWORD}\n", "password of B. Jones: missing"),
        ({}, f"{PASSWORD}\nwrong\n", "name or password is not right"),
    ],
)
def test_an_update_needs_two_persons_who_prove_who_they_are(
    site: Site, names: dict[str, str], typed: str, says: str
) -> None:
    ended = run(*site.arguments(**names), typed=typed)
    assert (ended.exit_code, says in ended.stderr) == (1, True), ended.stderr
    assert not (site.folder / "journal").exists()


def test_the_journal_keeps_the_names_of_the_accounts(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("drivers.update.progress.LIMITS", {"meeting": (0.01, "it does not answer")})
    run(*site.arguments(who="a. smith", second="b. JONES"))
    assert [(record["who"], record["second"]) for record in site.firmware()] == [("A. Smith", "B. Jones")] * 2


def test_a_missing_or_foreign_device_is_refused(site: Site) -> None:
    status, text = refusal(site, "shuffler")
    assert (status, "DEVICE = 'shuffler': not configured; allowed: shoe, sensors" in text) == (2, True)
    status, text = refusal(site, "shoe")
    assert (status, "its maker says how" in text) == (2, True)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (serialize(made(device_class=DeviceClass.SHOE)), "is for a shoe, not for a display"),
        (serialize(made())[:-1], "774 bytes of image, the manifest says 775: it is incomplete"),
        (serialize(made())[:-1] + b"!", "the image has another SHA-256 than the manifest: it is damaged"),
        (IMAGE, "not a firmware update: it must begin with"),
        (serialize(made()).replace(b'"signature": "', b'"signed": "'), "it is not signed"),
    ],
)
def test_invalid_update_files_are_refused(site: Site, content: bytes, words: str) -> None:
    site.image.write_bytes(content)
    status, text = refusal(site)
    assert (status, words in text) == (1, True)


def test_the_maker_is_checked_where_its_key_is_given(site: Site) -> None:
    site.maker.write_text(public_key(bytes(32)).hex())
    status, text = refusal(site, maker=str(site.maker))
    assert (status, "the signature is not that of the maker" in text) == (1, True)


def test_a_running_daemon_keeps_the_journal(site: Site) -> None:
    with Journal(site.folder / "journal"):
        status, text = refusal(site)
    assert (status, "stop the daemon first" in text) == (1, True)


def test_a_table_that_is_not_closed_refuses_an_update(site: Site) -> None:
    script = Script()
    with Journal(site.folder / "journal") as journal:
        journal.append(
            [to_row(0.0, event) for event in (*script.opening(), script.event("shoe", b"?", critical=True))]
        )
    status, text = refusal(site)
    assert status == 1
    assert "the table is not closed: Unknown to this version, yet critical" in text


def test_a_device_that_does_not_answer_fails_the_update(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """With less patience than in earnest."""
    monkeypatch.setattr("drivers.update.progress.LIMITS", {"meeting": (0.01, "it does not answer")})
    ended = run(*site.arguments())
    assert ended.exit_code == 1
    assert "display.port cannot be opened: No such file" in ended.stdout
    assert [record["result"] for record in site.firmware()] == ["begun", "failed"]


def test_an_update_that_failed_is_printed_as_json(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("drivers.update.progress.LIMITS", {"meeting": (0.01, "it does not answer")})
    ended = run(*site.arguments(), "--json")
    answer = json.loads(ended.stdout)
    assert (ended.exit_code, answer["device"], answer["result"]) == (1, "display", "failed")
    assert (answer["who"], answer["second"], answer["before"]) == ("A. Smith", "B. Jones", "")
    assert (answer["version"], answer["sha256"]) == (
        read_update(site.image).manifest.version,
        read_update(site.image).manifest.sha256.hex(),
    )
    assert f"display: failed: {answer['text']}" in ended.stderr
    assert "display: looking for the device" in ended.stderr


class TestSigning:
    def sign(self, folder: Path, *more: str, version: str = "3", kind: str = "shoe") -> Result:
        (folder / "fw").write_bytes(IMAGE)
        return run(
            "sign-update",
            f"{folder}/fw",
            "--class",
            kind,
            "--hardware",
            "sim",
            "--version",
            version,
            "--key",
            f"{folder}/key",
            *more,
        )

    def test_a_key_is_made_once_and_signs(self, tmp_path: Path) -> None:
        first = self.sign(tmp_path, "--new-key")
        assert first.exit_code == 0
        update = read_update(tmp_path / "fw.update")
        public = bytes.fromhex((tmp_path / "key.pub").read_text())
        assert update.manifest.signed_by(public)
        assert (update.image, update.manifest.version) == (IMAGE, 3)
        assert public.hex() in first.stdout
        assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
        again = self.sign(tmp_path, "--new-key")
        assert (again.exit_code, "already has a key" in again.stderr) == (1, True)
        assert self.sign(tmp_path, "--out", f"{tmp_path}/other", version="4").exit_code == 0
        assert parse((tmp_path / "other").read_bytes()).manifest.signed_by(public)

    def test_wrong_signing_arguments_are_named(self, tmp_path: Path) -> None:
        (tmp_path / "key").write_text(MAKER.hex())
        (tmp_path / "key").chmod(0o600)
        assert "--class 'wheel': not allowed" in self.sign(tmp_path, kind="wheel").stderr
        assert "version 4294967296: allowed are 0" in self.sign(tmp_path, version="4294967296").stderr
        (tmp_path / "key").unlink()
        assert "is missing" in self.sign(tmp_path).stderr


def test_the_second_line_of_a_file_is_json(site: Site) -> None:
    assert json.loads(site.image.read_bytes().splitlines()[1])["class"] == "display"
