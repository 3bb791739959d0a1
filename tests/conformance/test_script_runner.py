"""The script runner: a script with a wrong expectation must fail."""

import copy
from collections.abc import Callable

import pytest

from .bench import Side, play
from .test_devices import Device
from .test_hosts import Host
from .test_links import OpenLink
from .test_update_scripts import UpdatableDevice
from .vectors import Vector, load

WRONG = {
    "out": [{"flags": 0, "channel": 0, "sequence": 0, "message": {"bye": {"reason": 99}}}],
    "taken": [{"bye": {"reason": 99}}],
    "told": [{"down": {"reason": "never"}}],
    "acknowledgement": 999,
    "naks": [999],
    "says": [{"message": {"bye": {"reason": 99}}}],
    "events": [{"event": {"number": 999}}],
    "results": [{"key": 999, "status": 1}],
    "wanted": [999],
    "restarts": None,
    "ended": "never",
}


@pytest.mark.parametrize("key", ["out", "taken", "acknowledgement", "naks", "ended"])
def test_a_wrong_expectation_of_a_link_fails(key: str) -> None:
    for vector in load("receiving", "sending", "sealed-link"):
        if "sequence-wrap" not in vector["name"]:
            _fails(vector, key)


@pytest.mark.parametrize("key", ["out", "told"])
def test_a_wrong_expectation_of_a_host_fails(key: str) -> None:
    for vector in load("host-handshake", "host-log", "host-update", "sealed-host"):
        _fails(vector, key)


@pytest.mark.parametrize("key", ["says", "events", "results", "told"])
def test_a_wrong_expectation_of_a_device_fails(key: str) -> None:
    for vector in load("device-handshake", "device-events", "device-commands", "sealed-device"):
        if not vector["name"].startswith("device-ring-full"):
            _fails(vector, key)


@pytest.mark.parametrize("key", ["says", "results", "wanted", "restarts"])
def test_a_wrong_expectation_of_an_updated_device_fails(key: str) -> None:
    for vector in load("device-update"):
        _fails(vector, key)


def _fails(vector: Vector, key: str) -> None:
    for place, step in enumerate(vector["steps"][:-1]):
        if key in step:
            wrong = copy.deepcopy(vector)
            wrong["steps"][place][key] = WRONG[key]
            with pytest.raises(AssertionError):
                play(wrong, _maker(vector)(vector))


def _maker(vector: Vector) -> Callable[[Vector], Side]:
    return UpdatableDevice if "update" in vector else MAKERS[vector["kind"]]


MAKERS: dict[str, Callable[[Vector], Side]] = {
    "link": OpenLink,
    "host": Host,
    "device": Device,
}
