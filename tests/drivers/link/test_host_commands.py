"""State commands and actions of a host: what is sent, when, and how it ends."""

import pytest

from drivers.errors import Misuse
from drivers.link.facts import Expected
from drivers.link.reports import ActionEnded, CommandRefused, DeviceUp
from drivers.messages import Buzz, KeyLamps, Lamps, Lock, Permit, Prompt, Recall, Start
from drivers.protocol.codes import DeviceClass, Status
from tests.drivers.link.puppet import LOG
from tests.fixtures.link_pair import KNOWN_HELLO, LinkJournal, known_pair, link_pair


@pytest.mark.parametrize("committed", [4, 0])
def test_open_actions_of_a_device_that_is_not_ours_alone_are_unknown(committed: int) -> None:
    log = LOG if committed else b"OLD-LOG."
    journal = LinkJournal(log=log, newest=2, last_key=8, open_actions={7, 8})
    world, puppet = link_pair(journal, {"newest": 4, "committed": committed})
    world.reach("catching up")
    world.run(0.1)
    assert not any(isinstance(record, Recall) for record in puppet.commands)
    assert [(ended.key, ended.status) for ended in world.events_of(ActionEnded)] == [
        (7, Status.FORGOTTEN),
        (8, Status.FORGOTTEN),
    ]
    assert isinstance(world.host_events[0], DeviceUp)


def test_only_changes_are_sent_and_the_newest_wins() -> None:
    world, puppet = known_pair()
    world.want(Prompt("one", 0), Prompt("two", 0), KeyLamps(1))
    world.reach()
    before = len(puppet.commands)
    world.want(Prompt("two", 0), KeyLamps(1))
    world.want(KeyLamps(3), KeyLamps(3))
    world.run(0.1)
    assert Prompt("one", 0) not in puppet.commands
    assert puppet.commands[before:] == [KeyLamps(3)]


def test_permit_and_lock_are_one_wish() -> None:
    world, puppet = known_pair()
    world.want(Permit(5), Lock())
    world.reach()
    world.run(0.1)
    assert Permit(5) not in puppet.commands
    assert puppet.commands[-1] == Lock()


def test_a_wish_in_flight_is_superseded_by_the_newest_only() -> None:
    world, puppet = known_pair()
    world.reach()
    for up_to in range(1, 200):
        world.host.want(Permit(up_to))
    world.want(Permit(200))
    world.run(0.1)
    assert [record for record in puppet.commands if isinstance(record, Permit)] == [Permit(200)]


def test_moments_are_told_once() -> None:
    world, puppet = known_pair()
    world.reach()
    world.want(Buzz(100), Buzz(100))
    world.run(0.1)
    assert puppet.commands.count(Buzz(100)) == 2


def test_lamps_are_leased_anew_in_time() -> None:
    hello = {"device_class": DeviceClass.SENSORS, **KNOWN_HELLO}
    expected = Expected(DeviceClass.SENSORS, "SH-1")
    world, puppet = link_pair(LinkJournal(log=LOG, newest=9), hello, expected=expected)
    lamps = Lamps(4000, bytes(54))
    world.want(lamps)
    world.reach()
    world.run(10.5)
    assert puppet.commands.count(lamps) == 6
    other = Lamps(4000, bytes([1]) * 54)
    world.want(other)
    world.run(5)
    assert puppet.commands.count(lamps) == 6
    assert puppet.commands.count(other) == 3


@pytest.mark.parametrize(
    "status", [Status.RANGE, Status.REFUSED, Status.UNSUPPORTED, Status.FAILED, Status.BUSY]
)
def test_a_refused_wish_is_told(status: Status) -> None:
    world, puppet = known_pair()
    puppet.answers[Permit] = status
    world.want(Permit(100))
    world.reach()
    world.run(0.1)
    assert world.events_of(CommandRefused) == [CommandRefused("", Permit(100), status, "")]


def test_actions_are_told_when_running_and_answered() -> None:
    world, puppet = known_pair()
    key = world.act(Start(6))
    assert key == 21
    world.reach()
    world.run(0.1)
    assert puppet.commands[-1] == Start(6)
    assert world.events_of(ActionEnded) == [ActionEnded("", 21, Status.DONE, "")]


def test_no_more_than_eight_actions_are_unanswered() -> None:
    world, puppet = known_pair()
    puppet.answers[Start] = None
    world.reach()
    for _ in range(12):
        world.act(Start(6))
    world.run(0.1)
    assert puppet.commands.count(Start(6)) == 8


def test_action_keys_must_grow() -> None:
    world, _puppet = known_pair()
    with pytest.raises(Misuse, match="action key 20 is not above 20"):
        world.host.act(20, Start(6))


def test_an_action_that_this_session_recalls_is_not_sent() -> None:
    world, puppet = link_pair(LinkJournal(log=LOG, newest=9, last_key=6, open_actions={6}), KNOWN_HELLO)
    puppet.answers[Recall] = Status.NEVER
    world.host.act(6, Start(6))
    world.reach()
    world.run(0.1)
    assert Start(6) not in puppet.commands
    assert world.events_of(ActionEnded) == [ActionEnded("", 6, Status.NEVER, "")]
