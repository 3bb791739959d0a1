"""A device's commands: what waits for Arm, what needs it, what is refused."""

import pytest

from drivers.messages import (
    Arm,
    Buzz,
    CommandBody,
    Disarm,
    Eject,
    KeyLamps,
    Lamps,
    Level,
    Lock,
    Permit,
    Prompt,
    Recall,
    Resume,
    Start,
    Stop,
    Text,
)
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Channel, DeviceClass, Status
from tests.drivers.link.bench import Bench


@pytest.mark.parametrize(
    ("device_class", "command"),
    [
        (DeviceClass.SHOE, Lock()),
        (DeviceClass.SHUFFLER, Stop()),
        (DeviceClass.SENSORS, Lamps(5000, bytes(54))),
        (DeviceClass.DISPLAY, Text(1, "welcome")),
        (DeviceClass.CONSOLE, KeyLamps(3)),
    ],
)
def test_state_commands_wait_for_arm(device_class: DeviceClass, command: CommandBody) -> None:
    bench = Bench(device_class)
    bench.begin()
    assert bench.say(command) == Status.DONE
    assert bench.body.done == []
    bench.arm()
    assert bench.body.done == ["arm", command]
    assert bench.say(command) == Status.DONE
    assert bench.body.done == ["arm", command, command]


def test_the_newest_of_a_kind_wins_and_leases_count_from_arrival() -> None:
    bench = Bench(DeviceClass.DISPLAY)
    bench.begin()
    for command in (Text(1, "a"), Level(1, 5, 0), Text(2, "b"), Level(2, 6, 0), Text(1, "c")):
        bench.say(command)
    arrived = bench.now
    bench.exchange(1)
    bench.arm()
    assert bench.body.done == ["arm", Level(1, 5, 0), Text(2, "b"), Level(2, 6, 0), Text(1, "c")]
    assert max(bench.body.times[1:]) <= arrived


def test_what_waited_goes_with_the_session() -> None:
    bench = Bench(DeviceClass.CONSOLE)
    bench.begin()
    bench.say(Prompt("old", 0))
    bench.begin()
    bench.arm()
    assert "arm" in bench.body.done
    assert Prompt("old", 0) not in bench.body.done


def test_unarmed_permits_and_actions_are_refused_and_a_refusal_is_kept() -> None:
    shoe, shuffler = Bench(), Bench(DeviceClass.SHUFFLER)
    shoe.begin()
    shuffler.begin()
    assert shoe.say(Permit(1)) == Status.UNARMED
    assert shoe.device.permitted == 0
    assert shuffler.say(Start(8), key=3) == Status.UNARMED
    shuffler.arm()
    assert shuffler.say(Start(8), key=3) == Status.FORGOTTEN
    assert shuffler.say(Recall(3)) == Status.UNARMED
    assert shuffler.body.done == ["arm"]


def test_permits_reach_64_ahead_and_lock_when_not_above() -> None:
    bench = Bench()
    bench.begin()
    bench.arm()
    for _ in range(3):
        bench.card()
    assert bench.say(Permit(68)) == Status.RANGE
    assert bench.device.permitted == 0
    assert bench.say(Permit(67)) == Status.DONE
    assert bench.device.permitted == 64
    assert bench.say(Permit(2)) == Status.DONE
    assert bench.device.permitted == 0
    bench.say(Permit(5))
    assert bench.say(Lock()) == Status.DONE
    assert bench.device.permitted == 0


def test_a_refused_permit_leaves_the_old_one() -> None:
    bench = Bench()
    bench.begin()
    bench.arm()
    bench.say(Permit(5))
    bench.body.outcome = (Status.REFUSED, "jammed")
    assert bench.say(Permit(6)) == Status.REFUSED
    assert bench.device.permitted == 5


def test_disarm_shows_the_safe_state_and_takes_the_permit() -> None:
    bench = Bench()
    bench.begin()
    bench.arm()
    bench.say(Permit(5))
    assert bench.say(Disarm()) == Status.DONE
    assert bench.body.done[-1] == "safe"
    assert (bench.device.armed, bench.device.permitted) == (False, 0)
    assert bench.say(Permit(5)) == Status.UNARMED
    bench.arm()
    assert bench.say(Permit(5)) == Status.DONE


def test_arm_twice_is_done_once() -> None:
    bench = Bench()
    bench.begin()
    bench.arm()
    bench.arm()
    assert bench.body.done == ["arm"]
    assert bench.say(Arm(bench.memory.newest + 1)) == Status.RANGE


@pytest.mark.parametrize(("following", "status"), [(0, "RANGE"), (1, "DONE"), (2, "DONE"), (3, "RANGE")])
def test_resume_names_an_event_or_the_next(following: int, status: str) -> None:
    bench = Bench()
    bench.shake()
    assert bench.say(Resume(following)).name == status


def test_commands_of_another_class_are_unsupported_and_an_action_s_key_is_seen() -> None:
    bench = Bench(DeviceClass.CONSOLE)
    bench.begin()
    assert bench.say(Permit(1)) == Status.UNSUPPORTED
    assert bench.say(Lamps(1, bytes(54))) == Status.UNSUPPORTED
    assert bench.say(Eject(), key=8) == Status.UNSUPPORTED
    assert bench.memory.last_key == 8
    bench.arm()
    assert bench.body.done == ["arm"]


def test_an_unknown_command_is_answered_only_if_critical() -> None:
    bench = Bench()
    bench.begin()
    later = tsl.Frame(command={"key": 77})
    bench.host.send(Channel.COMMANDS, later)
    bench.exchange()
    assert 77 not in [result.key for result in bench.results()]
    assert bench.say_raw(later) == Status.UNSUPPORTED
    assert bench.device.counters.unknown == 2


def test_an_unreadable_command_is_dropped_counted_and_acknowledged() -> None:
    bench = Bench(DeviceClass.CONSOLE)
    bench.begin()
    bench.arm()
    long = tsl.Frame(command={"key": 5, "prompt": {"text": "x" * 121}})
    bench.host.send(Channel.COMMANDS, long, critical=True)
    bench.exchange()
    assert bench.host.idle
    assert bench.device.counters.message == 1
    assert bench.say(Buzz(1)) == Status.DONE
    assert bench.body.done == ["arm", Buzz(1)]


def test_a_long_reason_is_cut_to_what_a_result_may_say() -> None:
    bench = Bench(DeviceClass.CONSOLE)
    bench.begin()
    bench.arm()
    bench.body.outcome = (Status.FAILED, "é" * 100)
    assert bench.say(Buzz(1)) == Status.FAILED
    assert bench.results()[-1].text == "é" * 40
