"""The configuration: what is accepted, and that every fault is named at once."""

from pathlib import Path
from typing import Any

import pytest

from controller.config import ConfigError, parse, read
from controller.daemon.first_event import started_event
from controller.games import GAMES
from drivers.adapters.options import AdapterOptions

EXAMPLE = Path(__file__).parents[3] / "examples" / "easy-jack.toml"


def good() -> dict[str, Any]:
    names = ("shoe", "sensors", "console")
    return {
        "table": {"name": "T", "game": "easy-jack", "seats": 5},
        "journal": {"path": "j"},
        "devices": {name: {"port": f"/dev/{name}", "serial": f"{name}-1"} for name in names},
    }


def faults(raw: dict[str, Any]) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        parse(raw)
    return list(caught.value.faults)


def test_omitted_keys_take_their_defaults() -> None:
    config = parse(good())
    assert config.web.host == "127.0.0.1"
    assert config.devices.shoe.baud == 115200
    assert list(config.devices.configured()) == ["shoe", "sensors", "console"]


@pytest.mark.parametrize(("adapter", "rate"), [("tsl", 115200), ("angel-eye-2ex", 4800), ("bee-tek", 9600)])
def test_a_commercial_shoe_has_its_usual_rate_unless_another_is_configured(adapter: str, rate: int) -> None:
    raw = good()
    raw["devices"]["shoe"] |= {"adapter": adapter}
    assert parse(raw).devices.shoe.rate == rate
    raw["devices"]["shoe"] |= {"baud": 19200}
    assert parse(raw).devices.shoe.rate == 19200


def test_options_that_a_shoe_maker_leaves_open_can_be_set() -> None:
    raw = good()
    raw["devices"]["shoe"] |= {"adapter": "angel-eye-2ex", "r_means": "redeal", "sequence": "ignored"}
    assert parse(raw).devices.shoe.adapter_options() == AdapterOptions("redeal", "ignored")
    raw["devices"]["shoe"] |= {"adapter": "angel eye", "r_means": "card"}
    raw["devices"]["sensors"] |= {"adapter": "bee-tek"}
    assert faults(raw) == [
        'devices.shoe.adapter = "angel eye": not allowed; allowed: "tsl" or "angel-eye-2ex" or "bee-tek"; '
        'did you mean "angel-eye-2ex"?',
        'devices.shoe.r_means = "card": not allowed; allowed: "ask" or "retransmission" or "redeal"',
        'devices.sensors.adapter = "bee-tek": unknown key; allowed here: port, serial, baud, seal, key',
    ]


def test_each_bad_network_of_dealers_is_named() -> None:
    allowed = 'allowed: networks, as ["127.0.0.0/8", "10.7.0.12"]'
    bad = {
        "10.7.0.12/24": "10.7.0.12/24 has host bits set",
        "the pit": "'the pit' does not appear to be an IPv4 or IPv6 network",
    }
    for text, why in bad.items():
        raw = good() | {"access": {"dealer_from": ["127.0.0.1", text]}}
        assert faults(raw) == [f'access.dealer_from = "{text}": {why}; {allowed}']
    for value, shown in ((5, "5"), ([5], "5"), ("127.0.0.1", '"127.0.0.1"')):
        raw = good() | {"access": {"dealer_from": value}}
        assert faults(raw) == [f"access.dealer_from = {shown}: not allowed; {allowed}"]


def test_networks_of_dealers_are_read_and_loopback_by_default() -> None:
    def networks(access: dict[str, Any]) -> list[str]:
        return [str(one) for one in parse(good() | {"access": access}).access.dealer_networks()]

    assert networks({}) == ["127.0.0.0/8", "::1/128"]
    assert networks({"dealer_from": ["10.7.0.12", "fd00::/64"]}) == ["10.7.0.12/32", "fd00::/64"]
    assert networks({"dealer_from": []}) == []


def test_each_bad_item_of_a_list_is_named_beside_other_faults() -> None:
    raw = good() | {"web": {"names": ["table7.example", "a b", 5], "port": -1}}
    name, number, port = sorted(faults(raw))
    assert name.startswith('web.names = "a b": not allowed; allowed: names of this machine')
    assert number.startswith("web.names = 5: not allowed; allowed: names of this machine")
    assert port.startswith("web.port = -1: not allowed; ")


def test_an_invisible_character_in_a_list_is_named() -> None:
    raw = good() | {"access": {"dealer_from": ["10.0.0.1\u200b"]}}
    (fault,) = faults(raw)
    assert fault.startswith(
        "access.dealer_from: not allowed: U+200B (ZERO WIDTH SPACE) is a format character"
    )


def test_example_is_good_and_its_journal_lies_beside_it() -> None:
    config = read(EXAMPLE)
    assert config.journal.path == str(EXAMPLE.with_name("easy-jack.journal"))
    assert len(config.devices.configured()) == 5


def test_all_faults_of_a_configuration_are_named_at_once() -> None:
    raw = good()
    raw["table"] |= {"seats": 10, "colour": "green"}
    raw["options"] = {"decks": 7, "peek": "yes", "jokers": True}
    raw["web"] = {"port": "8080"}
    raw["devices"]["sensors"] = {"port": "/dev/shoe", "serial": "shoe-1", "baud": 110}
    raw["devices"]["robot"] = {}
    del raw["devices"]["console"]["serial"]
    found = faults(raw)
    for expected in (
        "table.seats = 10: not allowed; allowed: a whole number from 1 to 9",
        'table.colour = "green": unknown key; allowed here: name, game, seats, bank',
        "options.decks = 7: not allowed; allowed: 6, 8",
        'options.peek = "yes": not allowed; allowed: true, false',
        'web.port = "8080": not allowed; allowed: a whole number from 0 (any free one) to 65535',
        "devices.sensors.baud = 110: not allowed; allowed: one of 4800, 9600, 19200",
        "devices.robot = {}: unknown key; allowed here: shoe, sensors, console, shuffler, display",
        "devices.console.serial is missing; needed: 1 to 24 printable characters without spaces",
        'devices.sensors.port = "/dev/shoe": already that of devices.shoe',
        'devices.sensors.serial = "shoe-1": already that of devices.shoe',
    ):
        assert any(fault.startswith(expected) for fault in found), (expected, found)
    assert any(fault.startswith("options.jokers = true: ") for fault in found)
    assert len(found) == 11


def test_the_kiosk_cannot_have_the_port_of_the_pages() -> None:
    raw = good()
    raw["web"] = {"port": 8081, "kiosk_port": 8081}
    assert faults(raw) == [
        "web.kiosk_port = 8081: not allowed, because web.port has it; allowed: another port"
    ]
    raw["web"] = {"kiosk_port": 65536}
    assert faults(raw) == [
        "web.kiosk_port = 65536: not allowed; allowed: a whole number from 0 (none of its own) to 65535"
    ]


def test_a_table_name_with_invisible_characters_is_refused() -> None:
    raw = good()
    raw["table"] |= {"name": "Table \u202e7"}
    why = "U+202E (RIGHT-TO-LEFT OVERRIDE) is a format character"
    assert faults(raw) == [f"table.name: not allowed: {why}; allowed: text that can be seen"]


@pytest.mark.parametrize("seats", [0, 10, "seven", 7.0, True])
def test_an_impossible_number_of_seats_is_refused(seats: object) -> None:
    raw = good()
    raw["table"]["seats"] = seats
    assert len(faults(raw)) == 1
    assert faults(raw)[0].startswith("table.seats = ")


def test_unknown_game_names_the_games() -> None:
    raw = good()
    raw["table"]["game"] = "chess"
    (fault,) = faults(raw)
    assert fault.startswith('table.game = "chess": not allowed; allowed: "ez-bust" or "easy-jack" or ')
    assert all(f'"{game}"' in fault for game in GAMES)


@pytest.mark.parametrize("game", [["easy-jack"], {}, 3, None])
def test_a_game_that_is_not_text_is_refused(game: object) -> None:
    raw = good()
    raw["table"]["game"] = game
    assert len(faults(raw)) == 1


class TestBank:
    def test_may_go_round_in_a_player_dealer_game(self) -> None:
        raw = good()
        raw["table"] |= {"game": "pure-21-5", "bank": "rotating"}
        assert parse(raw).table.bank == "rotating"

    def test_is_the_house_in_others(self) -> None:
        raw = good()
        raw["table"]["bank"] = "rotating"
        assert faults(raw) == [
            'table.bank = "rotating": not allowed; allowed: "third party", because the house banks easy-jack'
        ]

    def test_is_one_of_two(self) -> None:
        raw = good()
        raw["table"] |= {"game": "pure-21-5", "bank": "me"}
        assert faults(raw) == ['table.bank = "me": not allowed; allowed: "third party" or "rotating"']


@pytest.mark.parametrize("base", ["first-base", "third-base"])
def test_the_table_pays_from_the_base_that_is_configured(base: str) -> None:
    raw = good()
    assert started_event(parse(raw)).pay_from == "first-base"
    raw["table"]["pay_from"] = base
    assert started_event(parse(raw)).pay_from == base


@pytest.mark.parametrize(("value", "written"), [("second-base", '"second-base"'), (1, "1"), ("", '""')])
def test_an_unknown_base_to_pay_from_is_refused(value: object, written: str) -> None:
    raw = good()
    raw["table"]["pay_from"] = value
    assert faults(raw) == [f'table.pay_from = {written}: not allowed; allowed: "first-base" or "third-base"']


@pytest.mark.parametrize(
    "port",
    ["", "com://x", "socket://", "socket://host", "socket://host:x", "usb://1209:1/S", "usb://path/"],
)
def test_impossible_ports_are_refused(port: str) -> None:
    raw = good()
    raw["devices"]["shoe"]["port"] = port
    assert faults(raw) == [
        f'devices.shoe.port = "{port}": not allowed; allowed: the path of a serial port, socket://HOST:PORT, '
        "usb://VENDOR:PRODUCT/SERIAL (ids of four hexadecimal digits) or usb://path/ID_PATH"
    ]


@pytest.mark.parametrize("port", ["/dev/serial/by-path/x:1.0", "COM3", "socket://10.0.0.7:4001"])
def test_possible_ports_are_accepted(port: str) -> None:
    raw = good()
    raw["devices"]["shoe"]["port"] = port
    assert parse(raw).devices.shoe.port == port


def test_two_names_of_one_port_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    (tmp_path / "b").symlink_to(tmp_path / "a")
    raw = good()
    raw["devices"]["shoe"]["port"] = str(tmp_path / "a")
    raw["devices"]["console"]["port"] = str(tmp_path / "b")
    assert len(faults(raw)) == 1


@pytest.mark.parametrize("raw", [{}, {"table": 1, "devices": []}, {"options": 3}, {"devices": {"shoe": 1}}])
def test_sections_of_the_wrong_type_are_refused(raw: dict[str, Any]) -> None:
    assert faults(raw)


def test_a_file_that_is_not_toml_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text("[table\n")
    with pytest.raises(ConfigError, match=r"x\.toml"):
        read(path)
    with pytest.raises(ConfigError, match="absent"):
        read(tmp_path / "absent.toml")


class TestJournal:
    def test_the_key_lies_beside_the_configuration(self, tmp_path: Path) -> None:
        (tmp_path / "table.toml").write_text(EXAMPLE.read_text("utf-8"))
        assert read(tmp_path / "table.toml").journal.key == str(tmp_path / "keys" / "journal.key")

    def test_there_is_no_mirror_unless_it_is_named(self) -> None:
        assert parse(good()).journal.mirror is None

    def test_the_mirror_lies_where_it_says(self, tmp_path: Path) -> None:
        text = EXAMPLE.read_text("utf-8").replace("# mirror = ", "mirror = ")
        (tmp_path / "table.toml").write_text(text)
        assert read(tmp_path / "table.toml").journal.mirror == "/mnt/second/table/easy-jack.journal"

    def test_the_mirror_is_another_file(self) -> None:
        found = faults(good() | {"journal": {"path": "j", "mirror": "j"}})
        assert found == ['journal.mirror = "j": already journal.path; allowed: another file, on another disk']

    @pytest.mark.parametrize("days", [0, 89, 36501, "90"])
    def test_nothing_is_archived_for_less_than_90_days(self, days: object) -> None:
        found = faults(good() | {"journal": {"path": "j", "retention": days}})
        assert found[0].startswith("journal.retention = ")
        assert found[0].endswith("allowed: days, a whole number from 90 to 36500")

    def test_90_days_are_allowed(self) -> None:
        assert parse(good() | {"journal": {"path": "j", "retention": 90}}).journal.retention == 90

    @pytest.mark.parametrize(("warn", "stop"), [(200, 200), (100, 200), (5, 6)])
    def test_a_warning_comes_before_the_stop(self, warn: int, stop: int) -> None:
        found = faults(good() | {"journal": {"path": "j", "warn_free": warn, "stop_free": stop}})
        assert found == [
            f"journal.warn_free = {warn}: not allowed with stop_free = {stop}; allowed: a number above {stop}"
        ]

    def test_another_fault_of_the_section_does_not_hide_it(self) -> None:
        journal = {"path": "j", "mirror": "j", "retention": 1, "warn_free": 5, "stop_free": 6}
        assert [fault.partition(" = ")[0] for fault in faults(good() | {"journal": journal})] == [
            "journal.mirror",
            "journal.retention",
            "journal.warn_free",
        ]

    def test_the_usual_limit_counts_too(self) -> None:
        found = faults(good() | {"journal": {"path": "j", "stop_free": 2000}})
        assert found[0].startswith("journal.warn_free = 1000: not allowed with stop_free = 2000")


def test_the_manifest_lies_beside_the_configuration(tmp_path: Path) -> None:
    text = EXAMPLE.read_text("utf-8")
    (tmp_path / "table.toml").write_text(text)
    assert read(tmp_path / "table.toml").selftest.manifest == ""
    (tmp_path / "table.toml").write_text(f'{text}\n[selftest]\nmanifest = "m.json"\n')
    assert read(tmp_path / "table.toml").selftest.manifest == str(tmp_path / "m.json")
