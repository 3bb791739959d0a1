"""The bench itself: a script with a wrong expectation must fail."""

import copy

import pytest

from .bench import play
from .test_hosts import Host
from .test_links import SIDES, OpenLink
from .vectors import Vector, load

WRONG = {
    "out": [{"flags": 0, "channel": 0, "sequence": 0, "message": {"bye": {"reason": 99}}}],
    "taken": [{"bye": {"reason": 99}}],
    "told": [{"down": {"reason": "never"}}],
    "acknowledgement": 999,
    "naks": [999],
    "ended": "never",
}


@pytest.mark.parametrize("key", ["out", "taken", "acknowledgement", "naks", "ended"])
def test_a_wrong_expectation_of_a_link_fails(key: str) -> None:
    for vector in load("receiving", "sending"):
        if vector["name"] != "sequence-wrap":
            _fails(vector, key)


@pytest.mark.parametrize("key", ["out", "told"])
def test_a_wrong_expectation_of_a_host_fails(key: str) -> None:
    for vector in load("host-handshake", "host-log"):
        _fails(vector, key)


def _fails(vector: Vector, key: str) -> None:
    for place, step in enumerate(vector["steps"][:-1]):
        if key in step:
            wrong = copy.deepcopy(vector)
            wrong["steps"][place][key] = WRONG[key]
            with pytest.raises(AssertionError):
                play(wrong, OpenLink(SIDES[vector["side"]]) if vector["kind"] == "link" else Host(vector))
