"""Both real ends, and what a device remembers or has lost: logs, actions, cards, rings."""

import pytest

from drivers.link.facts import Expected
from drivers.link.reports import ActionEnded, CardsMissing, DeviceEvent, DeviceUp, EventsMissing
from drivers.messages import CardDrawn, CardInterrupted, Cover, Eject, Start
from drivers.protocol.codes import DeviceClass, Status
from tests.drivers.link.dealing import play
from tests.drivers.link.rig import Rig
from tests.fixtures.link_pair import START, LinkJournal, LinkPair


@pytest.mark.parametrize("moment", range(14))
def test_an_action_happens_once_whenever_the_wire_is_cut(moment: int) -> None:
    rig = Rig(START, DeviceClass.SHUFFLER)
    world = LinkPair(rig, expected=Expected(DeviceClass.SHUFFLER, "SH-1"))
    world.reach()
    key = world.act(Start(6))
    for _ in range(moment // 2):
        world.now = max(world.now, world._soonest())
        world.step()
    executed = list(rig.body.done)
    if moment % 2:
        rig.boot(world.now)
    world.host_again()
    world.reach(seconds=10)
    executed += rig.body.done if moment % 2 else rig.body.done[len(executed) :]
    [ended] = [event for event in world.events_of(ActionEnded) if event.key == key]
    assert executed.count(Start(6)) <= 1
    assert ended.status is (Status.DONE if executed else Status.NEVER)
    assert not world.journal.open_actions
    next_key = world.act(Eject())
    world.run(0.1)
    assert next_key > key
    assert rig.body.done[-1] == Eject()


def test_an_action_that_the_power_interrupted_says_so() -> None:
    rig = Rig(START, DeviceClass.SHUFFLER)
    world = LinkPair(rig, expected=Expected(DeviceClass.SHUFFLER, "SH-1"))
    world.reach()
    world.journal.open_actions.add(5)
    world.journal.last_key = 5
    rig.memory.begin_action(5)
    rig.boot(world.now)
    world.host_again()
    world.reach()
    assert [(event.key, event.status) for event in world.events_of(ActionEnded)] == [(5, Status.INTERRUPTED)]


def test_a_card_that_the_power_interrupted_is_told_and_counted() -> None:
    rig = Rig(START)
    world = LinkPair(rig)
    world.reach()
    rig.memory.begin_card()
    rig.boot(world.now)
    world.host_again()
    world.reach()
    assert CardInterrupted(1) in [event.body for event in world.events_of(DeviceEvent)]
    assert not world.events_of(CardsMissing)


def test_a_wiped_device_is_a_new_log() -> None:
    rig = Rig(START)
    world = LinkPair(rig)
    play(world, rig, 3)
    rig.memory.format()
    rig.boot(world.now)
    rig.draw("Ah", world.now)
    world.host_again()
    world.reach()
    assert [up.relation for up in world.events_of(DeviceUp)] == ["new log", "new log"]
    after = world.host_events[world.host_events.index(world.events_of(DeviceUp)[1]) :]
    events = [event for event in after if isinstance(event, DeviceEvent)]
    assert [(event.number, event.history) for event in events] == [(1, True), (2, True)]


def test_a_device_that_served_elsewhere() -> None:
    rig = Rig(START)
    ours, other = LinkPair(rig), LinkJournal()
    play(ours, rig, 3)
    abroad = LinkPair(rig, other, seed=9)
    abroad.now = ours.now + 1
    other.log, other.newest, other.cards = ours.journal.log, ours.journal.newest, ours.journal.cards
    abroad.host_again()
    abroad.reach()
    play_on = len(rig.cards)
    rig.draw("2h", abroad.now)
    abroad.run_until(lambda: other.cards == play_on + 1)
    abroad.run(1)
    ours.now = abroad.now
    ours.host_again()
    ours.reach(seconds=10)
    assert ours.events_of(DeviceUp)[-1].relation == "served elsewhere"
    drawn = [event for event in ours.events_of(DeviceEvent) if event.body == CardDrawn(4, "2h")]
    assert [event.history for event in drawn] == [True]


def test_a_rolled_back_memory_is_refused() -> None:
    rig = Rig(START)
    world = LinkPair(rig)
    play(world, rig, 3)
    world.journal.newest += 5
    world.host_again()
    world.reach("over")
    assert "rolled back" in str(world.host_events[-1])


def test_a_ring_that_ran_full_tells_what_it_lost() -> None:
    rig = Rig(START, capacity=80)
    for _ in range(30):
        rig.event(Cover(open=True), START)
    world = LinkPair(rig)
    world.reach()
    world.run(0.5)
    lost = world.events_of(EventsMissing)
    assert lost
    kept = [event.number for event in world.events_of(DeviceEvent)]
    gone = [number for event in lost for number in range(event.first, event.last + 1)]
    assert sorted(kept + gone) == list(range(1, rig.memory.newest + 1))
