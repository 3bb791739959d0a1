"""A table may go on with another configuration if it differs only in keys that cannot influence play."""

import re
from pathlib import Path
from typing import Any

import pytest

from controller.config import Config, ConfigError, parse, read
from controller.config.felt import DEFAULT
from controller.config.live import LiveConfig
from controller.config.reload import RELOADABLE, KeyChange, ReloadRefused, reloadable_changes
from tests.controller.config.test_config import good


def with_section(section: str, **keys: Any) -> dict[str, Any]:
    raw = good()
    raw[section] = {**raw.get(section, {}), **keys}
    return raw


def test_targets_and_shifts_may_change() -> None:
    after = with_section("table", target=60)
    after = {**after, "reports": {"shifts": ["06:00", "18:00"], "pause": 5}}
    assert reloadable_changes(parse(good()), parse(after)) == (
        KeyChange("table.target", 0, 60),
        KeyChange("reports.shifts", ["06:00", "14:00", "22:00"], ["06:00", "18:00"]),
        KeyChange("reports.pause", 10, 5),
    )


def test_name_logo_and_felt_of_the_house_may_change(tmp_path: Path) -> None:
    after = with_section("web", house="Grand", logo=str(tmp_path / "grand.svg"), felt="#7a1020")
    assert reloadable_changes(parse(good()), parse(after)) == (
        KeyChange("web.house", "", "Grand"),
        KeyChange("web.logo", "", str(tmp_path / "grand.svg")),
        KeyChange("web.felt", DEFAULT, "#7a1020"),
    )


@pytest.mark.parametrize(
    ("section", "keys", "named"),
    [
        ("table", {"seats": 6, "target": 60}, "table.seats"),
        ("journal", {"path": "other"}, "journal.path"),
        ("options", {"decks": 6}, "options.decks"),
        ("web", {"port": 8099}, "web.port"),
    ],
)
def test_any_other_key_is_refused_by_name(section: str, keys: dict[str, Any], named: str) -> None:
    with pytest.raises(ReloadRefused) as refused:
        reloadable_changes(parse(good()), parse(with_section(section, **keys)))
    allowed = ", ".join(RELOADABLE)
    assert str(refused.value) == f"{named}: not allowed to change during play; allowed: {allowed}"


def test_another_name_of_the_table_is_refused_with_the_reason() -> None:
    with pytest.raises(ReloadRefused) as refused:
        reloadable_changes(parse(good()), parse(with_section("table", name="Table 8", target=60)))
    assert str(refused.value).startswith("table.name: not allowed to change during play; allowed: ")
    assert str(refused.value).endswith(". The floor and the journal know the table by its name")


def test_a_device_that_is_added_is_refused() -> None:
    shuffler = {"port": "/dev/shuffler", "serial": "SHUFFLER-1"}
    with pytest.raises(ReloadRefused, match=r"^devices\.shuffler: "):
        reloadable_changes(parse(good()), parse(with_section("devices", shuffler=shuffler)))


def test_an_equal_configuration_changes_nothing() -> None:
    assert reloadable_changes(parse(good()), parse(good())) == ()


def test_a_change_is_a_sentence_with_both_values() -> None:
    change = KeyChange("reports.shifts", ["06:00"], ["06:00", "18:00"])
    assert str(change) == 'reports.shifts = ["06:00", "18:00"] instead of ["06:00"]'


FILE = """
[table]
name = "Table 7"
game = "easy-jack"
target = {target}
[journal]
path = "journal"
[devices.shoe]
port = "/dev/shoe"
serial = "SHOE-1"
[devices.sensors]
port = "/dev/sensors"
serial = "SENSORS-1"
"""


async def test_a_file_with_faults_leaves_the_configuration_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(FILE.format(target=40))
    before = read(path)
    live = LiveConfig(before, path)
    path.write_text(FILE.format(target='"many"'))
    with pytest.raises(ConfigError, match=r"table\.target"):
        await live.reread()
    assert live.current is before
    path.write_text(FILE.format(target=60))
    assert await live.reread() == (KeyChange("table.target", 40, 60),)
    assert live.current.table.target == 60


async def test_a_configuration_without_a_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(FILE.format(target=40))
    config: Config = read(path)
    with pytest.raises(ReloadRefused, match="has no file"):
        await LiveConfig(config).reread()


def test_the_page_of_the_configuration_names_the_keys() -> None:
    page = (Path(__file__).parents[3] / "docs" / "configuration.md").read_text("utf-8")
    section = page.split("\n## Changes while a table plays\n")[1].split("\n## ")[0]
    items = "".join(line for line in section.splitlines() if line.startswith("- "))
    assert set(re.findall(r"`(\w+\.\w+)`", items)) == set(RELOADABLE)
