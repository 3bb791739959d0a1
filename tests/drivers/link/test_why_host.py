"""Each reading of the protocol that looked harmless and broke something, on the host's side:
firmware-protocol/README.md, section 19. The tests are named after its rows."""

from math import inf

import pytest

from drivers.link.facts import Expected
from drivers.link.reports import ActionEnded, DeviceEvent, DeviceRefused, DeviceUp, Down, EventsMissing
from drivers.messages import Arm, Booted, CardDrawn, Cover, Permit, Recall, Resume, Start
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import DeviceClass, Status
from drivers.protocol.common_pb2 import Proof, Refuse
from tests.drivers.link.puppet import LOG
from tests.drivers.link.rig import Rig
from tests.drivers.link.world import Faults
from tests.fixtures.link_pair import START, LinkJournal, LinkPair, link_pair


def journal() -> LinkJournal:
    return LinkJournal(log=LOG, newest=9, cards=4, last_key=20)


def test_event_numbers_without_a_log() -> None:
    """A wiped device counts from 1 again: its cards are new, not repeats of ours."""
    world, puppet = link_pair(journal(), {"log": b"NEW-LOG.", "newest": 2, "committed": 0})
    world.run(0.1)
    assert puppet.commands[0] == Resume(1)
    puppet.event(1, Booted(1))
    puppet.event(2, CardDrawn(1, "Ah"))
    puppet.event(3, CardDrawn(2, "2h"))
    world.run(0.1)
    assert [(event.number, event.history) for event in world.events_of(DeviceEvent)] == [
        (1, True),
        (2, True),
        (3, False),
    ]
    assert world.events_of(DeviceUp)[0].relation == "new log"


def test_commits_by_another_table_go_unnoticed() -> None:
    """What another table has committed never enters play here."""
    world, puppet = link_pair(journal(), {"newest": 12, "committed": 11})
    world.run(0.1)
    for number in (10, 11, 12):
        puppet.event(number, CardDrawn(number - 1, "Ts"))
    world.run(0.1)
    assert [event.history for event in world.events_of(DeviceEvent)] == [True, True, False]


def test_a_memory_that_was_rolled_back_or_cloned() -> None:
    world, _puppet = link_pair(journal(), {"newest": 8})
    world.run(0.1)
    assert world.events_of(DeviceRefused)[0].reason == "memory"


def test_arm_does_not_ask_for_the_events() -> None:
    """No Arm while an earlier event is not on our disk, however long that takes."""
    world, puppet = link_pair(journal(), {"newest": 11, "committed": 9}, disk=inf)
    world.run(0.1)
    puppet.event(10, Cover(open=True))
    puppet.event(11, Cover(open=False))
    world.run(1)
    world.host.commit(10)
    world.run(1)
    assert not any(isinstance(record, Arm) for record in puppet.commands)
    world.host.commit(11)
    world.run(0.1)
    assert puppet.commands[-1] == Arm(11)


def test_events_between_hello_and_proof_make_arm_stale() -> None:
    """The device knows better than its Hello what it had when the session was installed."""
    rig = Rig(START)
    world = LinkPair(rig)
    world.reach("proof")
    rig.event(Cover(open=True), world.now)
    world.reach()
    assert rig.body.armed


def test_a_repeated_proof_installs_again() -> None:
    """The line repeats the device's Proof: sequences, window and state stay."""
    world, puppet = link_pair(journal(), {"newest": 9, "committed": 9})
    world.reach()
    proof = Proof(side=2, transcript=puppet._transcript[:8], mac=bytes(32))
    puppet.say(tsl.Frame(proof=proof))
    puppet.event(10, Cover(open=True))
    world.run(0.1)
    assert world.host.phase == "running"
    assert len(world.events_of(DeviceUp)) == 1
    assert world.events_of(DeviceEvent)[0].number == 10


def test_an_unproved_hello_ends_the_session() -> None:
    """Replayed Hellos and Refuses of a device end nothing."""
    world, puppet = link_pair(journal(), {"newest": 9, "committed": 9})
    world.reach()
    nonce = puppet.named("hello")[0].nonce
    puppet.say(puppet.greet(nonce, boot=b"OTHER-BT"))
    puppet.say(tsl.Frame(refuse=Refuse(echo=nonce, reason=3, text="go")))
    world.run(0.5)
    assert world.host.phase == "running"
    assert len(world.events_of(DeviceUp)) == 1


def test_a_received_event_is_not_yet_committed() -> None:
    """The host commits what its journal has on disk, never what merely arrived."""
    world, puppet = link_pair(journal(), {"newest": 9, "committed": 9}, disk=inf)
    world.reach()
    puppet.event(10, CardDrawn(5, "Ts"))
    world.run(2)
    assert world.events_of(DeviceEvent)
    assert not puppet.named("event_commit")
    assert {beat.committed for beat in puppet.named("heartbeat")[1:]} == {9}
    world.host.commit(10)
    world.run(1)
    assert puppet.named("event_commit")[-1].number == 10
    assert puppet.named("heartbeat")[-1].committed == 10


def test_a_lost_commit_is_repeated_by_the_heartbeat() -> None:
    rig = Rig(START)
    world = LinkPair(rig)
    world.reach()
    world.down.faults = Faults(drop=1.0)
    rig.draw("Ts", world.now)
    world.run(0.2)
    assert rig.memory.committed < rig.memory.newest
    world.down.faults = Faults()
    world.run(0.6)
    assert rig.memory.committed == rig.memory.newest


def test_events_lost_uses_numbers_and_no_place() -> None:
    world, puppet = link_pair(journal(), {"newest": 400, "committed": 9})
    world.run(0.1)
    puppet.lost(10, 399)
    puppet.event(400, CardDrawn(60, "Ts"))
    world.reach(seconds=1)
    assert world.events_of(EventsMissing) == [EventsMissing("", LOG, 10, 399)]
    assert puppet.named("event_commit")[-1].number == 400


def test_a_permit_repeated_in_a_new_session_permits_no_more_cards() -> None:
    """A permit repeated in a new session permits the same cards, not more."""
    rig = Rig(START)
    world = LinkPair(rig)
    world.want(Permit(1))
    world.reach()
    world.run(0.1)
    rig.draw("Ts", world.now)
    world.run(0.1)
    rig.boot(world.now)
    world.host_again()
    world.reach()
    world.run(0.1)
    assert rig.body.done == [Permit(1)]
    assert rig.link.permitted == 0


def test_a_host_commits_across_the_window() -> None:
    """With the window full and nothing acknowledged, a commit still reaches the device."""
    world, puppet = link_pair(journal(), {"newest": 9, "committed": 9})
    world.reach()
    world.up.cut = True
    for up_to in range(40):
        world.want(Permit(up_to))
    world.host.commit(10)
    world.run(0.1)
    assert puppet.named("event_commit")[-1].number == 10


def test_credit_is_said_once() -> None:
    """A device without room, whose news of room got lost, says so in its next heartbeat."""
    world, puppet = link_pair(journal(), {"newest": 9, "committed": 9})
    world.reach()
    puppet._endpoint.offer(0)
    for up_to in range(10, 40):
        world.want(Permit(up_to))
        world.run(0.01)
    before = len(puppet.commands)
    world.up.faults = Faults(drop=1.0)
    puppet._endpoint.offer(8)
    world.run(0.3)
    world.up.faults = Faults()
    world.run(1.5)
    assert len(puppet.commands) > before
    assert puppet.commands[-1] == Permit(39)


@pytest.mark.parametrize("seen", [10, 30], ids=["the journal knows more", "the device knows more"])
def test_keys_that_need_not_grow(seen: int) -> None:
    """New keys start above what the journal and the device know, and above each recalled one."""
    known = LinkJournal(log=LOG, newest=9, last_key=20, open_actions={19, 20})
    world, puppet = link_pair(known, {"newest": 9, "committed": 9, "last_key": seen})
    world.reach()
    key = world.act(Start(6))
    assert key > max(20, seen)
    world.run(0.1)
    assert min(puppet.keys) > max(20, seen)
    assert len(set(puppet.keys)) == len(puppet.keys)


def test_a_recall_leaves_the_key_alive() -> None:
    """Recalled and NEVER: the action is over, and no later session does it after all."""
    rig = Rig(START, DeviceClass.SHUFFLER)
    world = LinkPair(rig, LinkJournal(), expected=Expected(DeviceClass.SHUFFLER, "SH-1"))
    world.reach()
    world.down.cut = True
    key = world.act(Start(6))
    world.run(0.05)
    world.down.cut = False
    world.host_again()
    world.reach()
    assert [(ended.key, ended.status) for ended in world.events_of(ActionEnded)] == [(key, Status.NEVER)]
    world.run(1)
    assert not rig.body.done
    assert rig.memory.last_key >= key


def test_recalls_come_before_anything_moves() -> None:
    """Open actions are settled first: an unanswered recall holds Arm back."""
    known = LinkJournal(log=LOG, newest=9, last_key=20, open_actions={20})
    world, puppet = link_pair(known, {"newest": 9, "committed": 9})
    puppet.answers[Recall] = None
    world.want(Permit(8))
    world.run(1)
    assert puppet.commands == [Resume(10), Recall(20)]


def test_who_slept_reads_what_waited_first() -> None:
    """After three seconds without running, the session ends before it believes a byte."""
    world, puppet = link_pair(journal(), {"newest": 9, "committed": 9})
    world.reach()
    puppet.event(10, CardDrawn(5, "Ts"))
    waited = puppet.take(world.now)
    events = world.host.feed(waited, world.now + 3.1)
    assert [type(event) for event in events] == [Down]
    assert isinstance(events[0], Down)
    assert events[0].reason == "slept"
