"""Both real ends on one cable, in virtual time: good and hostile cables, reboots, cuts, lost replies."""

import random
from dataclasses import replace

import pytest

from drivers.link.facts import (
    ActionEnded,
    CardsMissing,
    Down,
    EventArrived,
    EventsLost,
    Expected,
    Running,
    Up,
)
from drivers.messages import (
    Booted,
    CardDrawn,
    CardInterrupted,
    CommandBody,
    Cover,
    Eject,
    KeyLamps,
    Lamps,
    Level,
    Permit,
    Prompt,
    Start,
    Text,
)
from drivers.protocol.codes import DeviceClass, Status
from tests.drivers.link.rig import CrumblingRig, Rig
from tests.drivers.link.stage import START, Journal, Stage
from tests.drivers.link.world import Faults

DECK = [rank + suit for rank in "A23456789TJQK" for suit in "shdc"]
HOSTILE = Faults(drop=0.02, flip=0.01, duplicate=0.02)
TERRIBLE = Faults(drop=0.2, flip=0.1, duplicate=0.1)
CLASSES: list[tuple[DeviceClass, CommandBody]] = [
    (DeviceClass.SHOE, Permit(9)),
    (DeviceClass.SENSORS, Lamps(4000, bytes(54))),
    (DeviceClass.DISPLAY, Text(1, "Win")),
    (DeviceClass.DISPLAY, Level(2, 12_345, 0)),
    (DeviceClass.CONSOLE, Prompt("Deal", 2)),
    (DeviceClass.CONSOLE, KeyLamps(5)),
]


def cards_of(world: Stage) -> list[tuple[int, str]]:
    """The journal's cards."""
    bodies = [event.body for event in world.journal.events if isinstance(event, EventArrived)]
    return [(body.count, body.card) for body in bodies if isinstance(body, CardDrawn)]


def play(world: Stage, rig: Rig, cards: int) -> None:
    """As a table does: permit one, it is drawn, it is in the journal."""
    for _ in range(cards):
        count = rig.memory.cards
        world.want(Permit(count + 1))
        world.run_until(lambda: rig.link.permitted == 1)
        rig.draw(DECK[count % 52], world.now)
        world.run_until(lambda: world.journal.cards == rig.memory.cards)
    assert cards_of(world) == list(enumerate(rig.cards, 1))
    assert not world.told(CardsMissing)


@pytest.mark.parametrize("rig_class", [Rig, CrumblingRig])
@pytest.mark.parametrize(
    ("faults", "cards"),
    [(Faults(), 60), (HOSTILE, 300), (TERRIBLE, 20)],
    ids=["clean", "hostile", "terrible"],
)
def test_every_card_once_and_in_order(rig_class: type[Rig], faults: Faults, cards: int) -> None:
    rig = rig_class(START)
    world = Stage(rig, faults=faults, seed=3)
    world.retry = True
    play(world, rig, cards)
    if faults is not TERRIBLE:
        assert len(world.told(Up)) == 1


@pytest.mark.parametrize("seed", range(12))
def test_every_card_once_whoever_loses_power_and_whenever(seed: int) -> None:
    chance = random.Random(seed)
    rig = Rig(START, seed=seed)
    world = Stage(rig, faults=HOSTILE, seed=seed, disk=0.02)
    world.retry = True
    for _ in range(30):
        count = rig.memory.cards
        world.want(Permit(count + 1))
        if rig.link.permitted:
            rig.draw(DECK[count % 52], world.now)
        if chance.random() < 0.2:
            world.host_again()
        if chance.random() < 0.2:
            rig.boot(world.now)
        world.run(chance.random() * 0.5)
    world.reach(seconds=30)
    world.run_until(lambda: world.journal.newest == rig.memory.newest)
    assert cards_of(world) == list(enumerate(rig.cards, 1))
    assert len(rig.cards) > 3
    assert not world.told(CardsMissing)
    assert not [down for down in world.told(Down) if down.reason in ("gap", "arm", "unanswered")]


@pytest.mark.parametrize("step", range(6))
@pytest.mark.parametrize("way", ["up", "down", "both"])
def test_lost_replies_at_every_step(step: int, way: str) -> None:
    rig = Rig(START)
    world = Stage(rig)
    for _ in range(step):
        world.now = max(world.now, world._soonest())
        world.step()
    lines = {"up": [world.up], "down": [world.down], "both": [world.up, world.down]}[way]
    for line in lines:
        line.cut = True
        line._flying.clear()
    world.run(0.3)
    for line in lines:
        line.cut = False
    world.retry = True
    world.reach(seconds=5)
    play(world, rig, 3)


@pytest.mark.parametrize("phase", ["hello", "proof", "catching up", "running"])
def test_both_reboot_at_once(phase: str) -> None:
    rig = Rig(START)
    world = Stage(rig)
    world.reach(phase)
    rig.boot(world.now)
    world.host_again()
    world.reach(seconds=5)
    play(world, rig, 3)
    boots = [event for event in world.told(EventArrived) if isinstance(event.body, Booted)]
    assert len(boots) == 2


def test_a_device_that_rebooted_is_found_out_soon() -> None:
    rig = Rig(START)
    world = Stage(rig)
    world.retry = True
    world.reach()
    world.run(1.3)
    rig.boot(world.now)
    start = world.now
    world.run_until(lambda: len(world.told(Running)) == 2, seconds=3)
    assert world.told(Down)[0].reason == "no session"
    assert world.now - start < 2


def test_a_host_that_starts_anew_takes_the_session_over() -> None:
    rig = Rig(START)
    world = Stage(rig)
    world.want(Permit(5))
    world.reach()
    world.run(0.1)
    assert rig.link.permitted == 5
    world.wanted.clear()
    world.host_again()
    world.reach(seconds=1)
    assert rig.link.permitted == 0


@pytest.mark.parametrize("seconds", [1.0, 2.9, 3.5, 10.0])
def test_a_cut_wire_is_repaired(seconds: float) -> None:
    rig = Rig(START)
    world = Stage(rig)
    world.retry = True
    world.want(Permit(1))
    world.reach()
    world.up.cut = world.down.cut = True
    world.run(0.1)
    rig.draw("Ts", world.now)
    world.run(seconds)
    world.up.cut = world.down.cut = False
    world.run_until(lambda: world.journal.cards == 1, seconds=10)
    play(world, rig, 3)


@pytest.mark.parametrize(("device_class", "record"), CLASSES)
def test_what_is_wanted_is_shown_again_after_each_loss(
    device_class: DeviceClass, record: CommandBody
) -> None:
    rig = Rig(START, device_class)
    world = Stage(rig, expected=Expected(device_class, "SH-1"))
    world.retry = True
    world.reach()
    world.want(record)
    for _ in range(3):
        world.run_until(lambda: rig.body.wanted.get(type(record)) == record, seconds=10)
        rig.boot(world.now)
        world.run(0.01)
    assert rig.body.wanted == {}


@pytest.mark.parametrize("moment", range(14))
def test_an_action_happens_once_whenever_the_wire_is_cut(moment: int) -> None:
    rig = Rig(START, DeviceClass.SHUFFLER)
    world = Stage(rig, expected=Expected(DeviceClass.SHUFFLER, "SH-1"))
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
    [ended] = [event for event in world.told(ActionEnded) if event.key == key]
    assert executed.count(Start(6)) <= 1
    assert ended.status is (Status.DONE if executed else Status.NEVER)
    assert not world.journal.open_actions
    next_key = world.act(Eject())
    world.run(0.1)
    assert next_key > key
    assert rig.body.done[-1] == Eject()


def test_an_action_that_the_power_interrupted_says_so() -> None:
    rig = Rig(START, DeviceClass.SHUFFLER)
    world = Stage(rig, expected=Expected(DeviceClass.SHUFFLER, "SH-1"))
    world.reach()
    world.journal.open_actions.add(5)
    world.journal.last_key = 5
    rig.memory.begin_action(5)
    rig.boot(world.now)
    world.host_again()
    world.reach()
    assert [(event.key, event.status) for event in world.told(ActionEnded)] == [(5, Status.INTERRUPTED)]


def test_a_card_that_the_power_interrupted_is_told_and_counted() -> None:
    rig = Rig(START)
    world = Stage(rig)
    world.reach()
    rig.memory.begin_card()
    rig.boot(world.now)
    world.host_again()
    world.reach()
    assert CardInterrupted(1) in [event.body for event in world.told(EventArrived)]
    assert not world.told(CardsMissing)


def test_a_wiped_device_is_a_new_log() -> None:
    rig = Rig(START)
    world = Stage(rig)
    play(world, rig, 3)
    rig.memory.format()
    rig.boot(world.now)
    rig.draw("Ah", world.now)
    world.host_again()
    world.reach()
    assert [up.relation for up in world.told(Up)] == ["new log", "new log"]
    after = world.seen[world.seen.index(world.told(Up)[1]) :]
    events = [event for event in after if isinstance(event, EventArrived)]
    assert [(event.number, event.history) for event in events] == [(1, True), (2, True)]


def test_a_device_that_served_elsewhere() -> None:
    rig = Rig(START)
    ours, other = Stage(rig), Journal()
    play(ours, rig, 3)
    abroad = Stage(rig, other, seed=9)
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
    assert ours.told(Up)[-1].relation == "served elsewhere"
    drawn = [event for event in ours.told(EventArrived) if event.body == CardDrawn(4, "2h")]
    assert [event.history for event in drawn] == [True]


def test_a_rolled_back_memory_is_refused() -> None:
    rig = Rig(START)
    world = Stage(rig)
    play(world, rig, 3)
    world.journal.newest += 5
    world.host_again()
    world.reach("over")
    assert "rolled back" in str(world.seen[-1])


def test_a_ring_that_ran_full_tells_what_it_lost() -> None:
    rig = Rig(START, capacity=80)
    for _ in range(30):
        rig.event(Cover(open=True), START)
    world = Stage(rig)
    world.reach()
    world.run(0.5)
    lost = world.told(EventsLost)
    assert lost
    kept = [event.number for event in world.told(EventArrived)]
    gone = [number for event in lost for number in range(event.first, event.last + 1)]
    assert sorted(kept + gone) == list(range(1, rig.memory.newest + 1))


def test_faults_are_seen_in_the_counters() -> None:
    rig = Rig(START)
    world = Stage(rig, faults=replace(HOSTILE, flip=0.05), seed=5)
    play(world, rig, 40)
    counters = world.host.counters
    assert counters.crc + counters.cobs + counters.length > 0
    assert counters.retransmissions > 0
    assert counters.sessions == 1
