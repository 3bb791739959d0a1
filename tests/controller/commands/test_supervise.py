"""`tableside table supervise`: who signs in, the preview, its acceptance, and the act."""

import json
import os
from pathlib import Path

import pytest
from typer.testing import Result

from drivers.messages import CardUnpermitted
from tests.fixtures.access_desk import PASSWORD
from tests.fixtures.core_commands import command, configured, run
from tests.fixtures.core_table import CoreTable, open_core

PLAYED = "1:main=1000 close 8h 6d 8s Qh 1:hit 5c"
WHO = ("--who", "Ann", "--why", "seen")
CORRECT = ("correct", "--round", "1", "--seat", "1", "--number", "1", "--old", "8h", "--card", "7h")
VOID = ("void", "--round", "1")
LOCKED = "1:main=500 1:blazing-7s=100 close"
"""A void of this round moves the jackpot."""
NEEDS_ROOT = "override: only root may act without signing in"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return configured(tmp_path)


async def say(config: Path, *words: str, typed: tuple[str, ...] = (PASSWORD,)) -> Result:
    return await command(config, "supervise", *words, *WHO, typed=typed)


def hand(core: CoreTable) -> tuple[str, ...]:
    return core.at.table.state.round.seats[1].hands[0].cards


def access_rows(core: CoreTable) -> list[tuple[str, str]]:
    """What the journal will be told of sign-ins, each with its person."""
    return [(record.what, record.who) for _, record in core.access.pending_records()]


async def test_a_decision_is_taken_in_the_name_of_who_signs_in(config: Path, tmp_path: Path) -> None:
    async with open_core(tmp_path, PLAYED) as core:
        done = await say(config, *VOID, typed=(PASSWORD,))
        (decision,) = core.rows_of("supervisor")
        kept = access_rows(core)
    assert (done.exit_code, done.stderr) == (0, "")
    assert (decision["who"], decision["why"], decision["signed_in"]) == ("Ann", "seen", True)
    assert kept[-2:] == [("signed in", "Ann"), ("signed out", "Ann")]


@pytest.mark.parametrize(
    ("who", "typed", "says"),
    [
        ("Ann", ("not it",), "name or password is not right"),
        ("Ann", (), "password of Ann: missing; needed: type it on the terminal"),
        ("Ghost One", (PASSWORD,), "name or password is not right"),
        ("Ted", (PASSWORD,), "name or password is not right"),
    ],
)
async def test_nobody_decides_without_the_password(
    config: Path, tmp_path: Path, who: str, typed: tuple[str, ...], says: str
) -> None:
    async with open_core(tmp_path, PLAYED) as core:
        done = await command(config, "supervise", *VOID, "--who", who, "--why", "seen", typed=typed)
        assert core.rows_of("supervisor") == []
    assert (done.exit_code, says in done.stderr) == (1, True), done.stderr


async def test_a_dealer_is_told_who_may_decide(config: Path, tmp_path: Path) -> None:
    async with open_core(tmp_path, PLAYED) as core:
        core.access.accounts.set_role("Bob", "auditor", "root")
        core.access.accounts.set_secret("Bob", "password", PASSWORD, "root")
        done = await command(config, "supervise", *VOID, "--who", "Bob", "--why", "seen")
    assert (done.exit_code, done.stderr) == (
        1,
        "tableside: Bob is auditor; allowed: supervisor\n",
    )


async def test_what_changes_is_shown_and_accepted_with_its_token(config: Path, tmp_path: Path) -> None:
    async with open_core(tmp_path, PLAYED) as core:
        shown = await say(config, *CORRECT, "--preview")
        assert shown.exit_code == 0
        assert "Card 7h of seat 1 was read as 8h" in shown.stdout
        assert "8h 8s 5c: 21" in shown.stdout
        assert "7h 8s 5c: 20" in shown.stdout
        assert hand(core) == ("8h", "8s", "5c")
        token = shown.stdout.rsplit("Token: ", 1)[1].strip()
        unasked = await say(config, *CORRECT)
        assert unasked.exit_code == 1
        assert f"To accept this, give the same command with --token {token}" in unasked.stdout
        assert hand(core) == ("8h", "8s", "5c")
        done = await say(config, *CORRECT, "--token", token)
        assert (done.exit_code, done.stdout) == (0, "")
        assert hand(core) == ("7h", "8s", "5c")
        late = await say(config, *CORRECT, "--token", token)
        assert (late.exit_code, "not as 8h" in late.stderr) == (1, True)


async def test_a_decision_and_its_preview_are_printed_as_json(config: Path, tmp_path: Path) -> None:
    async with open_core(tmp_path, PLAYED) as core:
        previewed = await say(config, *CORRECT, "--preview", "--json")
        unaccepted = await say(config, *CORRECT, "--json")
        assert hand(core) == ("8h", "8s", "5c")
        shown = json.loads(previewed.stdout)
        done = await say(config, *CORRECT, "--token", shown["preview"]["token"], "--json")
        answer = json.loads(done.stdout)
        refused = await say(config, *CORRECT, "--token", shown["preview"]["token"], "--json")
        entry = await say(config, "entry", "--device", "shoe", "--licence", "L-7", "--json")
        row = next(core.at.journal.since(answer["row"] - 1))
        assert hand(core) == ("7h", "8s", "5c")
    assert (previewed.exit_code, shown["done"], shown["row"]) == (0, False, None)
    assert "Card 7h of seat 1 was read as 8h" in " ".join(shown["preview"]["sentences"])
    changed = {"about": "Seat 1, hand 1", "before": "8h 8s 5c: 21", "after": "7h 8s 5c: 20", "amounts": False}
    assert changed in shown["preview"]["changes"]
    assert (unaccepted.exit_code, json.loads(unaccepted.stdout)) == (1, shown)
    assert unaccepted.stderr == "tableside: nothing is changed\n"
    assert (done.exit_code, answer["done"], answer["preview"]) == (0, True, None)
    assert (row.content.kind, row.row) == ("supervisor", answer["row"])
    assert (refused.exit_code, refused.stdout, "not as 8h" in refused.stderr) == (1, "", True)
    assert json.loads(entry.stdout)["done"] is True


async def test_a_card_that_is_due_there_is_accepted_with_its_token(config: Path, tmp_path: Path) -> None:
    async with open_core(tmp_path, f"{PLAYED} 1:stand") as core:
        core.script.cards += 1
        core.at.apply(core.script.event("shoe", CardUnpermitted(core.script.cards, "2d")))
        shown = await say(config, "assign", "--round", "1", "--seat", "0")
        assert (shown.exit_code, shown.stdout.startswith("Card 6 is due there\n")) == (1, True)
        token = shown.stdout.rsplit("--token ", 1)[1].strip()
        done = await say(config, "assign", "--round", "1", "--seat", "0", "--token", token)
        assert (done.exit_code, done.stdout) == (0, "")
        again = await say(config, "assign", "--round", "1", "--seat", "0")
        assert core.at.table.state.round.dealer.cards == ("6d", "Qh", "2d")
    assert again.stderr == "tableside: no card waits for a decision\n"


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("assign", "--round", "1"), "seat = None: not allowed; allowed: 0 to 9"),
        (("correct", "--round", "1", "--seat", "1", "--number", "1"), "old is missing"),
        (("void",), "--round is missing; needed: the number of the round that you mean"),
        (("entry",), "device = None"),
        (("entry", "--device", "shoe"), "licence = None"),
        (("burn", "--round", "1", "--seat", "1"), "seat: not allowed; allowed: choice, who, why"),
        (("burn", "--round", "1", "--second", "Bob"), "second: not allowed; allowed: choice, who, why"),
        ((*VOID, "--second", "\uff21nn"), "allowed: another person than Ann"),
        ((*VOID, "--second", "Bob\u202e"), "second: not allowed: U+202E (RIGHT-TO-LEFT OVERRIDE)"),
        (("hope",), "choice = 'hope': not allowed; allowed: burn, card, "),
        ((*VOID, "--override", "locked out"), "--who, --why: not allowed with --override"),
    ],
)
async def test_what_is_missing_is_named_before_anybody_is_asked(
    config: Path, words: tuple[str, ...], named: str
) -> None:
    """No table runs."""
    done = await say(config, *words)
    assert (done.exit_code, named in done.stderr) == (2, True), done.stderr


def test_somebody_must_decide_and_say_why(config: Path) -> None:
    for missing, given in (("--who and --why", ()), ("--why", WHO[:2]), ("--who", WHO[2:])):
        done = run("supervise", *VOID, *given, "--config", str(config))
        assert done.exit_code == 2
        assert f"tableside: {missing}: missing; needed: --who NAME and --why TEXT" in done.stderr


async def test_a_choice_that_has_no_preview_is_named(config: Path, tmp_path: Path) -> None:
    async with open_core(tmp_path, PLAYED):
        done = await say(config, "entry", "--device", "shoe", "--licence", "L-7", "--preview")
    assert (
        done.exit_code,
        done.stderr.startswith("tableside: entry has no preview; allowed: burn, card,"),
    ) == (
        1,
        True,
    )


async def test_another_table_at_the_socket_is_named(tmp_path: Path) -> None:
    config = configured(tmp_path, table="U")
    async with open_core(tmp_path, PLAYED) as core:
        done = await say(config, *VOID)
        assert core.rows_of("supervisor") == []
    assert (done.exit_code, done.stderr) == (1, f"tableside: another table answers at {core.path}: T\n")


async def test_a_table_that_does_not_run_is_named(config: Path) -> None:
    done = await say(config, *VOID)
    assert done.exit_code == 1
    assert done.stderr.startswith("tableside: no daemon of this table answers: no core answers at ")
    assert str(config.with_name("s")) in done.stderr


class TestTwoPersons:
    """A void that moves a jackpot takes two persons."""

    @pytest.fixture
    def config(self, tmp_path: Path) -> Path:
        return configured(tmp_path, "blackjack-x")

    async def test_each_types_a_password_and_the_round_is_void(self, config: Path, tmp_path: Path) -> None:
        async with open_core(tmp_path, LOCKED, "blackjack-x") as core:
            done = await say(config, *VOID, "--second", "Bob", "--json", typed=(PASSWORD, PASSWORD))
            assert core.rows_of("round")[-1]["round"]["outcome"] == "void"
            (asked,), (answered,) = core.rows_of("asked"), core.rows_of("answered")
            kept = access_rows(core)
        answer = json.loads(done.stdout)
        assert (done.exit_code, answer["done"], answer["preview"]["by_two"]) == (0, True, True)
        assert (asked["who"], answered["who"], answered["grant"]) == ("Ann", "Bob", True)
        assert [row for row in kept if row[0] == "confirmed"] == [("confirmed", "Ann"), ("confirmed", "Bob")]
        assert sorted(row for row in kept if row[0] == "signed out") == [
            ("signed out", "Ann"),
            ("signed out", "Bob"),
        ]

    @pytest.mark.parametrize(
        ("second", "typed", "says"),
        [
            ((), (PASSWORD,), "another person has to agree (--second)"),
            (("--second", "Bob"), (PASSWORD, "not it"), "name or password is not right"),
            (("--second", "Bob"), (PASSWORD,), "password of Bob: missing"),
            (("--second", "Ghost Two"), (PASSWORD, PASSWORD), "name or password is not right"),
            (("--second", "\u0410nn"), (PASSWORD, PASSWORD), "name or password is not right"),
        ],
    )
    async def test_one_alone_changes_nothing_and_leaves_no_request(
        self, config: Path, tmp_path: Path, second: tuple[str, ...], typed: tuple[str, ...], says: str
    ) -> None:
        async with open_core(tmp_path, LOCKED, "blackjack-x") as core:
            done = await say(config, *VOID, *second, typed=typed)
            assert (done.exit_code, says in done.stderr) == (1, True), done.stderr
            assert core.at.table.state.shift.requests.open == ()
            assert core.at.table.state.number == 1

    async def test_a_request_that_is_not_granted_is_withdrawn(self, config: Path, tmp_path: Path) -> None:
        async with open_core(tmp_path, LOCKED, "blackjack-x") as core:
            core.access.accounts.set_role("Bob", "technician", "root")
            core.access.accounts.set_secret("Bob", "password", PASSWORD, "root")
            done = await say(config, *VOID, "--second", "Bob", typed=(PASSWORD, PASSWORD))
            assert core.at.table.state.shift.requests.open == ()
            assert [row["grant"] for row in core.rows_of("answered")] == [False]
        assert (done.exit_code, "Bob is technician" in done.stderr) == (1, True), done.stderr

    async def test_a_token_still_takes_both(self, config: Path, tmp_path: Path) -> None:
        async with open_core(tmp_path, LOCKED, "blackjack-x") as core:
            shown = await say(config, *VOID, "--preview")
            assert "It moves a jackpot: another person has to agree (--second)" in shown.stdout
            token = ("--token", shown.stdout.rsplit("Token: ", 1)[1].strip())
            alone = await say(config, *VOID, *token)
            assert (alone.exit_code, "another person has to agree" in alone.stderr) == (1, True)
            assert core.at.table.state.shift.requests.open == ()
            done = await say(config, *VOID, *token, "--second", "Bob", typed=(PASSWORD, PASSWORD))
            assert (done.exit_code, core.at.table.state.number) == (0, 2)

    async def test_a_second_person_who_is_not_needed_is_not_asked(self, config: Path, tmp_path: Path) -> None:
        async with open_core(tmp_path, "1:main=500 close", "blackjack-x") as core:
            done = await say(config, *VOID, "--second", "Bob")
            assert (done.exit_code, core.at.table.state.number) == (0, 2)
        assert done.stderr == "tableside: Bob is not asked: this takes one person\n"


class TestOverride:
    """Root may act without signing in; nobody else may."""

    async def test_root_decides_alone_and_the_journal_says_so(self, config: Path, tmp_path: Path) -> None:
        async with open_core(tmp_path, PLAYED) as core:
            done = await command(config, "supervise", *VOID, "--override", "accounts are damaged", typed=())
            decisions, overrides = core.rows_of("supervisor"), core.rows_of("override")
        if os.geteuid() != 0:
            assert (done.exit_code, done.stderr, decisions) == (1, f"tableside: {NEEDS_ROOT}\n", [])
            return
        assert (done.exit_code, done.stderr) == (0, "")
        assert [(row["who"], row["why"], row["signed_in"]) for row in decisions] == [
            ("override", "accounts are damaged", False)
        ]
        assert [(row["who"], row["why"]) for row in overrides] == [("override", "accounts are damaged")]

    async def test_nothing_that_moves_a_jackpot_is_overridden(self, tmp_path: Path) -> None:
        config = configured(tmp_path, "blackjack-x")
        async with open_core(tmp_path, LOCKED, "blackjack-x") as core:
            done = await command(config, "supervise", *VOID, "--override", "in a hurry", typed=())
            assert (done.exit_code, core.at.table.state.number) == (1, 1)
        says = "another person has to agree" if os.geteuid() == 0 else NEEDS_ROOT
        assert says in done.stderr

    async def test_an_override_needs_a_reason(self, config: Path) -> None:
        done = await command(config, "supervise", *VOID, "--override", " ", typed=())
        assert (
            done.exit_code,
            "override = ' ': not allowed; allowed: 1 to 200 characters" in done.stderr,
        ) == (
            2,
            True,
        )
