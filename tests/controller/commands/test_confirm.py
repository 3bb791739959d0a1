"""A table whose journal proves nothing halts until two supervisors confirm the journal."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from controller.access.accounts import Accounts
from controller.access.store import AccessStore
from controller.commands.app import app
from controller.config import read
from controller.daemon.daemon import open_journal
from controller.journal import names
from controller.journal.chain import RowContent
from controller.journal.errors import JournalUnconfirmed
from controller.journal.history import History
from controller.journal.journal import Journal
from controller.journal.signing import Signer, signer
from controller.journal.trust import CONFIRMED, confirmation_path, write_public
from tests.fixtures.access_desk import add_person
from tests.fixtures.daemon_process import configured, daemon_process, nothing_sent, silent_port

FIRST = "correct horse battery"
SECOND = "staple correct horse"
ROWS = [RowContent(1_700_000_000.0 + n, "alert", json.dumps({"text": str(n)})) for n in range(5)]
WORDS = ("--who", "Ann", "--second", "Bo", "--why", "compared with the last slip")


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A table with accounts, a public key and a journal."""
    path = configured(tmp_path)
    store = AccessStore(tmp_path / "access.db")
    accounts = Accounts(store)
    add_person(accounts, "Ann", "supervisor", FIRST)
    add_person(accounts, "Bo", "supervisor", SECOND)
    add_person(accounts, "Tim", "technician", FIRST)
    store.close()
    section = read(path).journal
    write_public(Path(section.public), signer(Path(section.key)).public)
    with open_journal(read(path)) as journal:
        journal.append(ROWS)
    return path


def confirm(config: Path, *words: str, secrets: tuple[str, ...] = (FIRST, SECOND)) -> Result:
    typed = "".join(f"{secret}\n" for secret in secrets)
    return CliRunner().invoke(app, ["confirm", "--config", str(config), *(words or WORDS)], input=typed)


def confirmation(config: Path) -> Path:
    return confirmation_path(Path(read(config).journal.public))


def unrecorded(config: Path) -> Path:
    path = Path(read(config).journal.path)
    names.head(path).unlink()
    return path


@pytest.mark.usefixtures("fork_server")
def test_a_journal_without_its_record_halts_until_two_supervisors_confirm_it(config: Path) -> None:
    path = unrecorded(config)
    with silent_port(config.with_name("shoe")) as shoe:
        with daemon_process(config) as halted:
            assert halted.status().startswith(f"READY=1\nSTATUS=Halted: journal {path} ends at row 6, and ")
            html = halted.until_halted()
            assert "Two supervisors must confirm the journal" in html
            assert "tableside journal confirm" in html
            assert nothing_sent(shoe)
            assert halted.end()[0] == 1
        done = confirm(config)
        assert (done.exit_code, done.stdout.count("- journal")) == (0, 1)
        assert "Ann and Bo confirm the journal up to row 6." in done.stdout
        with daemon_process(config) as playing:
            assert playing.status().startswith("READY=1\nSTATUS=The table is ready")
            alerts = json.loads(playing.get("api/v1/table")[1])["alerts"]
            assert "Ann and Bo confirmed the journal up to row 6: compared with the last slip" in alerts
            assert playing.end()[0] == 0
    kinds = {entry.content.kind: entry.content.body for entry in History(path).rows()}
    body = json.loads(kinds[CONFIRMED])
    assert (body["who"], body["second"], body["row"]) == ("Ann", "Bo", 6)
    assert body["why"] == "compared with the last slip"
    assert "signed in" in "".join(entry.content.body for entry in History(path).rows())


def test_a_foreign_last_signature_halts_until_two_supervisors_confirm_it(config: Path) -> None:
    with Journal(Path(read(config).journal.path), signer=Signer(b"\x07" * 32)) as journal:
        journal.append(ROWS)
    with pytest.raises(JournalUnconfirmed, match="signed by the key"):
        open_journal(read(config))
    assert confirm(config).exit_code == 0
    open_journal(read(config)).close()


def test_the_keys_that_signed_are_kept(config: Path) -> None:
    theirs = Signer(b"\x07" * 32)
    with Journal(Path(read(config).journal.path), signer=theirs) as journal:
        journal.append(ROWS)
    assert confirm(config).exit_code == 0
    assert json.loads(confirmation(config).read_text())["keys"] == [theirs.public.hex()]


@pytest.mark.parametrize(
    ("words", "secrets", "says"),
    [
        (
            ("--who", "Ann", "--second", "ann"),
            (FIRST, FIRST),
            "Ann cannot confirm twice",
        ),
        (("--who", "Ann", "--second", "Tim"), (FIRST, FIRST), "Tim is a technician; allowed: a supervisor"),
        (("--who", "Ann", "--second", "Eve"), (FIRST, FIRST), "account 'Eve' is not there"),
        (("--who", "Ann", "--second", "Bo"), (FIRST, FIRST), "name or password is not right"),
        (("--who", "Ann", "--second", "Bo"), (FIRST,), "password of Bo: missing"),
    ],
)
def test_only_two_different_supervisors_may_confirm_a_journal(
    config: Path, words: tuple[str, ...], secrets: tuple[str, ...], says: str
) -> None:
    unrecorded(config)
    done = confirm(config, *words, "--why", "seen", secrets=secrets)
    assert (done.exit_code, says in done.stderr) == (1, True)
    assert not confirmation(config).exists()


def test_a_sound_or_missing_journal_takes_no_confirmation(config: Path) -> None:
    assert "needs no confirmation" in confirm(config).stderr
    path = unrecorded(config)
    path.unlink()
    done = confirm(config)
    assert (done.exit_code, "is damaged or missing" in done.stderr) == (1, True)


def test_the_hash_of_a_row_that_may_hold_the_face_down_card_is_told_to_nobody(config: Path) -> None:
    path = unrecorded(config)
    done = confirm(config)
    last = list(History(path).rows())[-1]
    assert last.hash.hex() in confirmation(config).read_text()
    assert last.hash.hex() not in done.stdout + done.stderr
    assert confirmation(config).stat().st_mode & 0o007 == 0


def test_a_confirmation_needs_a_reason(config: Path) -> None:
    unrecorded(config)
    done = confirm(config, *WORDS[:4], "--why", "")
    assert (done.exit_code, "--why has 0 characters; allowed: 1 to 200" in done.stderr) == (2, True)
