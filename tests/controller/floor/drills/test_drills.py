"""Short forms of `tableside floor drill`, and that a drill fails when a promise is broken."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from controller.commands.app import app
from controller.demo import run
from controller.floor.authority import permissions as rows
from controller.floor.authority.permissions import THIS, Permissions, table_permissions
from controller.floor.demo.table import FloorTable
from controller.floor.drills import drills, journals, nodes, partition, permissions, played_table, room
from controller.floor.drills.drills import DRILLS, run_drill
from controller.floor.uplink import shipper
from controller.jackpot.linked import instance, table_level

SHORT = ("clone", "rollback", "gone", "face-down", "full")
"""Drills that are short anyway, and store rows."""
THINKING = 0.2
"""Seconds before each act of a crew. Cards lie face down long enough for a listener to hear of them."""


class TellingTable(FloorTable):
    """Its daemon states every row as one that may leave the house."""

    def _command(self, name: str) -> list[str]:
        words = super()._command(name)
        return ["tests.controller.floor.drills.telling_daemon", *words[1:]] if name == "run" else words


def permissions_of_all_tables(house: str) -> Permissions:
    template = table_permissions(house)
    publish = tuple(subject.replace(THIS, "*") for subject in template.publish)
    return replace(template, publish=publish)


@pytest.mark.parametrize("name", SHORT)
async def test_a_short_drill_passes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "STILL", 5.0)
    result = await run_drill(name)
    assert result.faults == ()
    assert result.rows_published == result.rows_stored > 0


@pytest.mark.parametrize("name", ["commands", "permissions", "silence"])
async def test_whatever_a_table_must_refuse_or_must_not_do_is_tried(name: str) -> None:
    assert (await run_drill(name)).faults == ()


async def test_a_hash_of_a_round_in_play_gives_the_card_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(played_table, "FloorTable", TellingTable)
    monkeypatch.setitem(run.THINKING, "max", THINKING)
    faults = (await run_drill("face-down")).faults
    assert any("the listener has found the card" in fault for fault in faults), faults


async def test_a_writer_without_an_expectation_makes_the_drill_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(permissions, "EXPECTED", "Nothing-Expected")
    assert (await run_drill("permissions")).faults == ("race 0: 2 writers won",)


async def test_permissions_for_all_names_make_the_drill_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "table_permissions", permissions_of_all_tables)
    (fault,) = (await run_drill("permissions")).faults
    assert "under another name: publish ts.drill.journal.bj-1.x1" in fault


async def test_rows_survive_kills_of_servers_uplinks_and_the_floor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nodes, "SYNC_INTERVALS", ("always",))
    found = await nodes.nodes(tmp_path, 4.0, size=1, tables=1)
    assert found.faults == []
    assert found.kills > 0


async def test_rows_survive_an_hour_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partition, "APART", (1,))
    monkeypatch.setattr(partition, "NODES", 1)
    found = await partition.journals_apart(tmp_path, 0.0)
    assert found.faults == []
    assert found.rows.stored > partition.ROUNDS_AN_HOUR


async def test_tables_that_wait_longer_make_the_drill_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_level, "SILENCE", 6.0)
    result = await run_drill("silence")
    assert "t1, 5.1 s without an amount: the level is open, and must be lost" in result.faults


async def test_rows_survive_a_store_that_is_put_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nodes, "REWOUND", 2.0)
    found = await nodes.rewind(tmp_path, 1.0, size=1, tables=1)
    assert found.faults == []
    assert found.kills == 1


async def test_a_clone_that_ships_makes_the_drill_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipper, "goes_on_after", lambda *_arguments: True)
    monkeypatch.setattr(journals, "ALARM_LIMIT", 1.0)
    result = await run_drill("clone")
    assert not result.passed
    assert "the copy raised no alarm in 1 s" in result.faults


async def test_an_announcement_before_the_journal_makes_the_drill_fail(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(instance, "LEAD", ("publish", "announce", "append"))
    result = await run_drill("progressive")
    assert not result.passed
    assert "seed" in result.faults[0]


async def test_a_drill_whose_servers_do_not_start_fails_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("controller.floor.nats_server.PROGRAM", "nats-server-that-is-missing")
    result = await run_drill("rollback")
    (fault,) = result.faults
    assert fault.startswith("nats-server-that-is-missing is not installed; needed:")


def invoke(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["floor", "drill", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_the_command_prints_the_figures_of_a_drill() -> None:
    status, printed, _ = invoke("progressive", "--seconds", "0", "--json")
    found: dict[str, Any] = json.loads(printed)
    assert (status, found["drill"], found["passed"], found["lost"]) == (0, "progressive", True, 0)
    assert found["rows_published"] == found["rows_stored"] > 0


def test_a_drill_that_fails_gives_status_1(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instance, "LEAD", ("publish", "announce", "append"))
    status, printed, _ = invoke("progressive")
    assert status == 1
    assert "progressive: FAILED" in printed


@pytest.mark.parametrize("arguments", [("flood",), (), ("clone", "--all")])
def test_a_wrong_name_gives_status_2_and_the_drills(arguments: tuple[str, ...]) -> None:
    status, _, said = invoke(*arguments)
    assert status == 2
    assert ", ".join(DRILLS) in said


def test_each_drill_says_what_it_expects() -> None:
    assert all(drill.expected for drill in drills.DRILLS.values())
