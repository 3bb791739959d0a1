"""Jackpots on the command line, with and without a running table."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from controller.commands.app import app
from controller.commands.handlers import jackpots
from controller.commands.handlers.jackpots import jackpot_status
from controller.config import read
from controller.table.record.events import ClaimStep
from controller.table.record.rules import Progressive
from controller.table.view.build import claims, meters
from tests.fixtures.access_desk import PASSWORD, PIN
from tests.fixtures.core_commands import command, configured
from tests.fixtures.core_table import open_core
from tests.fixtures.played_journal import PlayedTable, journal, played_table

SPOT = "blazing-7s"
GAME = "blackjack-x"
HIT = "1:main=500 1:blazing-7s=100 close 7h 7h 7h 9c 1:stand 9d pay 1:blazing-7s="
ANN = ("--who", "Ann")
CONFIG = """
[table]
name = "Main 3"
game = "blackjack-x"
currency = "USD"
[journal]
path = "journal.sqlite"
[web]
port = 1
[devices]
shoe = { port = "/dev/a", serial = "A" }
sensors = { port = "/dev/b", serial = "B" }
console = { port = "/dev/c", serial = "C" }
"""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "200"})


@pytest.fixture
def config(tmp_path: Path) -> Path:
    found = tmp_path / "table.toml"
    found.write_text(CONFIG)
    return found


def hit(at: PlayedTable) -> None:
    at.play(HIT)


class TestJackpots:
    def test_of_a_journal_are_those_of_its_table(self, tmp_path: Path, config: Path) -> None:
        with played_table(tmp_path, "blackjack-x", {SPOT: Progressive(limit=2_000_000)}) as at:
            hit(at)
            at.apply(ClaimStep(1, "confirm", "Dee", "seen"))
            at.play("close 9h")
            found = jackpot_status(read(config))
            assert found.meters == meters(at.state)
            assert [(claim.number, claim.state, claim.dealer) for claim in found.claims] == [
                (1, "confirmed", "Dee")
            ]
            assert found.source == f"journal {journal(tmp_path)}"

    def test_of_a_journal_that_stops_while_a_card_is_sealed(self, tmp_path: Path, config: Path) -> None:
        """Contributions came before the card, the won share behind it; the key is not there."""
        with played_table(tmp_path, "blackjack-x") as at:
            at.play("1:main=500 1:blazing-7s=100 2:main=500 2:blazing-7s=100 close 7h 9h 7h 7h 9d 2c")
            assert at.state.round.hidden
            assert at.state.register.claims
            found = jackpot_status(read(config))
            assert found.meters == meters(at.state)
            assert found.claims == claims(at.state)

    def test_are_printed_with_the_invariant(self, tmp_path: Path, config: Path) -> None:
        with played_table(tmp_path, "blackjack-x") as at:
            hit(at)
        printed = run("jackpots", "--config", str(config))
        assert printed.exit_code == 0
        for said in (
            "Blazing 7s: 9000.14 (runs)",
            "1000.010000",
            "7h 7h 7h",
            "pending",
            "base",
            "10000.00",
            "15.00%",
            "Blazing 7s: contributions 0.200000 + seeds 10000.000000"
            " = display 9000.140000 + locked 1000.010000 + reserve 0.050000 + overflow 0.000000"
            " + paid 0.000000",
        ):
            assert said in printed.stdout

    def test_are_printed_as_json(self, tmp_path: Path, config: Path) -> None:
        with played_table(tmp_path, "blackjack-x") as at:
            hit(at)
        answer = json.loads(run("jackpots", "--config", str(config), "--json").stdout)
        books = answer["meters"][0]["books"]
        there = sum(books[part] for part in ("display", "locked", "reserve", "overflow", "paid"))
        assert books["contributions"] + books["seeds"] == there
        assert answer["claims"][0]["cents"] == 100_001

    def test_with_new_parameters_show_both(self, tmp_path: Path, config: Path) -> None:
        with played_table(tmp_path, "blackjack-x") as at:
            hit(at)
            at.script.jackpots = {SPOT: Progressive(limit=9_000_000, threshold=900)}
            at.restart()
            (meter,) = meters(at.state)
            assert meter.pending is not None
            assert (meter.now.limit, meter.pending.limit, meter.pending.threshold) == (None, 9_000_000, 900)
        printed = run("jackpots", "--config", str(config)).stdout
        assert "pending limit" in printed
        assert "90000.00" in printed

    def test_of_no_journal(self, config: Path) -> None:
        failed = run("jackpots", "--config", str(config))
        assert failed.exit_code == 1
        assert "is not there" in failed.stderr

    def test_of_a_configuration_with_faults(self, config: Path) -> None:
        config.write_text(CONFIG + "\n[jackpot.blazing-7s]\nlimit = 5\n")
        failed = run("jackpots", "--config", str(config))
        assert failed.exit_code == 2
        assert "jackpot.blazing-7s.limit = 5: not allowed with seed = 1000000" in failed.stderr

    def test_exact_amounts(self) -> None:
        assert jackpots.exact(1_234_500) == "1.234500"


async def say(
    config: Path, *words: str, who: tuple[str, ...] = ("--who", "Ann"), typed: tuple[str, ...] = (PASSWORD,)
) -> Result:
    """A command in a person's name."""
    return await command(config, *words, *who, "--why", "seen", typed=typed)


DEE = ("--who", "Dee")


class TestClaim:
    @pytest.fixture
    def config(self, tmp_path: Path) -> Path:
        return configured(tmp_path, GAME)

    async def test_goes_from_the_hit_to_the_payment(self, tmp_path: Path, config: Path) -> None:
        async with open_core(tmp_path, HIT, GAME) as core:
            for step, who, typed in (
                ("confirm", DEE, PIN),
                ("verify", ANN, PASSWORD),
                ("pay", ANN, PASSWORD),
            ):
                done = await say(config, "claim", step, "1", who=who, typed=(typed,))
                assert (done.exit_code, done.stderr) == (0, ""), step
            claim = core.at.table.state.register.by_number(1)
            rows = core.rows_of("claim step")
            confirmed = [
                record.who for _, record in core.access.pending_records() if record.what == "confirmed"
            ]
        assert (claim.state, claim.dealer, claim.payer) == ("paid", "Dee", "Ann")
        assert [(row["who"], row["signed_in"]) for row in rows] == [
            ("Dee", True),
            ("Ann", True),
            ("Ann", True),
        ]
        assert confirmed == ["Ann", "Ann"]

    async def test_is_shown_before(self, tmp_path: Path, config: Path) -> None:
        async with open_core(tmp_path, HIT, GAME) as core:
            output = await say(config, "claim", "void", "1", "--preview")
            assert core.at.table.state.register.by_number(1).state == "pending"
        assert output.stdout.startswith(
            "Seat 1, three suited 7s: 10% of the jackpot: 1000.01\n"
            "Claim 1: pending -> void\n"
            "The jackpot of blazing-7s: 9000.14 -> 10000.15\n"
        )

    async def test_and_its_preview_are_printed_as_json(self, tmp_path: Path, config: Path) -> None:
        async with open_core(tmp_path, HIT, GAME):
            done = await say(config, "claim", "confirm", "1", "--json", who=DEE, typed=(PIN,))
        answer = json.loads(done.stdout)
        assert (done.exit_code, answer["done"]) == (0, True)
        step = {"about": "Claim 1", "before": "pending", "after": "confirmed", "amounts": False}
        assert step in answer["preview"]["changes"]

    @pytest.mark.parametrize(
        ("step", "who", "typed", "says"),
        [
            ("confirm", ("--who", "Ghost One"), PIN, "name or PIN is not right"),
            ("confirm", ("--who", "Bob"), PASSWORD, "name or PIN is not right"),
            ("confirm", DEE, "0000", "name or PIN is not right"),
            ("void", ("--who", "Ghost One"), PASSWORD, "name or password is not right"),
            ("verify", DEE, PIN, "name or password is not right"),
            ("pay", ANN, PASSWORD, "claim 1 is pending: pay is not possible; allowed: confirm, void"),
        ],
    )
    async def test_is_refused(
        self, tmp_path: Path, config: Path, step: str, who: tuple[str, ...], typed: str, says: str
    ) -> None:
        async with open_core(tmp_path, HIT, GAME) as core:
            failed = await say(config, "claim", step, "1", who=who, typed=(typed,))
            assert core.at.table.state.register.by_number(1).state == "pending"
        assert (failed.exit_code, failed.stderr) == (1, f"tableside: {says}\n")

    async def test_that_does_not_exist_is_named(self, tmp_path: Path, config: Path) -> None:
        async with open_core(tmp_path, "", GAME):
            failed = await say(config, "claim", "pay", "1")
        assert (failed.exit_code, failed.stderr) == (
            1,
            "tableside: there is no claim 1; open claims: none is open\n",
        )

    async def test_has_no_other_steps(self, config: Path) -> None:
        wrong = await say(config, "claim", "hope", "1")
        assert wrong.exit_code == 2
        assert "step = 'hope': not allowed; allowed: confirm, verify, second, pay, void" in wrong.stderr

    @pytest.mark.parametrize("number", ["0", "2147483648"])
    async def test_has_a_number(self, config: Path, number: str) -> None:
        wrong = await say(config, "claim", "pay", number)
        assert wrong.exit_code == 2
        assert f"claim = {number}: not allowed; allowed: 1 to 2147483647" in wrong.stderr

    async def test_without_a_daemon_is_refused(self, config: Path) -> None:
        failed = await say(config, "claim", "pay", "1")
        assert failed.exit_code == 1
        assert "no daemon of this table answers" in failed.stderr

    async def test_knows_no_override(self, config: Path) -> None:
        wrong = await command(config, "claim", "pay", "1", "--override", "hurry", typed=())
        assert (wrong.exit_code, "No such option: --override" in wrong.stderr) == (2, True)


class TestMeter:
    WORDS = ("meter", SPOT, "10250.00", "--second", "Bob")
    BOTH = (PASSWORD, PASSWORD)

    @pytest.fixture
    def config(self, tmp_path: Path) -> Path:
        return configured(tmp_path, GAME)

    async def test_shows_what_two_persons_say(self, tmp_path: Path, config: Path) -> None:
        async with open_core(tmp_path, "", GAME) as core:
            done = await say(config, *self.WORDS, typed=self.BOTH)
            assert (done.exit_code, done.stderr) == (0, "")
            assert core.at.table.state.meters[SPOT].cents == 1_025_000
            (asked,), (answered,) = core.rows_of("asked"), core.rows_of("answered")
            kept = [record.who for _, record in core.access.pending_records() if record.what == "confirmed"]
        assert (asked["who"], answered["who"], answered["grant"]) == ("Ann", "Bob", True)
        assert kept == ["Ann", "Bob"]

    async def test_is_shown_before(self, tmp_path: Path, config: Path) -> None:
        async with open_core(tmp_path, "", GAME) as core:
            output = await say(config, *self.WORDS, "--preview")
            assert core.at.table.state.meters[SPOT].cents == 1_000_000
        assert output.stdout.startswith("The jackpot of blazing-7s: 10000.00 -> 10250.00\nToken: ")

    async def test_and_its_preview_are_printed_as_json(self, tmp_path: Path, config: Path) -> None:
        async with open_core(tmp_path, "", GAME) as core:
            shown = json.loads((await say(config, *self.WORDS, "--preview", "--json")).stdout)
            assert core.at.table.state.meters[SPOT].cents == 1_000_000
            done = json.loads((await say(config, *self.WORDS, "--json", typed=self.BOTH)).stdout)
            assert core.at.table.state.meters[SPOT].cents == 1_025_000
        assert (shown["done"], done["done"], done["preview"]) == (False, True, shown["preview"])
        meter = {
            "about": "The jackpot of blazing-7s",
            "before": "10000.00",
            "after": "10250.00",
            "amounts": True,
        }
        assert shown["preview"]["changes"] == [meter]

    @pytest.mark.parametrize(
        ("second", "typed", "says"),
        [
            ("Bob", (PASSWORD, "not it"), "name or password is not right"),
            ("Bob", ("not it", PASSWORD), "name or password is not right"),
            ("Ghost Two", BOTH, "name or password is not right"),
            ("Dee", (PASSWORD, PIN), "name or password is not right"),
        ],
    )
    async def test_is_moved_by_two_accounts_only(
        self, tmp_path: Path, config: Path, second: str, typed: tuple[str, ...], says: str
    ) -> None:
        async with open_core(tmp_path, "", GAME) as core:
            failed = await say(config, "meter", SPOT, "10250.00", "--second", second, typed=typed)
            assert (failed.exit_code, failed.stderr) == (1, f"tableside: {says}\n")
            assert core.at.table.state.meters[SPOT].cents == 1_000_000
            assert core.at.table.state.shift.requests.open == ()

    @pytest.mark.parametrize("second", ["ann", "\uff21NN "])
    async def test_needs_another_person(self, config: Path, second: str) -> None:
        wrong = await say(config, "meter", SPOT, "10250.00", "--second", second)
        assert (wrong.exit_code, "not allowed; allowed: another person than Ann" in wrong.stderr) == (2, True)

    async def test_is_refused_while_wagers_are_in_play(self, tmp_path: Path, config: Path) -> None:
        async with open_core(tmp_path, "1:main=500 close", GAME):
            failed = await say(config, *self.WORDS, typed=self.BOTH)
        assert failed.exit_code == 1
        assert "round 1 is in play: a meter is corrected between rounds" in failed.stderr

    @pytest.mark.parametrize("amount", ["10250", "10250.5", "-5.00", "1e3", "12345678901.00"])
    async def test_of_an_amount_that_is_none(self, config: Path, amount: str) -> None:
        wrong = await command(
            config, "meter", SPOT, *ANN, "--second", "Bob", "--why", "seen", "--", amount, typed=self.BOTH
        )
        assert wrong.exit_code == 2
