"""The sections about the floor: what is accepted, and what each fault says."""

from pathlib import Path
from typing import Any

import pytest

from controller.config import parse, read
from tests.controller.config.test_config import faults, good

FILES = {"credentials": "keys/uplink.creds", "ca": "house.crt"}
REMOTE = {"property": "north", "table": "bj-7", "servers": ["tls://floor1.house.example:4222"], **FILES}
LOCAL = {"property": "north", "table": "bj-7", "servers": ["nats://127.0.0.1:4222"]}
KEY = "ab" * 32


def test_a_table_without_a_floor_has_no_uplink_and_accepts_no_message() -> None:
    config = parse(good())
    assert config.uplink is None
    assert config.floor.pinned() == ()


def test_files_of_the_uplink_lie_beside_the_configuration(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(
        '[table]\nname = "T"\ngame = "easy-jack"\n[journal]\npath = "j"\n'
        '[devices.shoe]\nport = "/dev/a"\nserial = "a"\n[devices.sensors]\nport = "/dev/b"\nserial = "b"\n'
        '[uplink]\nproperty = "north"\ntable = "bj-7"\nservers = ["tls://[fd00::1]:4222"]\n'
        'credentials = "keys/uplink.creds"\nca = "house.crt"\n'
    )
    uplink = read(path).uplink
    assert uplink
    assert (uplink.credentials, uplink.ca) == (
        str(tmp_path / "keys" / "uplink.creds"),
        str(tmp_path / "house.crt"),
    )
    assert uplink.catch_up == 5000


@pytest.mark.parametrize("server", ["nats://127.0.0.1:4222", "nats://[::1]:1", "nats://localhost:9"])
def test_a_server_of_this_machine_needs_neither_credentials_nor_certificate(server: str) -> None:
    uplink = parse(good() | {"uplink": LOCAL | {"servers": [server]}}).uplink
    assert uplink
    assert uplink.servers == (server,)


SERVERS = 'allowed: 1 to 9 addresses, as ["tls://floor1.house.example:4222"]'
NAMES = "allowed: 1 to 24 small letters, digits and hyphens"
FAULTS: tuple[tuple[dict[str, Any], str], ...] = (
    ({"property": "hub"}, f'uplink.property = "hub": not allowed; {NAMES}, but not "hub"'),
    ({"property": "North"}, f'uplink.property = "North": not allowed; {NAMES}, but not "hub"'),
    ({"table": "bj 7"}, f'uplink.table = "bj 7": not allowed; {NAMES}'),
    ({"table": "a" * 25}, f'uplink.table = "{"a" * 25}": not allowed; {NAMES}'),
    ({"servers": []}, f"uplink.servers = []: not allowed; {SERVERS}"),
    ({"servers": ["floor1:4222"]}, f'uplink.servers = "floor1:4222": not allowed; {SERVERS}'),
    ({"servers": ["tls://floor1"]}, f'uplink.servers = "tls://floor1": not allowed; {SERVERS}'),
    ({"servers": ["tls://floor1:70000"]}, f'uplink.servers = "tls://floor1:70000": not allowed; {SERVERS}'),
    (
        {"servers": ["tls://a:b@floor1:4222"]},
        f'uplink.servers = "tls://a:b@floor1:4222": not allowed; {SERVERS}',
    ),
    (
        {"servers": ["tls://floor1:4222", "nats://10.0.0.7:4222"]},
        'uplink.servers = "nats://10.0.0.7:4222": not allowed, because others on the network could read it; '
        "allowed: tls://",
    ),
    (
        {"ca": ""},
        'uplink.ca = "": not allowed with the server tls://floor1.house.example:4222; '
        "allowed: the path of a file, beside the configuration if relative",
    ),
    (
        {"credentials": ""},
        'uplink.credentials = "": not allowed with the server tls://floor1.house.example:4222; '
        "allowed: the path of a file, beside the configuration if relative",
    ),
    (
        {"catch_up": 0},
        "uplink.catch_up = 0: not allowed; allowed: rows a second, a whole number from 100 to 100000",
    ),
    (
        {"hold_back": False},
        "uplink.hold_back = false: unknown key; "
        "allowed here: property, table, servers, credentials, ca, catch_up",
    ),
)


@pytest.mark.parametrize(("change", "fault"), FAULTS)
def test_a_fault_names_key_value_and_what_is_allowed(change: dict[str, Any], fault: str) -> None:
    assert faults(good() | {"uplink": REMOTE | change}) == [fault]


def test_a_missing_key_is_named() -> None:
    assert faults(good() | {"uplink": {"property": "north", "servers": LOCAL["servers"]}}) == [
        f"uplink.table is missing; needed: {NAMES.removeprefix('allowed: ')}"
    ]


def test_the_floor_has_the_key_in_use_and_the_next_one() -> None:
    keys = parse(good() | {"floor": {"keys": [KEY.upper(), "cd" * 32]}}).floor.pinned()
    assert keys == (b"\xab" * 32, b"\xcd" * 32)


@pytest.mark.parametrize("keys", [[KEY] * 3, ["ab" * 31], ["zz" * 32], [KEY[:-2] + " a"], 5])
def test_a_key_that_is_none_is_refused(keys: object) -> None:
    [fault] = faults(good() | {"floor": {"keys": keys}})
    assert fault.startswith("floor.keys = ")
    assert fault.endswith(
        "allowed: at most two public keys of 64 hexadecimal digits, as the floor prints them"
    )


@pytest.mark.parametrize("hours", [-1, 73])
def test_people_go_on_without_the_floor_for_three_days_at_most(hours: int) -> None:
    assert faults(good() | {"floor": {"offline_for": hours}}) == [
        f"floor.offline_for = {hours}: not allowed; allowed: hours, a whole number from 0 to 72"
    ]
