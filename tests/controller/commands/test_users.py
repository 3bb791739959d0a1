"""`tableside people`: accounts from the command line, while a daemon uses the same file."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from controller.access.desk import AccessDesk
from controller.commands.app import app
from tests.fixtures.access_desk import BADGE, FROM, PASSWORD, PIN, Clock
from tests.fixtures.daemon_process import CONFIG

ANN = ("Ann", "--role", "supervisor")
DEE = ("Dee", "--role", "dealer")


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(CONFIG.format(tmp_path))
    return path


def users(config: Path, *words: str, secret: str = "") -> Result:
    return CliRunner().invoke(app, ["users", *words, "--config", str(config)], input=f"{secret}\n")


def account_rows(config: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(users(config, "list", "--json").stdout)
    for one in found:
        assert (one.pop("since") is not None) == (one["password"] or one["pin"])
        assert len(str(one.pop("id"))) == 16
        assert [one.pop(name) for name in ("floor", "sealed", "tables", "pits")] == [False, False, [], []]
    return found


async def test_whoever_is_added_may_sign_in_at_once(config: Path) -> None:
    with AccessDesk(config.with_name("access.db"), Clock(), Clock()) as running:
        added = users(config, "add", *ANN, "--by", "root", secret=PASSWORD)
        assert (added.exit_code, added.stdout) == (0, "Ann may sign in as supervisor\n")
        assert users(config, "add", *DEE, "--stdin", secret=PIN).exit_code == 0
        assert users(config, "badge", "dee", "--stdin", secret=BADGE).exit_code == 0
        await running.sign_in("password", "Ann", PASSWORD, FROM)
        await running.sign_in("pin", "Dee", PIN, "127.0.0.1")
        token, _ = await running.sign_in("badge", "", BADGE, "127.0.0.1")
        assert users(config, "lock", "Dee").exit_code == 0
        assert running.sessions.find(token) is None
        texts = [(one.who, one.text) for _, one in running.pending_records() if one.what == "account"]
    assert texts[:2] == [
        ("root", "Account Ann (supervisor) is made"),
        ("root", "Account Ann (supervisor) has a new password"),
    ]
    assert account_rows(config) == [
        {
            "name": "Ann",
            "role": "supervisor",
            "locked": False,
            "password": True,
            "pin": False,
            "badge": False,
        },
        {"name": "Dee", "role": "dealer", "locked": True, "password": False, "pin": True, "badge": True},
    ]


def test_another_role_needs_another_secret(config: Path) -> None:
    users(config, "add", *DEE, secret=PIN)
    same = users(config, "role", "Dee", "--role", "dealer")
    assert (same.exit_code, "Dee is dealer already; nothing is changed" in same.stderr) == (1, True)
    assert account_rows(config)[0]["pin"]
    assert users(config, "role", "Dee", "--role", "auditor").exit_code == 0
    assert [(one["role"], one["pin"], one["password"]) for one in account_rows(config)] == [
        ("auditor", False, False)
    ]
    assert "nothing yet" in users(config, "list").stdout
    assert users(config, "password", "Dee", secret=PASSWORD).exit_code == 0
    assert users(config, "remove", "Dee").exit_code == 0
    assert account_rows(config) == []


def test_a_table_without_accounts_says_how_the_first_is_made(config: Path) -> None:
    assert users(config, "list").stdout == "there is no account yet: tableside people add\n"


@pytest.mark.parametrize(
    ("words", "secret", "said"),
    [
        (("add", *ANN), "short", "password of 5 characters: allowed: 12 to 200"),
        (("add", *ANN), "Passwort2026!", "password: not allowed; allowed: more than a common word"),
        (("add", *ANN), "ann's own password", "password: not allowed; allowed: one without the name"),
        (("add", *ANN), "aaaaaaaaaaaaaa", "password: not allowed; allowed: at least five different"),
        (("add", *DEE), "1234", "PIN: not allowed; allowed: digits that are neither equal, in a row"),
        (("add", *DEE), "0000", "PIN: not allowed; allowed: digits that are neither equal"),
        (("add", *DEE), "1212", "PIN: not allowed; allowed: digits that are neither equal"),
        (("add", *DEE), "98765", "PIN: not allowed; allowed: digits that are neither equal"),
        (("add", *DEE), "258", "PIN: not allowed; allowed: 4 to 8 digits"),
        (("add", *DEE), "٢٥٨٠", "PIN: not allowed; allowed: 4 to 8 digits"),
        (("add", " ", "--role", "dealer"), PIN, "name '': not allowed; allowed: 1 to 40"),
        (("pin", "Nobody"), PIN, "account 'Nobody' is not there; there are: none"),
    ],
)
def test_what_is_not_good_enough_changes_nothing(
    config: Path, words: tuple[str, ...], secret: str, said: str
) -> None:
    refused = users(config, *words, secret=secret)
    assert refused.exit_code == 1
    assert said in refused.stderr
    assert account_rows(config) == []
    with AccessDesk(config.with_name("access.db"), Clock(), Clock()) as desk:
        assert desk.pending_records() == []


def test_a_badge_is_one_persons(config: Path) -> None:
    users(config, "add", *DEE, secret=PIN)
    users(config, "add", "Don", "--role", "dealer", secret=PIN)
    users(config, "badge", "Dee", secret=BADGE)
    assert "this badge is Dee's already" in users(config, "badge", "Don", secret=BADGE).stderr


def test_a_name_is_there_once_however_it_is_written(config: Path) -> None:
    users(config, "add", *ANN, secret=PASSWORD)
    again = users(config, "add", "ANN", "--role", "auditor", secret=PASSWORD)
    assert (again.exit_code, "account 'ANN' is there already" in again.stderr) == (1, True)


@pytest.mark.parametrize("other", ["\u0410nn", "\u0391nn", "Ar\u0578", "Ann\u3164", "A\u034fnn"])
def test_a_name_that_looks_like_another_ones_is_refused(config: Path, other: str) -> None:
    for name in ("Ann", "Arn"):
        users(config, "add", name, "--role", "supervisor", secret=PASSWORD)
    refused = users(config, "add", other, "--role", "supervisor", secret=PASSWORD)
    assert (refused.exit_code, "it looks like 'A" in refused.stderr) == (1, True)


def test_a_name_is_compared_in_one_form(config: Path) -> None:
    users(config, "add", "Zoe\u0308", "--role", "supervisor", secret=PASSWORD)
    again = users(config, "add", "\uff3ao\u00eb", "--role", "supervisor", secret=PASSWORD)
    assert (again.exit_code, "is there already" in again.stderr) == (1, True)
    assert users(config, "lock", "zo\u00eb").exit_code == 0


def test_names_with_invisible_characters_are_refused(config: Path) -> None:
    refused = users(config, "add", "Ann\u202eeeL", "--role", "supervisor", secret=PASSWORD)
    assert (refused.exit_code, "U+202E (RIGHT-TO-LEFT OVERRIDE)" in refused.stderr) == (1, True)
    unseen = users(config, "add", "\u3164\ufe0f", "--role", "supervisor", secret=PASSWORD)
    assert "not allowed; allowed: 1 to 40 printable characters" in unseen.stderr
    users(config, "add", *ANN, secret=PASSWORD)
    by = users(config, "lock", "Ann", "--by", "Bob\u200b")
    assert (by.exit_code, "U+200B (ZERO WIDTH SPACE)" in by.stderr) == (2, True)


@pytest.mark.parametrize("content", [b"no database at all, but long enough to be looked at as one" * 20])
def test_a_foreign_file_of_accounts_is_refused(config: Path, content: bytes) -> None:
    config.with_name("access.db").write_bytes(content)
    refused = users(config, "list")
    assert (refused.exit_code, "access.db cannot be used" in refused.stderr) == (1, True)
    assert config.with_name("access.db").read_bytes() == content


def test_a_role_that_does_not_exist_is_a_wrong_use(config: Path) -> None:
    refused = users(config, "add", "Ann", "--role", "manager", secret=PASSWORD)
    assert refused.exit_code == 2
    assert "'technician'" in refused.stderr


def test_a_sealed_account_is_marked_and_never_a_dealers(config: Path) -> None:
    assert users(config, "add", "House", "--role", "supervisor", "--sealed", secret=PASSWORD).exit_code == 0
    refused = users(config, "add", *DEE, "--sealed", secret=PIN)
    assert refused.exit_code == 1
    assert "Dee is a dealer; allowed as a sealed account: any role with a password" in refused.stderr
    (house,) = json.loads(users(config, "list", "--json").stdout)
    assert (house["name"], house["sealed"]) == ("House", True)
    assert "sealed" in users(config, "list").stdout


@pytest.fixture
def floor(tmp_path: Path) -> Path:
    path = tmp_path / "floor.toml"
    path.write_text(
        """
property = "house"
servers = ["nats://127.0.0.1:4222"]
[pits]
main = ["bj-1", "bj-2"]
salon = ["bj-9"]
"""
    )
    return path


def test_a_floor_says_where_a_person_may_work(floor: Path) -> None:
    assert users(floor, "add", *ANN, secret=PASSWORD).exit_code == 0
    placed = users(floor, "places", "Ann", "--pit", "main", "--table", "bj-9")
    assert placed.exit_code == 0
    (ann,) = json.loads(users(floor, "list", "--json").stdout)
    assert (ann["tables"], ann["pits"]) == (["bj-9"], ["main"])
    assert "table bj-9, pit main" in " ".join(users(floor, "list").stdout.split())
    assert users(floor, "places", "Ann").exit_code == 0
    (ann,) = json.loads(users(floor, "list", "--json").stdout)
    assert (ann["tables"], ann["pits"]) == ([], [])


@pytest.mark.parametrize(
    ("place", "allowed"),
    [(("--table", "bj-3"), "allowed: bj-1, bj-2, bj-9"), (("--pit", "bj-1"), "allowed: main, salon")],
)
def test_a_place_that_the_floor_does_not_have_is_refused(
    floor: Path, place: tuple[str, str], allowed: str
) -> None:
    users(floor, "add", *ANN, secret=PASSWORD)
    refused = users(floor, "places", "Ann", *place)
    assert refused.exit_code == 2
    assert f"{place[0]} {place[1]!r}: not in the section pits; {allowed}" in refused.stderr
