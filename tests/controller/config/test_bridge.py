"""The section bridge: its faults are named with what is allowed."""

from typing import Any

import pytest

from controller.bridge import webhook
from controller.bridge.receiver import ReceiverError
from controller.config import ConfigError
from controller.config.reading import parse

BASE: dict[str, Any] = {
    "table": {"name": "T", "game": "easy-jack"},
    "journal": {"path": "j"},
    "devices": {"shoe": {"port": "/a", "serial": "a"}, "sensors": {"port": "/b", "serial": "b"}},
}
MQTT = {"server": "mqtts://b.example"}
HOOK = {"url": "https://r.example/x", "secret": "s"}


def faults(bridge: dict[str, Any]) -> str:
    try:
        parse(BASE | {"bridge": bridge})
    except ConfigError as error:
        return "\n".join(error.faults)
    return ""


@pytest.mark.parametrize(
    ("bridge", "fault"),
    [
        ({"table": "bj-7"}, "bridge.webhooks = {}: not allowed without bridge.mqtt"),
        (
            {"table": "BJ 7", "mqtt": MQTT},
            'bridge.table = "BJ 7": not allowed; allowed: 1 to 24',
        ),
        ({"table": "t", "mqtt": {"server": "mqtt://b.example"}}, "others on the network could read it"),
        ({"table": "t", "mqtt": {"server": "http://b"}}, "bridge.mqtt.server"),
        ({"table": "t", "mqtt": {"server": "mqtts://b:x"}}, "bridge.mqtt.server"),
        ({"table": "t", "mqtt": MQTT | {"prefix": "a/#"}}, "bridge.mqtt.prefix"),
        (
            {"table": "t", "mqtt": MQTT | {"user": "u"}},
            'bridge.mqtt.password = "": not allowed with',
        ),
        ({"table": "t", "mqtt": MQTT | {"events": ["rounds"]}}, "allowed: one or more of state, round"),
        ({"table": "t", "mqtt": MQTT | {"events": []}}, "bridge.mqtt.events"),
        ({"table": "t", "webhooks": {"R!": HOOK}}, "webhook 'R!'; allowed: 1 to 24 small letters"),
        ({"table": "t", "webhooks": {"r": HOOK | {"url": "http://r.example/"}}}, "bridge.webhooks.r.url"),
        ({"table": "t", "webhooks": {"r": {"url": HOOK["url"]}}}, "bridge.webhooks.r.secret is missing"),
    ],
)
def test_a_fault_names_the_key_and_what_is_allowed(bridge: dict[str, Any], fault: str) -> None:
    assert fault in faults(bridge)


def test_plain_addresses_are_allowed_on_this_machine() -> None:
    hook = HOOK | {"url": "http://127.0.0.1:8000/"}
    assert faults({"table": "t", "mqtt": {"server": "mqtt://localhost:1883"}, "webhooks": {"r": hook}}) == ""


@pytest.mark.parametrize("text", ["", "a\nb", "not-a-secret", "whsec_!", "whsec_c2hvcnQ="])
def test_a_secret_that_is_none_is_refused_without_being_repeated(text: str, tmp_path: Any) -> None:
    path = tmp_path / "s"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(ReceiverError, match=str(path)) as refused:
        webhook.read_secret(path)
    assert not text or text not in str(refused.value)


def test_a_secret_that_others_can_read_is_refused(tmp_path: Any) -> None:
    path = tmp_path / "s"
    path.write_text(webhook.new_secret())
    path.chmod(0o644)
    with pytest.raises(ReceiverError, match="others can read it"):
        webhook.read_secret(path)
