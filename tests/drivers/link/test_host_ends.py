"""What ends a host's session, and what does not."""

from dataclasses import replace
from typing import Any

import pytest

from drivers.link.host import HostTimeouts
from drivers.link.reports import Down, HeartbeatLate
from drivers.messages import Arm, Disarm, Permit, Resume
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import ByeReason, Channel, RefuseReason, Side, Status
from drivers.protocol.common_pb2 import NoSession, Proof, Refuse, Result
from tests.drivers.link.puppet import LOG, Puppet
from tests.fixtures.link_pair import KNOWN_HELLO, START, LinkJournal, LinkPair, known_pair


def test_a_device_that_is_unarmed_behind_our_back_ends_the_session() -> None:
    world, puppet = known_pair()
    world.reach()
    puppet.answers[Permit] = Status.UNARMED
    world.want(Permit(9))
    world.run(0.1)
    assert world.events_of(Down)[0].reason == "unarmed"


def test_two_heartbeats_without_arm_end_an_armed_session() -> None:
    world, puppet = known_pair()
    world.reach()
    world.run(1.2)
    puppet.vitals = replace(puppet.vitals, armed=False)
    world.run(0.5)
    assert world.host.phase == "running"
    world.run(0.6)
    [down] = world.events_of(Down)
    assert (down.reason, down.text) == ("unarmed", "2 heartbeats after Arm say that it is not armed")


def test_one_heartbeat_without_arm_ends_nothing() -> None:
    world, puppet = known_pair()
    world.reach()
    for _ in range(4):
        puppet.vitals = replace(puppet.vitals, armed=False)
        world.run(0.5)
        puppet.vitals = replace(puppet.vitals, armed=True)
        world.run(0.5)
    assert world.events_of(Down) == []


def test_a_host_that_disarmed_expects_no_arm() -> None:
    world, _puppet = known_pair()
    world.reach()
    world.want(Disarm())
    world.run(3.0)
    assert world.events_of(Down) == []


@pytest.mark.parametrize("record", [Resume(10), Arm(9), Permit(3)])
def test_an_unanswered_command_ends_the_session(record: Any) -> None:
    puppet = Puppet(START, **KNOWN_HELLO)
    puppet.answers[type(record)] = None
    world = LinkPair(puppet, LinkJournal(log=LOG, newest=9), timeouts=HostTimeouts(answer=2.0))
    world.want(Permit(3))
    world.reach("over")
    [down] = world.events_of(Down)
    assert down.reason == "unanswered"
    assert str(record) in down.text
    assert world.host.counters.resets == {"unanswered": 1}
    assert START + 2 <= world.now < START + 2.5


def test_no_session_counts_only_after_a_second_of_silence() -> None:
    world, puppet = known_pair()
    world.reach()
    world.run(0.3)
    puppet.say(tsl.Frame(no_session=NoSession()))
    world.run(0.3)
    assert world.host.phase == "running"
    puppet.reboot()
    world.reach("over", seconds=2)
    assert world.events_of(Down)[0].reason == "no session"
    assert world.host.counters.resets == {"no session": 1}


def test_a_host_that_is_not_alive_lets_its_session_die() -> None:
    world, puppet = known_pair()
    world.reach()
    world.alive = False
    world.run(4)
    assert not puppet.installed


def test_a_goodbye_of_either_side_ends_the_session() -> None:
    world, puppet = known_pair()
    world.reach()
    world.host.close(world.now)
    world.run(0.1)
    assert not puppet.installed
    assert world.host.phase == "over"
    world.host_again()
    world.reach()
    puppet.leave(ByeReason.UPDATE)
    world.reach("over", seconds=1)
    assert world.events_of(Down)[-1].reason == "bye"


def test_a_late_heartbeat_is_told_before_the_session_is_lost() -> None:
    world, puppet = known_pair()
    world.reach()
    for alive, expected in (
        (False, [HeartbeatLate(True)]),
        (True, [HeartbeatLate(True), HeartbeatLate(False)]),
    ):
        puppet.vitals = replace(puppet.vitals, alive=alive)
        world.run(2.2)
        assert world.events_of(HeartbeatLate) == expected
        assert world.host.late(world.now) is not alive
    assert world.host.phase == "running"
    assert world.host.counters.late_heartbeats == 1


def test_a_dead_wire_ends_the_session_after_three_seconds() -> None:
    world, _puppet = known_pair()
    world.reach()
    world.up.cut = world.down.cut = True
    start = world.now
    world.reach("over", seconds=5)
    assert world.events_of(Down)[0].reason == "heartbeat"
    assert 2.5 <= world.now - start <= 3.6


def test_what_anyone_can_forge_ends_no_session_and_is_counted() -> None:
    world, puppet = known_pair()
    world.reach()
    nonce = puppet.named("hello")[-1].nonce
    puppet.say(puppet.greet(nonce))
    puppet.say(tsl.Frame(proof=Proof(side=Side.DEVICE)))
    puppet.say(tsl.Frame(refuse=Refuse(echo=nonce, reason=RefuseReason.IDENTITY)))
    world.run(0.1)
    assert world.host.phase == "running"
    assert world.host.counters.handshake == 3


def test_a_result_that_nobody_asked_for_changes_nothing_and_is_counted() -> None:
    world, puppet = known_pair()
    world.reach()
    before = list(world.host_events)
    result = tsl.Frame(result=Result(key=999, status=Status.FAILED)).SerializeToString()
    puppet.payload(Channel.COMMANDS, result, critical=False)
    world.run(0.1)
    assert world.host.phase == "running"
    assert world.host_events == before
    assert world.host.counters.unasked == 1
