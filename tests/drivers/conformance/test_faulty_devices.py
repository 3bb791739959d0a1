"""Simulated devices with one rule removed: the check of that rule finds it, and no other does.

test_firmware breaks the sample device in C in more ways; here are the classes without a sample.
"""

from dataclasses import dataclass, replace
from typing import Any

import pytest

from drivers.protocol.codes import LevelState, Status
from drivers.sim.bet_sensors import SensorsBody
from drivers.sim.body import NEVER
from drivers.sim.dealer_console import ConsoleBody
from drivers.sim.jackpot_display import DisplayBody
from drivers.sim.kinds import KINDS
from drivers.sim.link import commands
from drivers.sim.link.commands import DONE, CommandRunner
from drivers.sim.link.device import DeviceLink
from drivers.sim.shoe import ShoeBody
from drivers.sim.shuffler import ShufflerBody
from tests.drivers.conformance.rig import report, unit


@dataclass(frozen=True)
class Fault:
    """Replaces `attribute` of `owner`; `found`: the checks that must fail."""

    name: str
    kind: str
    owner: Any
    attribute: str
    instead: Any
    found: tuple[str, ...]


def nothing(*_: Any, **__: Any) -> None:
    """Does nothing."""


def done(*_: Any) -> tuple[Status, str]:
    """Claims to have done it."""
    return DONE


def _executes_again(self: CommandRunner, key: int, record: Any, now: float) -> Any:
    self._memory.begin_action(max(key, self._memory.last_key + 1))
    outcome = self._body.command(record, now)
    self._memory.end_action(key, *outcome)
    return outcome


def _recalls_only(self: CommandRunner, key: int) -> Any:
    return self._memory.result(key) or (Status.NEVER, "")


def _arms_with_the_newest_of_now_only(self: CommandRunner, seen: int, now: float) -> Any:
    self._newest_at_start = self._memory.newest
    return _arm(self, seen, now)


def _resumes_from_one(self: DeviceLink, _following: int) -> None:
    self._next = 1


def _counts_cards_up_and_down(self: DeviceLink) -> Any:
    vitals = _vitals(self)
    return replace(vitals, cards=int(vitals.newest > 1 and self.counters.frames_out % 2))


def _refuses_lost(self: DisplayBody, record: Any, now: float) -> tuple[Status, str]:
    return (
        (Status.RANGE, "state 3: 0 to 2")
        if record.state == LevelState.LINK_LOST
        else _level(self, record, now)
    )


_level = DisplayBody.level
_arm = CommandRunner._arm
_vitals = DeviceLink._vitals
_tick = SensorsBody.tick


def _lets_lamps_be(self: SensorsBody, now: float) -> None:
    self._lease = NEVER
    _tick(self, now)


FAULTS = (
    Fault("lamps never end", "sensors", SensorsBody, "tick", _lets_lamps_be, ("sensors.lease",)),
    Fault("lamps stay", "sensors", SensorsBody, "on_safe", nothing, ("sensors.lamps-wait",)),
    Fault("any ttl", "sensors", commands, "out_of_range", nothing, ("commands.field-range", "sensors.ttl")),
    Fault("a level without a source", "display", DisplayBody, "level", _refuses_lost, ("display.shows",)),
    Fault("no mark", "display", DisplayBody, "on_safe", nothing, ("display.link-lost",)),
    Fault("blank", "display", DisplayBody, "level", done, ("display.link-lost",)),
    Fault("the prompt stays", "console", ConsoleBody, "on_safe", nothing, ("console.prompts",)),
    Fault(
        "actions again",
        "shuffler",
        CommandRunner,
        "_run_action",
        _executes_again,
        (
            "commands.action-once",
            "commands.field-range",
            "commands.key-forgotten",
            "commands.key-range",
            "commands.refusal-kept",
            "commands.unarmed",
        ),
    ),
    Fault(
        "a recall does not burn",
        "shuffler",
        CommandRunner,
        "_recall",
        _recalls_only,
        (
            "commands.key-forgotten",
            "commands.key-range",
            "commands.recall-never",
            "commands.results-kept",
            "commands.results-reboot",
        ),
    ),
    Fault(
        "a shuffler without commands",
        "shuffler",
        ShufflerBody,
        "commands",
        {},
        ("commands.state-waits", "shuffler.cycle"),
    ),
    Fault(
        "resumes from 1",
        "display",
        DeviceLink,
        "_resume",
        _resumes_from_one,
        ("events.reboot", "events.resume-middle", "events.resume-needed"),
    ),
    *(
        Fault(
            f"Arm is stale for a {kind}",
            kind,
            CommandRunner,
            "_arm",
            _arms_with_the_newest_of_now_only,
            ("commands.arm-stale",),
        )
        for kind in KINDS
    ),
    Fault(
        "cards up and down", "display", DeviceLink, "_vitals", _counts_cards_up_and_down, ("always.counts",)
    ),
    Fault("any key", "console", CommandRunner, "_impossible_key", nothing, ("commands.key-range",)),
    Fault("Lock does nothing", "shoe", ShoeBody, "lock", done, ("shoe.lock",)),
)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
async def test_a_broken_rule_is_found_by_its_check_alone(
    fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fault.owner, fault.attribute, fault.instead)
    made = await report(unit(fault.kind))
    assert tuple(sorted(outcome.check for outcome in made.failed)) == fault.found
