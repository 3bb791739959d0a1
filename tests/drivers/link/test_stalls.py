"""A side that stalls for twenty seconds, in virtual time: it ends its session before it reads what waited,
the other side ends by itself, both are safe meanwhile, and both recover cleanly."""

from collections.abc import Sequence

import pytest

from drivers.link.facts import Expected
from drivers.link.reports import CardsMissing, DeviceEvent, DeviceUp, Down
from drivers.messages import CardDrawn, CommandBody, Cover, Lamps, Lock, Permit, Start
from drivers.protocol.codes import DeviceClass
from tests.drivers.link.dealing import play
from tests.drivers.link.rig import Rig
from tests.fixtures.link_pair import START, LinkPair

STALL = 20.0


class Sleeper(Rig):
    """A device that can stall: bytes wait for it as in a UART's buffer, and it does nothing meanwhile."""

    asleep = False

    def fall_asleep(self) -> None:
        self.asleep, self.waited = True, b""

    def wake(self, now: float) -> None:
        """It reads first, as a main loop does."""
        self.asleep = False
        self.feed(self.waited, now)

    def feed(self, data: bytes, now: float) -> list[object]:
        if self.asleep:
            self.waited += data
            return []
        return super().feed(data, now)

    def tick(self, now: float) -> list[object]:
        return [] if self.asleep else super().tick(now)

    def take(self, now: float) -> bytes:
        return b"" if self.asleep else super().take(now)

    def deadline(self, now: float) -> float:
        return float("inf") if self.asleep else super().deadline(now)


def seen_from_host(stage: LinkPair) -> list[str]:
    return [down.reason for down in stage.events_of(Down)]


def test_a_shoe_that_stands_still_is_locked_before_it_reads_what_waited() -> None:
    shoe = Sleeper(START)
    stage = LinkPair(shoe)
    stage.want(Permit(5))
    stage.reach()
    stage.run(0.1)
    shoe.fall_asleep()
    stage.want(Permit(9))
    stage.run(STALL)
    assert seen_from_host(stage) == ["link"]  # the second permit was sent nine times in vain
    shoe.wake(stage.now)
    assert (shoe.link.installed, shoe.link.armed, shoe.link.permitted) == (False, False, 0)
    assert shoe.body.done == [Permit(5)]
    assert shoe.link.counters.resets == {"slept": 1}
    stage.retry = True
    stage.wanted.clear()
    stage.host_again()
    stage.reach(seconds=3)
    play(stage, shoe, 3)


@pytest.mark.parametrize(
    ("device_class", "wanted"), [(DeviceClass.SENSORS, Lamps(5000, bytes(54))), (DeviceClass.SHOE, Lock())]
)
def test_commands_that_waited_through_a_stall_are_not_done(
    device_class: DeviceClass, wanted: CommandBody
) -> None:
    """A lamp's lease would begin twenty seconds late."""
    device = Sleeper(START, device_class)
    stage = LinkPair(device, expected=stage_of(device))
    stage.reach()
    stage.run(0.1)
    device.fall_asleep()
    stage.want(wanted)
    stage.run(STALL)
    device.wake(stage.now)
    assert device.body.done == []


def test_an_action_that_waited_is_settled_by_a_recall() -> None:
    shuffler = Sleeper(START, DeviceClass.SHUFFLER)
    stage = LinkPair(shuffler, expected=stage_of(shuffler))
    stage.reach()
    shuffler.fall_asleep()
    key = stage.act(Start(8))
    stage.run(STALL)
    shuffler.wake(stage.now)
    assert shuffler.body.done == []
    stage.retry = True
    stage.host_again()
    stage.reach(seconds=3)
    stage.run(1)
    assert shuffler.body.done == []
    assert key not in stage.journal.open_actions


def test_a_host_that_stands_still_ends_its_session_before_it_reads_what_waited() -> None:
    shoe = Rig(START)
    stage = LinkPair(shoe)
    stage.want(Permit(2))
    stage.reach()
    stage.run(0.1)
    host, waited = stage.host, b""
    shoe.draw("Ts", stage.now)
    shoe.event(Cover(True), stage.now)
    for _ in range(40):
        stage.now += STALL / 40
        waited += shoe.take(stage.now)
        shoe.tick(stage.now)
    assert (shoe.link.installed, shoe.link.permitted, shoe.body.armed) == (False, 0, False)
    assert shoe.link.counters.resets == {"heartbeat": 1}
    events = host.feed(waited, stage.now)
    assert [type(event) for event in events] == [Down]
    assert seen_after(events) == ["slept"]
    stage.retry = True
    stage.host_again()
    stage.reach(seconds=3)
    stage.run(0.5)
    drawn = [event for event in stage.events_of(DeviceEvent) if isinstance(event.body, CardDrawn)]
    assert [event.body for event in drawn] == [CardDrawn(1, "Ts")]
    assert stage.events_of(DeviceUp)[-1].relation == "known"
    assert not stage.events_of(CardsMissing)
    play(stage, shoe, 3)


def test_a_stall_of_both_sides_is_survived() -> None:
    """As when the machine that runs both was suspended."""
    shoe = Rig(START)
    stage = LinkPair(shoe)
    stage.reach()
    shoe.draw("Ts", stage.now)
    stage.now += STALL
    stage._write()
    stage.retry = True
    stage.run(3)
    assert seen_from_host(stage)[0] in ("slept", "bye")
    stage.reach(seconds=3)
    assert stage.journal.cards == 1
    play(stage, shoe, 3)


@pytest.mark.parametrize("seconds", [1.0, 2.0])
def test_a_short_rest_ends_nothing(seconds: float) -> None:
    shoe = Sleeper(START)
    stage = LinkPair(shoe)
    stage.want(Permit(1))
    stage.reach()
    stage.run(0.1)
    shoe.fall_asleep()
    stage.run(seconds)
    shoe.wake(stage.now)
    stage.run(3)
    assert seen_from_host(stage) == []
    assert shoe.link.permitted == 1


def stage_of(device: Rig) -> Expected:
    return Expected(device.identity.device_class, device.identity.serial)


def seen_after(events: Sequence[object]) -> list[str]:
    return [event.reason for event in events if isinstance(event, Down)]
