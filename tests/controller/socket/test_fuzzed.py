"""A table that is sent requests at random answers each, plays on, and starts again from its journal."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from controller.socket import methods
from controller.socket.core import Core
from controller.table import state_machine
from tests.controller.socket import fuzzed
from tests.controller.socket.fuzzed import searched
from tests.fixtures.core_table import open_core

LINES = 400


async def test_a_table_answers_whatever_it_is_sent() -> None:
    met = Counter[str]()
    for seed in range(1, 4):
        met += await searched(seed, LINES)
    assert {"result", "401", "403", "409", "-32700", "-32600", "-32601", "-32602", "act"} <= {*met}


async def test_a_fault_of_a_method_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(_core: Core, *_: object) -> object:
        raise KeyError("planted")

    monkeypatch.setitem(methods.METHODS, "roster", replace(methods.METHODS["roster"], call=stumble))
    with pytest.raises(AssertionError, match="a fault of the core"):
        await searched(1, LINES)


async def test_an_act_that_halts_the_table_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(*_: object) -> None:
        raise KeyError("planted")

    async def search() -> None:
        async with open_core(tmp_path, "", fuzzed.GAME) as core:
            for event in state_machine.APPLIERS:
                monkeypatch.setitem(state_machine.APPLIERS, event, stumble)
            await fuzzed.sent(fuzzed.Fuzz(Random(1), [*core.tokens.values()]), core, LINES)

    monkeypatch.setattr(fuzzed, "ANSWER", 2.0)  # a table that has halted answers no more
    with pytest.raises(KeyError, match="planted"):
        await search()
