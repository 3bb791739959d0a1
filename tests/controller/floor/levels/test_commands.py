"""Two supervisors decide about a level with `tableside floor level`: a real server, a real instance, and the
credentials that the floor has in a house."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from typer.testing import CliRunner

from controller.commands.app import app
from controller.floor.connection import Servers, connection
from controller.floor.drills.interleavings.world import LEVEL, Table
from controller.floor.levels.administration import LevelAdministration, NoAnswer
from controller.floor.levels.desk import LevelDesk
from controller.floor.nats_server import nats_server
from controller.floor.settings import read_floor
from controller.floor.streams import Deployment, prepare
from controller.jackpot.linked.messages import Correct, CorrectedAmount, MeterReading
from controller.journal.signing import Signer
from tests.controller.floor.progressive.floor_commands import (
    decide,
    floor_config,
    hire,
    run_floor,
    shown,
    store_journal,
)
from tests.controller.floor.progressive.house import FLOOR, SUBJECTS, House, house
from tests.fixtures.waiting import come_true

pytestmark = pytest.mark.usefixtures("fork_server")

OPENING = ("parameters", "--currency", "USD", "--seed", "500.00", "--contribution", "15%", "--reserve", "5%")


@pytest.fixture(scope="module")
def empty_level(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The floor of a level that no instance runs; the floor stores the journal of one table."""
    folder, stack = tmp_path_factory.mktemp("empty"), AsyncExitStack()
    with asyncio.Runner() as runner:
        server = runner.run(stack.enter_async_context(nats_server(folder / "nats")))
        runner.run(make_streams(server))
        path = folder / "floor.toml"
        path.write_text(f'property = "house"\nservers = ["{server}"]\nlevels = ["{LEVEL}"]\n')
        store_journal(folder, Table.new(1))
        yield path
        runner.run(stack.aclose())


async def make_streams(server: str) -> None:
    async with connection(Servers((server,), "house", "_INBOX_house")) as client:
        await prepare(client.jetstream(), Deployment("house", levels=(LEVEL,)))


async def say(found: House, reading: MeterReading) -> None:
    table = found.tables[0]
    await found.send(SUBJECTS.reading(LEVEL, table.name), reading.payload, found.signers[table.name])


async def set_back(found: House, table: Table) -> MeterReading:
    """The table's meters fall; returns what it says then."""
    fallen = table.reading.model_copy(update={"wagers": 1, "wagered": 100, "row": table.reading.row + 5})
    await say(found, fallen)
    await come_true(lambda: table.name in found.amounts[-1][1].closed)
    return fallen


async def test_a_level_is_opened_corrected_and_settled_by_two_persons(tmp_path: Path) -> None:
    async with house(tmp_path, tables=1) as found:
        config, table = floor_config(found), found.tables[0]
        hire(tmp_path)
        store_journal(tmp_path, table)
        await found.instances[0].start()
        await come_true(lambda: bool(found.amounts))

        opened = await decide(config, *OPENING, why="opening")
        assert opened.exit_code == 0, opened.output
        assert "the parameters are currency USD, seed 500.00, contribution 15.00%" in opened.output
        admitted = await decide(config, "admit", table.name)
        assert admitted.exit_code == 0, admitted.output
        journal = f"with the journal {table.epoch}"
        by = f"and the key {table.signer[:16]}; Ann and Bo: a reason"
        assert f"{table.name} is admitted {journal} {by}" in admitted.output
        await found.play_round(table)

        less = await decide(config, "correction", "1.00")
        assert (less.exit_code, "a meter of 1.00 is not possible" in less.output) == (1, True)
        done = await decide(config, "correction", "612.50", why="audit")
        assert done.exit_code == 0, done.output
        assert (await found.state()).meter.cents == 61_250  # type: ignore[union-attr]

        waiting = await decide(config, "parameters", "--limit", "900.00")
        assert "limit 900.00, threshold none; they wait until the level is won" in waiting.output

        fallen = await set_back(found, table)
        settled = await decide(config, "settle", table.name, why="new disk")
        assert settled.exit_code == 0, settled.output
        assert (await found.state()).contributors[table.name, table.epoch].known == fallen.meters

        other = await decide(config, "parameters", "--currency", "EUR")
        assert (other.exit_code, "allowed: USD, because a level keeps its" in other.output) == (1, True)

        picture = await shown(config)
        assert picture["currency"] == "USD"
        assert (picture["cents"], picture["announced"], picture["state"]) == (61_250, 61_250, "open")
        assert (picture["pending"]["limit"], picture["parameters"]["limit"]) == (90_000, None)
        assert [(one["table"], one["admitted"], one["fell"]) for one in picture["tables"]] == [
            (table.name, True, False)
        ]
        assert [(act["kind"], act["who"], act["why"]) for act in picture["acts"]] == [
            ("settled", ["Ann", "Bo"], "new disk"),
            ("parameters", ["Ann", "Bo"], "a reason"),
            ("correction", ["Ann", "Bo"], "audit"),
            ("admitted", ["Ann", "Bo"], "a reason"),
            ("parameters", ["Ann", "Bo"], "opening"),
        ]
        removed = await decide(config, "remove", table.name)
        assert removed.exit_code == 0, removed.output
        listed = (await run_floor(config, "level", LEVEL, "show")).output.splitlines()
        assert listed[0].startswith(f"{LEVEL}: 612.50, entry ")
        assert f"{table.name} is removed {journal}; Ann and Bo: a reason" in listed[-6]


async def test_an_act_counts_once_and_one_about_an_old_entry_never(tmp_path: Path) -> None:
    async with house(tmp_path, tables=1) as found:
        config = floor_config(found)
        hire(tmp_path)
        late = LevelDesk(read_floor(config), LEVEL, answer_limit=3.0)
        await found.instances[0].start()
        await found.open()
        await found.play_round(found.tables[0])
        await found.instances[0].kill()

        first = correction(await seen(late), "first", 70_000)
        with pytest.raises(NoAnswer, match="sevens has not answered correction, id first: it is stored"):
            await asyncio.to_thread(late.decide, first, 0)
        second = correction(await seen(late), "second", 80_000)
        with pytest.raises(NoAnswer):
            await asyncio.to_thread(late.decide, second, 0)
        await found.instances[0].start()

        patient = LevelDesk(read_floor(config), LEVEL)
        done = await asyncio.to_thread(patient.decide, first, 0)
        refused = await asyncio.to_thread(patient.decide, second, 0)
        assert done.refused == ""
        assert "because the amount or the parameters changed" in refused.refused
        again = await decide(config, "correction", "700.00", "--id", "first")
        assert (again.exit_code, again.output) == (
            0,
            f"{LEVEL}, entry {done.n}: the amount is corrected from "
            f"{done.outcome.display_before / 100:.2f} to 700.00; Ann and Bo: why\n",  # type: ignore[union-attr]
        )
        other = await decide(config, "correction", "800.00", "--id", "second")
        assert (other.exit_code, "refused: about = " in other.output) == (1, True)
        assert (await found.state()).meter.cents == 70_000  # type: ignore[union-attr]
        await check_key(found)


async def seen(desk: LevelDesk) -> int:
    """The last entry of the log."""
    return (await asyncio.to_thread(desk.history)).state.n


def correction(about: int, number: str, cents: int) -> Correct:
    value = CorrectedAmount(cents=cents)
    return Correct(
        v=1, level=LEVEL, id=number, about=about, value=value, who=("Ann", "Bo"), why="why", issued=1.0
    )


async def check_key(found: House) -> None:
    """A floor whose key the level does not have hears why nothing is done."""
    stranger = Signer(bytes([9] * 32))
    level = LevelAdministration(found.client, SUBJECTS, LEVEL, stranger)
    state = await found.state()
    with pytest.raises(Exception, match="forged is not signed by the floor; needed: the floor's public key"):
        await level.decide(correction(state.n, "forged", 90_000), limit=30.0)
    assert (await found.state()).meter == state.meter
    assert stranger.public != FLOOR.public


@pytest.mark.parametrize(
    ("words", "status", "why"),
    [
        (("aces", "show"), 2, "LEVEL = 'aces': not in levels of floor.toml; allowed: sevens"),
        ((LEVEL, "correction", "1.234"), 2, "AMOUNT = '1.234': not allowed; allowed: units with at most 2"),
        ((LEVEL, "parameters"), 2, "no parameter is named; needed: at least one of --currency"),
        ((LEVEL, "parameters", "--limit", "much"), 2, "limit = 'much': not allowed; allowed: units with"),
        ((LEVEL, "parameters", "--currency", "YEN"), 2, "currency = 'YEN': not allowed; allowed: the code"),
        (
            (LEVEL, "parameters", "--currency", "JPY", "--seed", "5.00"),
            2,
            "seed = '5.00': not allowed; allowed: whole JPY",
        ),
        ((LEVEL, "parameters", "--seed", "5.00", "--reserve", "5"), 2, "reserve: '5' is not a share"),
        ((LEVEL, "parameters", "--limit", "5.00"), 2, "currency, seed, contribution, reserve: missing; the"),
        ((LEVEL, "admit", "t9"), 1, "journal t9: not known; there is: t1 0000000000000001"),
        ((LEVEL, "remove", "t1"), 1, "table = 't1' is not admitted; allowed: none, because no table"),
        ((LEVEL, "settle", "t1"), 1, "table = 't1': not admitted; allowed: none, because no table"),
        ((LEVEL, "correction", "12.00"), 1, "sevens has no parameters yet"),
        ((LEVEL, "resolve", "both"), 2, "HISTORY = 'both': not allowed; allowed: log, journal"),
    ],
)
def test_what_nobody_can_decide_is_refused_before_a_password(
    words: tuple[str, ...], status: int, why: str, empty_level: Path
) -> None:
    persons = () if words[-1] == "show" else ("--who", "Ann", "--second", "Bo", "--why", "a reason")
    done = CliRunner().invoke(app, ["floor", "level", *words, *persons, "--config", str(empty_level)])
    assert (done.exit_code, why in done.output) == (status, True), done.output


def test_a_level_without_an_entry_is_shown(empty_level: Path) -> None:
    done = CliRunner().invoke(app, ["floor", "level", LEVEL, "show", "--config", str(empty_level)])
    assert done.output == "sevens: no parameters yet, entry 0, no amount was heard\n"
    assert done.exit_code == 0
