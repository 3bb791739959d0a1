"""The configuration of a floor."""

from pathlib import Path

import pytest

from controller.config import ConfigError
from controller.floor.progressive.settings import read_progressive
from controller.floor.service.service import serve
from controller.floor.settings import read_floor
from controller.process.faults import FAILED, USAGE

LEAST = 'property = "house"\nservers = ["nats://127.0.0.1:4222"]\n'


def written(folder: Path, text: str) -> Path:
    path = folder / "floor.toml"
    path.write_text(text, encoding="utf-8")
    return path


def faults(folder: Path, more: str) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as caught:
        read_floor(written(folder, LEAST + more))
    return caught.value.faults


def test_two_keys_are_enough_and_paths_lie_beside_the_file(tmp_path: Path) -> None:
    config = read_floor(written(tmp_path, LEAST))
    assert (config.replicas, config.notice, config.retention) == (1, 72, 90)
    assert config.stores == str(tmp_path / "stores")
    assert config.key == str(tmp_path / "keys" / "floor.key")
    assert config.access.path == str(tmp_path / "access.db")
    assert config.ca == ""


def test_the_example_of_the_package_is_a_floor_of_three_servers() -> None:
    config = read_floor(Path(__file__).parents[3] / "examples" / "installed-floor.toml")
    assert (config.replicas, len(config.servers), len(config.monitors)) == (3, 3, 3)
    assert config.access.path == "/var/lib/tableside-floor/access.db"


def test_the_example_of_an_instance_has_the_floor_s_servers_and_two_disks() -> None:
    examples = Path(__file__).parents[3] / "examples"
    instance = read_progressive(examples / "installed-progressive.toml")
    floor = read_floor(examples / "installed-floor.toml")
    shared = ("property", "servers", "monitors", "replicas", "ca")
    assert [getattr(instance, name) for name in shared] == [getattr(floor, name) for name in shared]
    assert Path(instance.journal).parent != Path(instance.mirror).parent


def test_every_missing_key_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        read_floor(written(tmp_path, ""))
    assert [fault.split(";")[0] for fault in caught.value.faults] == [
        "property is missing",
        "servers is missing",
    ]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("replicas = 2", "replicas = 2: not allowed; allowed: 1 or 3"),
        ("retention = 89", "retention = 89: not allowed; allowed: days, a whole number from 90 to 36500"),
        ("notice = -1", "notice = -1: not allowed; allowed: hours, a whole number from 0 to 8760"),
        ("colour = 1", "colour = 1: unknown key; allowed here: property, servers"),
        ('properties = ["north"]', "not allowed with the property house"),
        ('monitors = ["nats-1"]', 'monitors = ["nats-1"]: not allowed; allowed: addresses of the monitoring'),
        (
            "[pits]\nmain = 5",
            'pits = {"main": 5}: not allowed; allowed: a section with the tables of each pit',
        ),
        ('[pits]\nmain = ["BJ 1"]', 'pits = {"main": ["BJ 1"]}: not allowed'),
        ('[pits]\nmain = ["a"]\nhigh = ["a"]', "each table in one pit"),
        ("[access]\nidle = 0", "access.idle = 0: not allowed"),
        ('[reports]\nday_begins = "6"', 'reports.day_begins = "6": not allowed'),
    ],
)
def test_a_bad_value_is_refused_with_what_is_allowed(tmp_path: Path, line: str, fault: str) -> None:
    (found,) = faults(tmp_path, line)
    assert fault in found


@pytest.mark.parametrize(
    "address", ["nats://10.0.0.7:4222", "nats://nats-1.house.example:4222", "tls://nats-1", "127.0.0.1:4222"]
)
def test_a_server_that_others_could_read_or_nobody_finds_is_refused(tmp_path: Path, address: str) -> None:
    with pytest.raises(ConfigError, match=r"servers = .*nats:// on this computer only"):
        read_floor(written(tmp_path, f'property = "house"\nservers = ["{address}"]\n'))


def test_a_hub_without_properties_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="not allowed with the property hub"):
        read_floor(written(tmp_path, LEAST.replace("house", "hub")))


def test_a_hub_has_the_streams_of_its_levels_only_from_all_properties(tmp_path: Path) -> None:
    text = LEAST.replace("house", "hub") + 'properties = ["north"]\nlevels = ["mega"]\n'
    streams = read_floor(written(tmp_path, text)).deployment().streams()
    assert set(streams) == {"PROGRESSIVE_IN", "PROGRESSIVE_LOG", "KV_LEASE"}
    subjects = ["ts.*.progressive.in.mega.*", "ts.*.progressive.admin.mega"]
    assert streams["PROGRESSIVE_IN"].subjects == subjects


def test_a_hub_has_no_floor(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = LEAST.replace("house", "hub") + 'properties = ["north"]\n'
    assert serve(written(tmp_path, text)) == USAGE
    assert "property = hub: not allowed; a hub has linked progressives, no floor" in capfd.readouterr().err


def test_local_times_of_a_floor_are_in_its_configured_zone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    zones = list[str]()
    monkeypatch.setattr("controller.floor.service.service.set_time_zone", zones.append)
    assert serve(written(tmp_path, f'{LEAST}[reports]\nzone = "Asia/Tokyo"\n')) == FAILED
    assert zones == ["Asia/Tokyo"]


def test_each_level_has_its_messages_and_its_log_in_a_stream(tmp_path: Path) -> None:
    streams = read_floor(written(tmp_path, LEAST + 'levels = ["sevens", "aces"]\n')).deployment().streams()
    assert streams["PROGRESSIVE_IN"].subjects == [
        "ts.house.progressive.in.sevens.*",
        "ts.house.progressive.admin.sevens",
        "ts.house.progressive.in.aces.*",
        "ts.house.progressive.admin.aces",
    ]
    assert streams["PROGRESSIVE_LOG"].subjects == [
        "ts.house.progressive.log.sevens",
        "ts.house.progressive.log.aces",
    ]


def test_a_floor_without_levels_has_no_streams_for_them(tmp_path: Path) -> None:
    streams = read_floor(written(tmp_path, LEAST)).deployment().streams()
    assert not [name for name in streams if name.startswith("PROGRESSIVE")]


def test_the_name_of_a_level_is_checked(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, 'levels = ["Sevens"]\n')
    assert fault.startswith(
        f'{tmp_path / "floor.toml"}, line 3: levels = ["Sevens"]: not allowed; '
        "allowed: names of the linked progressives"
    )
