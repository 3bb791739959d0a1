"""Jackpots on the command line, with and without a running table."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from controller.commands import jackpots
from controller.commands.app import app
from controller.commands.jackpots import jackpot_status
from controller.config import read
from controller.table.people.consequences import consequences
from controller.table.people.supervisor_socket import socket_path, supervisor_socket
from controller.table.record.events import ClaimStep, Decision
from controller.table.record.preview import Preview
from controller.table.record.rules import Progressive
from controller.table.state_machine import apply
from controller.table.view.build import claims, meters
from tests.fixtures.played_journal import PlayedTable, journal, played_table
from tests.fixtures.roster import staffed

SPOT = "blazing-7s"
CONFIG = """
[table]
name = "Main 3"
game = "blackjack-x"
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
    at.play("1:main=500 1:blazing-7s=100 close 7h 7h 7h 9c 1:stand 9d pay 1:blazing-7s=")


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


class Desk:
    """A table that persons can use through its socket."""

    def __init__(self, at: PlayedTable) -> None:
        self.at = at

    async def decide(self, decision: Decision) -> None:
        apply(self.at.state, decision)

    def preview(self, decision: Decision) -> Preview:
        return consequences(self.at.state, decision)


async def say(desk: Desk, config: Path, *words: str) -> Result:
    """A command in a person's name."""
    async with supervisor_socket(socket_path(Path(read(config).journal.path)), desk, staffed()):
        return await asyncio.to_thread(run, *words, "--config", str(config), "--why", "seen")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with played_table(tmp_path, "blackjack-x") as at:
        yield Desk(at)


class TestClaim:
    async def test_goes_on_by_one_step(self, desk: Desk, config: Path) -> None:
        hit(desk.at)
        done = await say(desk, config, "claim", "confirm", "1", "--who", "Dee")
        assert (done.exit_code, done.stderr) == (0, "")
        assert desk.at.state.register.by_number(1).dealer == "Dee"

    async def test_is_told_before(self, desk: Desk, config: Path) -> None:
        hit(desk.at)
        output = await say(desk, config, "claim", "void", "1", "--who", "Sue", "--preview")
        assert output.stdout.startswith(
            "Seat 1, three suited 7s: 10% of the jackpot: 1000.01\n"
            "Claim 1: pending -> void\n"
            "The jackpot of blazing-7s: 9000.14 -> 10000.15\n"
        )
        assert desk.at.state.register.by_number(1).state == "pending"

    async def test_and_its_preview_are_printed_as_json(self, desk: Desk, config: Path) -> None:
        hit(desk.at)
        done = await say(desk, config, "claim", "confirm", "1", "--who", "Dee", "--json")
        answer = json.loads(done.stdout)
        assert (done.exit_code, answer["done"]) == (0, True)
        step = {"about": "Claim 1", "before": "pending", "after": "confirmed"}
        assert step in answer["preview"]["changes"]

    async def test_is_refused(self, desk: Desk, config: Path) -> None:
        failed = await say(desk, config, "claim", "pay", "1", "--who", "Dee")
        assert (failed.exit_code, failed.stderr) == (
            1,
            "tableside: there is no claim 1; open claims: none is open\n",
        )

    async def test_has_no_other_steps(self, desk: Desk, config: Path) -> None:
        wrong = await say(desk, config, "claim", "hope", "1", "--who", "Dee")
        assert wrong.exit_code == 2
        assert "step = 'hope': not allowed; allowed: confirm, verify, second, pay, void" in wrong.stderr

    @pytest.mark.parametrize("number", ["0", "2147483648"])
    async def test_has_a_number(self, desk: Desk, config: Path, number: str) -> None:
        wrong = await say(desk, config, "claim", "pay", number, "--who", "Dee")
        assert wrong.exit_code == 2
        assert f"claim = {number}: not allowed; allowed: 1 to 2147483647" in wrong.stderr


class TestMeter:
    WORDS = ("meter", SPOT, "10250.00", "--who", "Ann", "--second", "Bob")

    async def test_shows_what_two_persons_say(self, desk: Desk, config: Path) -> None:
        done = await say(desk, config, *self.WORDS)
        assert (done.exit_code, done.stderr) == (0, "")
        assert desk.at.state.meters[SPOT].cents == 1_025_000

    async def test_is_told_before(self, desk: Desk, config: Path) -> None:
        output = await say(desk, config, *self.WORDS, "--preview")
        assert output.stdout.startswith("The jackpot of blazing-7s: 10000.00 -> 10250.00\nToken: ")
        assert desk.at.state.meters[SPOT].cents == 1_000_000

    async def test_and_its_preview_are_printed_as_json(self, desk: Desk, config: Path) -> None:
        shown = json.loads((await say(desk, config, *self.WORDS, "--preview", "--json")).stdout)
        assert desk.at.state.meters[SPOT].cents == 1_000_000
        done = json.loads((await say(desk, config, *self.WORDS, "--json")).stdout)
        assert (shown["done"], done) == (False, {"done": True, "preview": shown["preview"]})
        meter = {"about": "The jackpot of blazing-7s", "before": "10000.00", "after": "10250.00"}
        assert shown["preview"]["changes"] == [meter]
        assert desk.at.state.meters[SPOT].cents == 1_025_000

    async def test_is_refused_while_wagers_are_in_play(self, desk: Desk, config: Path) -> None:
        desk.at.play("1:main=500 close")
        failed = await say(desk, config, *self.WORDS)
        assert failed.exit_code == 1
        assert "round 1 is in play: a meter is corrected between rounds" in failed.stderr

    @pytest.mark.parametrize("amount", ["10250", "10250.5", "-5.00", "1e3", "12345678901.00"])
    async def test_of_an_amount_that_is_none(self, desk: Desk, config: Path, amount: str) -> None:
        wrong = await say(desk, config, "meter", SPOT, "--who", "Ann", "--second", "Bob", "--", amount)
        assert wrong.exit_code == 2


async def test_a_claim_without_a_daemon_is_refused(config: Path) -> None:
    failed = run("claim", "pay", "1", "--config", str(config), "--who", "Dee", "--why", "seen")
    assert failed.exit_code == 1
    assert "no daemon of this table answers at" in failed.stderr
