"""Both real ends on one cable, in virtual time: good and hostile cables, reboots, cuts, lost replies."""

import random
from dataclasses import replace

import pytest

from drivers.link.facts import Expected
from drivers.link.reports import CardsMissing, DeviceEvent, DeviceRunning, DeviceUp, Down
from drivers.messages import Booted, CommandBody, KeyLamps, Lamps, Level, Permit, Prompt, Text
from drivers.protocol.codes import DeviceClass
from tests.drivers.link.dealing import DECK, HOSTILE, cards_of, play
from tests.drivers.link.rig import CrumblingRig, Rig
from tests.drivers.link.world import Faults
from tests.fixtures.link_pair import START, LinkPair

TERRIBLE = Faults(drop=0.2, flip=0.1, duplicate=0.1)
CLASSES: list[tuple[DeviceClass, CommandBody]] = [
    (DeviceClass.SHOE, Permit(9)),
    (DeviceClass.SENSORS, Lamps(4000, bytes(54))),
    (DeviceClass.DISPLAY, Text(1, "Win")),
    (DeviceClass.DISPLAY, Level(2, 12_345, 0)),
    (DeviceClass.CONSOLE, Prompt("Deal", 2)),
    (DeviceClass.CONSOLE, KeyLamps(5)),
]


@pytest.mark.parametrize("rig_class", [Rig, CrumblingRig])
@pytest.mark.parametrize(
    ("faults", "cards"),
    [(Faults(), 60), (HOSTILE, 300), (TERRIBLE, 20)],
    ids=["clean", "hostile", "terrible"],
)
def test_every_card_arrives_once_and_in_order(rig_class: type[Rig], faults: Faults, cards: int) -> None:
    rig = rig_class(START)
    world = LinkPair(rig, faults=faults, seed=3)
    world.retry = True
    play(world, rig, cards)
    if faults is not TERRIBLE:
        assert len(world.events_of(DeviceUp)) == 1


@pytest.mark.parametrize("seed", range(12))
def test_every_card_arrives_once_whoever_loses_power(seed: int) -> None:
    chance = random.Random(seed)
    rig = Rig(START, seed=seed)
    world = LinkPair(rig, faults=HOSTILE, seed=seed, disk=0.02)
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
    assert not world.events_of(CardsMissing)
    assert not [down for down in world.events_of(Down) if down.reason in ("gap", "arm", "unanswered")]


@pytest.mark.parametrize("step", range(6))
@pytest.mark.parametrize("way", ["up", "down", "both"])
def test_a_lost_reply_at_any_step_is_made_up(step: int, way: str) -> None:
    rig = Rig(START)
    world = LinkPair(rig)
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
def test_a_reboot_of_both_sides_is_survived(phase: str) -> None:
    rig = Rig(START)
    world = LinkPair(rig)
    world.reach(phase)
    rig.boot(world.now)
    world.host_again()
    world.reach(seconds=5)
    play(world, rig, 3)
    boots = [event for event in world.events_of(DeviceEvent) if isinstance(event.body, Booted)]
    assert len(boots) == 2


def test_a_device_that_rebooted_is_found_out_soon() -> None:
    rig = Rig(START)
    world = LinkPair(rig)
    world.retry = True
    world.reach()
    world.run(1.3)
    rig.boot(world.now)
    start = world.now
    world.run_until(lambda: len(world.events_of(DeviceRunning)) == 2, seconds=3)
    assert world.events_of(Down)[0].reason == "no session"
    assert world.now - start < 2


def test_a_host_that_starts_anew_takes_the_session_over() -> None:
    rig = Rig(START)
    world = LinkPair(rig)
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
    world = LinkPair(rig)
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
    world = LinkPair(rig, expected=Expected(device_class, "SH-1"))
    world.retry = True
    world.reach()
    world.want(record)
    for _ in range(3):
        world.run_until(lambda: rig.body.wanted.get(type(record)) == record, seconds=10)
        rig.boot(world.now)
        world.run(0.01)
    assert rig.body.wanted == {}


def test_faults_are_seen_in_the_counters() -> None:
    rig = Rig(START)
    world = LinkPair(rig, faults=replace(HOSTILE, flip=0.05), seed=5)
    play(world, rig, 120)
    counters = world.host.counters
    assert counters.crc + counters.cobs + counters.length > 0
    assert counters.retransmissions > 0
    assert counters.sessions == 1
