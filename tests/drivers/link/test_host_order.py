"""The order of a session as the host leads it, up to Arm."""

from math import inf

from drivers.link.endpoint import Received
from drivers.link.reports import DeviceEvent, DeviceUp, Down
from drivers.messages import Arm, Cover, Permit, Prompt, Recall, Resume, Text
from drivers.protocol.codes import Status
from tests.drivers.link.puppet import LOG
from tests.fixtures.link_pair import LinkJournal, known_pair, link_pair


def test_a_session_goes_from_resume_to_arm_in_order() -> None:
    journal = LinkJournal(log=LOG, newest=9, last_key=6, open_actions={5, 6})
    world, puppet = link_pair(journal, {"newest": 11, "committed": 9})
    world.want(Permit(3), Prompt("Deal", 0), Text(1, "hello"))
    world.reach("catching up")
    world.run(0.2)
    assert puppet.commands == [Resume(10), Recall(5), Recall(6)]
    puppet.event(10, Cover(open=True))
    puppet.event(11, Cover(open=False))
    world.reach()
    world.run(0.1)
    assert puppet.commands[3:] == [Prompt("Deal", 0), Text(1, "hello"), Arm(11), Permit(3)]
    assert [commit.number for commit in puppet.named("event_commit")][-1] == 11
    assert puppet.keys == sorted(puppet.keys)
    assert puppet.keys[0] == 7


def test_a_device_whose_test_slot_runs_is_left_unarmed() -> None:
    world, puppet = link_pair(
        LinkJournal(log=LOG, newest=9), {"newest": 9, "committed": 9, "test_slot": True}
    )
    world.want(Text(1, "hello"))
    world.reach("catching up")
    world.run(5.0)
    assert puppet.commands == [Resume(10)]
    assert world.host.phase == "catching up"
    [up] = world.events_of(DeviceUp)
    assert "on trial" in up.facts.unfit_reason


def test_every_command_is_critical() -> None:
    world, puppet = known_pair()
    world.reach()
    commands = [item for item in puppet.heard if getattr(item, "name", "") == "command"]
    assert commands
    assert all(isinstance(item, Received) and item.critical for item in commands)


def test_arm_waits_for_the_disk() -> None:
    world, puppet = link_pair(LinkJournal(log=LOG, newest=9), {"newest": 10, "committed": 9}, disk=inf)
    world.reach("catching up")
    puppet.event(10, Cover(open=True))
    world.run(2)
    assert world.events_of(DeviceEvent)
    assert Arm(10) not in puppet.commands
    world.host.commit(10)
    world.reach(seconds=1)


def test_a_stale_arm_is_repeated_when_more_is_on_disk() -> None:
    world, puppet = known_pair()
    puppet.answers[Arm] = Status.STALE
    world.run(1)
    assert puppet.commands[-1] == Arm(9)
    del puppet.answers[Arm]
    world.run(1)
    assert world.host.phase == "catching up"
    puppet.event(10, Cover(open=True))
    world.reach(seconds=1)
    assert puppet.commands[-1] == Arm(10)


def test_an_arm_refused_otherwise_ends_the_session() -> None:
    world, puppet = known_pair()
    puppet.answers[Arm] = Status.REFUSED
    world.reach("over")
    assert world.events_of(Down)[0].reason == "arm"
