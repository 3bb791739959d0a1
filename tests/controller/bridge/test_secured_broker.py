"""A broker that asks for TLS and a password, and says what a user may do: the bridge names each fault."""

import subprocess
from pathlib import Path

import pytest

from controller.bridge import mqtt
from controller.bridge.events import TableName
from controller.bridge.receiver import NotDelivered
from controller.config.bridge import MqttSection
from tests.controller.bridge.bridged_table import ROUND, SENDS, BridgedTable
from tests.fixtures.house_ca import make_certificates
from tests.fixtures.mosquitto import Broker, Listener, broker_in
from tests.fixtures.waiting import come_true

pytestmark = pytest.mark.usefixtures("fork_server")

SECTION = """
[bridge]
table = "bj-7"
[bridge.mqtt]
server = "mqtts://127.0.0.1:{port}"
user = "bj-7"
password = "mqtt.password"
ca = "{ca}"
"""
SECURED = """
allow_anonymous false
certfile {folder}/server.crt
keyfile {folder}/server.key
password_file {folder}/passwords
acl_file {folder}/acl
"""
ALLOWED = "user bj-7\ntopic readwrite tableside/bj-7/+\nuser listener\ntopic read #\n"
READ_ONLY = "user bj-7\ntopic read tableside/bj-7/+\n"


def secured(folder: Path, permissions: str = ALLOWED) -> Broker:
    """A broker with the users bj-7 and listener, whose passwords are their names."""
    make_certificates(folder)
    (folder / "acl").write_text(permissions)
    (folder / "passwords").touch(0o600)
    for user in ("bj-7", "listener"):
        subprocess.run(["mosquitto_passwd", "-b", folder / "passwords", user, user], check=True)
    return broker_in(folder / "broker", SECURED.format(folder=folder))


def bridged(folder: Path, broker: Broker, typed: str = "bj-7", ca: str = "ca.crt") -> BridgedTable:
    table = BridgedTable(folder, SECTION.format(port=broker.port, ca=ca))
    (folder / "mqtt.password").write_text(f"{typed}\n")
    (folder / "mqtt.password").chmod(0o600)
    return table


async def test_events_reach_a_broker_with_tls_and_a_password(tmp_path: Path) -> None:
    broker = secured(tmp_path)
    table = bridged(tmp_path, broker)
    signs_in = {"username": "listener", "password": "listener"}
    listener = Listener(broker.port, "tableside/bj-7", signs_in, tmp_path / "ca.crt")
    with broker.running():
        async with table.core() as core, listener.listening():
            with table.bridge() as bridge:
                await bridge.says(SENDS)
                await come_true(lambda: table.place()["row"])
                core.play(ROUND)
                await come_true(lambda: listener.of("round"))


async def test_a_wrong_password_is_named(tmp_path: Path) -> None:
    broker = secured(tmp_path)
    with broker.running(), bridged(tmp_path, broker, typed="bj-8").bridge() as bridge:
        await bridge.says("Not authorized")


async def test_a_certificate_of_a_stranger_is_refused(tmp_path: Path) -> None:
    broker = secured(tmp_path)
    (tmp_path / "other").mkdir()
    make_certificates(tmp_path / "other")
    with broker.running(), bridged(tmp_path, broker, ca="other/ca.crt").bridge() as bridge:
        await bridge.says("certificate verify failed")


async def test_a_broker_that_does_not_let_the_bridge_publish_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mqtt, "LIMIT", 5.0)
    broker = secured(tmp_path, READ_ONLY)
    table = bridged(tmp_path, broker)
    section = MqttSection(
        server=f"mqtts://127.0.0.1:{broker.port}",
        user="bj-7",
        password=str(table.folder / "mqtt.password"),
        ca=str(tmp_path / "ca.crt"),
    )
    receiver = mqtt.MqttReceiver(section, TableName("bj-7", "Table 7"))
    denied = r"'bj-7' publishes and reads under tableside/bj-7/\+"
    with broker.running(), pytest.raises(NotDelivered, match=denied):
        async with receiver.connection():
            raise AssertionError("the broker passes on what nobody may publish")
