"""The tables of a demonstration of a floor."""

from pathlib import Path

from controller.config import read
from controller.demo.table import configuration
from controller.floor.demo.roster import MOST_TABLES, PIT_TABLES, pits_of, planned_tables
from controller.floor.demo.table import FloorPlace, FloorTable
from controller.games import GAMES

PLANS = planned_tables(MOST_TABLES, speed="human", seed=1, pages=False)


def test_each_pit_plays_all_six_games() -> None:
    assert PIT_TABLES == len(GAMES) == 6
    for names in pits_of(PLANS).values():
        assert {plan.settings.game for plan in PLANS if plan.name in names} == set(GAMES)


def test_each_table_has_a_configuration_that_the_daemon_reads(tmp_path: Path) -> None:
    floor = FloorPlace(
        "demonstration", "nats://127.0.0.1:4222", "ab" * 32, tmp_path / "accounts", (), "cd" * 32
    )
    for plan in PLANS:
        table = FloorTable(tmp_path, plan, floor)
        table.config.write_text(configuration(table))
        config = read(table.config)
        assert config.uplink
        assert (config.uplink.property, config.uplink.table) == ("demonstration", plan.name)
        assert config.table.name == plan.settings.name
        assert dict(config.progressive.levels) == ({"blazing-7s": "sevens"} if table.linked else {})
        hand = plan.settings.rules.spots[0]
        assert plan.settings.rules.options.limits[hand][0] in (500, 1000, 2500)


def test_no_two_tables_share_a_name_or_a_seed() -> None:
    assert len({plan.name for plan in PLANS}) == len({plan.settings.seed for plan in PLANS}) == MOST_TABLES
