"""`tableside device sign-maker-key` and `tableside device replace-maker-key`: what is refused before a device
is spoken to."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from controller.commands.app import app
from controller.journal.journal import Journal
from drivers.key_files import store_key, store_public
from drivers.protocol.codes import DeviceClass
from drivers.update.image import serialize as serialize_image
from drivers.update.maker_key import read_maker_key, serialize, sign_maker_key
from drivers.update.signing import public_key
from tests.controller.commands.updates import NEXT, PASSWORDS, Site
from tests.drivers.update.desk import MAKER, ROOT, made
from tests.fixtures.access_desk import PASSWORD

SIGNED = sign_maker_key(public_key(NEXT), DeviceClass.DISPLAY, "sim", 1, ROOT)


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


def run(*arguments: str, typed: str = PASSWORDS) -> Result:
    return CliRunner().invoke(app, arguments, input=typed)


def refusal(site: Site, device: str = "display", typed: str = PASSWORDS, **other: str) -> tuple[int, str]:
    """Exit status and output; nothing may have been sent to a device, or written."""
    ended = run(*site.key_arguments(device, **other), typed=typed)
    assert not (site.folder / "journal").exists() or not site.rows("maker key")
    return ended.exit_code, ended.stderr


def test_a_makers_key_needs_two_persons_who_prove_who_they_are(site: Site) -> None:
    status, text = refusal(site, second="a. smith")
    assert (status, "--second 'a. smith': not allowed; allowed: another person" in text) == (2, True)
    status, text = refusal(site, second="E. Vane")
    assert (status, "E. Vane is an auditor; allowed: a technician or supervisor" in text) == (1, True)
    status, text = refusal(site, typed=f"{PASSWORD}\nwrong\n")
    assert (status, "name or password is not right" in text) == (1, True)


def test_a_makers_key_for_a_missing_or_foreign_device_is_refused(site: Site) -> None:
    status, text = refusal(site, "shuffler")
    assert (status, "DEVICE = 'shuffler': not configured; allowed: shoe, sensors" in text) == (2, True)
    status, text = refusal(site, "shoe")
    assert (status, "its maker says how" in text) == (2, True)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (
            serialize(sign_maker_key(public_key(NEXT), DeviceClass.SHOE, "sim", 1, ROOT)),
            "is for a shoe, not for a display",
        ),
        (serialize(SIGNED)[:-2], "its second line must end within 1000 bytes"),
        (serialize_image(made()), "not a maker's key: it must begin with 'TSL/1 maker key'"),
        (serialize(SIGNED).replace(b'"signature": "', b'"signed": "'), "it is not signed"),
    ],
)
def test_an_invalid_file_of_a_makers_key_is_refused(site: Site, content: bytes, words: str) -> None:
    site.maker_key.write_bytes(content)
    status, text = refusal(site)
    assert (status, words in text) == (1, True), text


def test_the_root_key_is_checked_where_it_is_given(site: Site) -> None:
    status, text = refusal(site, root=str(site.maker))
    assert (status, f"the signature is not that of the root key in {site.maker}" in text) == (1, True)


def test_a_running_daemon_keeps_the_journal_against_a_makers_key(site: Site) -> None:
    with Journal(site.folder / "journal"):
        status, text = refusal(site)
    assert (status, "stop the daemon first" in text) == (1, True)


def test_a_device_that_does_not_answer_gets_no_key_and_the_journal_says_so(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With less patience than in earnest."""
    monkeypatch.setattr("drivers.update.key_replacement.LIMITS", {"meeting": (0.01, "it does not answer")})
    ended = run(*site.key_arguments(), "--json")
    answer = json.loads(ended.stdout)
    assert ended.exit_code == 1
    assert "display: looking for the device" in ended.stderr
    assert "display.port cannot be opened: No such file" in ended.stderr
    assert "display: failed: it does not answer" in ended.stderr
    assert answer == site.rows("maker key")[-1]
    assert [row["result"] for row in site.rows("maker key")] == ["begun", "failed"]
    assert (answer["generation"], answer["key"]) == (1, public_key(NEXT).hex())
    assert (answer["who"], answer["second"]) == ("A. Smith", "B. Jones")


class TestSigningKeys:
    def sign(self, folder: Path, *more: str, generation: str = "1", kind: str = "shoe") -> Result:
        store_public(public_key(NEXT), folder / "next.pub")
        options = {"class": kind, "hardware": "A1", "generation": generation, "root": f"{folder}/root.key"}
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        return run("device", "sign-maker-key", f"{folder}/next.pub", *words, *more)

    def test_a_root_key_is_made_once_and_signs(self, tmp_path: Path) -> None:
        first = self.sign(tmp_path, "--new-root")
        assert first.exit_code == 0, first.stderr
        signed = read_maker_key(tmp_path / "next.pub.signed")
        root = bytes.fromhex((tmp_path / "root.key.pub").read_text())
        assert signed.signed_by(root)
        assert (signed.device_class, signed.hardware, signed.generation) == (DeviceClass.SHOE, "A1", 1)
        assert signed.key == public_key(NEXT)
        assert root.hex() in first.stdout
        assert signed.key.hex() in first.stdout
        again = self.sign(tmp_path, "--new-root")
        assert (again.exit_code, "already has a key" in again.stderr) == (1, True)
        assert self.sign(tmp_path, "--out", f"{tmp_path}/other", generation="2").exit_code == 0
        assert read_maker_key(tmp_path / "other").generation == 2

    def test_wrong_arguments_for_a_makers_key_are_named(self, tmp_path: Path) -> None:
        assert "is missing" in self.sign(tmp_path).stderr
        store_key(MAKER, tmp_path / "root.key")
        assert "--class 'wheel': not allowed" in self.sign(tmp_path, kind="wheel").stderr
        ended = self.sign(tmp_path, generation="0")
        assert (ended.exit_code, "generation 0: allowed are 1 to 4294967295" in ended.stderr) == (2, True)
        assert not (tmp_path / "next.pub.signed").exists()
        (tmp_path / "next.pub").unlink()
        missing = run(
            "device",
            "sign-maker-key",
            f"{tmp_path}/next.pub",
            *("--class", "shoe", "--hardware", "A1", "--generation", "1", "--root", f"{tmp_path}/root.key"),
        )
        assert (missing.exit_code, "cannot be read: No such file" in missing.stderr) == (1, True)
