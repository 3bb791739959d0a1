"""What a device answers to the three actions and to blocks: section 12.2, line by line."""

from typing import Any

import pytest

from drivers.link.limits import BLOCK
from drivers.messages import Arm, CommandBody, UpdateApply, UpdateBegin, UpdateConfirm
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Channel, DeviceClass, Mode, Status
from drivers.sim.flash import Flash
from drivers.sim.link.slots import Slots
from drivers.update.image import sign
from drivers.update.signing import public_key
from tests.drivers.link.bench import Bench
from tests.drivers.update.desk import IMAGE, MAKER, made

GOOD = made(device_class=DeviceClass.SHOE).manifest.begin


def slots() -> Slots:
    return Slots(Flash(), DeviceClass.SHOE, public_key(MAKER), (5, b"factory"))


@pytest.fixture
def bench() -> Bench:
    bench = Bench(slots=slots())
    bench.begin()
    return bench


def wanted(bench: Bench) -> list[int]:
    """All offsets that the device asked for."""
    return [item.offset for item in bench._messages() if isinstance(item, common.BlockWanted)]


def send(bench: Bench, offset: int, data: bytes) -> None:
    block = tsl.Frame(block=common.Block(offset=offset, data=data))
    bench.host.send(Channel.BULK, block)
    bench.exchange()


def fill(bench: Bench, image: bytes = IMAGE) -> None:
    """Sends all blocks that were asked for."""
    assert bench.slots is not None
    for offset in range(bench.slots.filled, len(image), BLOCK):
        send(bench, offset, image[offset : offset + BLOCK])


def restart(bench: Bench) -> None:
    """The boot loader, then the firmware."""
    assert bench.slots is not None
    bench.slots.start()
    bench.boot()
    bench.begin()


def to_trial(bench: Bench) -> None:
    assert bench.say(GOOD) == Status.DONE
    fill(bench)
    assert bench.say(UpdateApply()) == Status.DONE
    bench.exchange(1.0)
    assert bench.device.restarts
    restart(bench)


ALL: list[CommandBody] = [GOOD, UpdateApply(), UpdateConfirm()]


@pytest.mark.parametrize("record", ALL, ids=lambda record: type(record).__name__)
def test_an_armed_device_refuses_an_update(bench: Bench, record: CommandBody) -> None:
    bench.arm()
    assert bench.say(record) == Status.REFUSED


@pytest.mark.parametrize("record", ALL, ids=lambda record: type(record).__name__)
def test_a_device_without_slots_refuses_updates(record: CommandBody) -> None:
    bench = Bench()
    bench.begin()
    assert bench.say(record) == Status.UNSUPPORTED


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"size": 0}, Status.RANGE),
        ({"size": 2**31}, Status.RANGE),
        ({"sha256": b""}, Status.RANGE),
        ({"signature": b""}, Status.RANGE),
        ({"version": 4}, Status.REFUSED),
        ({"version": 8}, Status.REFUSED),
        ({"size": len(IMAGE) + 1}, Status.REFUSED),
        ({"sha256": bytes(32)}, Status.REFUSED),
        ({"signature": bytes(64)}, Status.REFUSED),
        ({"signature": made(device_class=DeviceClass.DISPLAY).manifest.signature}, Status.REFUSED),
        ({"signature": sign(IMAGE, DeviceClass.SHOE, "sim", 7, bytes(32)).signature}, Status.REFUSED),
    ],
)
def test_a_begin_that_does_not_fit_is_refused(bench: Bench, changed: dict[str, Any], status: Status) -> None:
    fields = {name: getattr(GOOD, name) for name in ("version", "size", "sha256", "signature")}
    assert bench.say(UpdateBegin(**fields | changed)) == status
    assert wanted(bench) == []
    assert bench.slots is not None
    assert bench.slots.state == "empty"


def test_a_signed_downgrade_is_refused(bench: Bench) -> None:
    assert bench.say(sign(IMAGE, DeviceClass.SHOE, "sim", 4, MAKER).begin) == Status.REFUSED
    assert bench.say(sign(IMAGE, DeviceClass.SHOE, "sim", 5, MAKER).begin) == Status.DONE


def test_two_blocks_are_asked_for_at_a_time_and_taken_in_order(bench: Bench) -> None:
    bench.say(GOOD)
    assert wanted(bench) == [0, BLOCK]
    send(bench, 0, IMAGE[:BLOCK])
    assert wanted(bench) == [0, BLOCK, 2 * BLOCK]
    fill(bench)
    assert wanted(bench) == list(range(0, len(IMAGE), BLOCK))
    assert bench.slots is not None
    assert bench.slots.state == "whole"


@pytest.mark.parametrize(
    ("offset", "data"),
    [
        (BLOCK, IMAGE[:BLOCK]),
        (5, IMAGE[5:197]),
        (len(IMAGE), b""),
        (2**32 - 1, b"x"),
        (0, b""),
        (0, IMAGE[: BLOCK - 1]),
        (0, b"x"),
        (4 * BLOCK, IMAGE[4 * BLOCK :]),
    ],
)
def test_a_block_that_is_not_due_is_dropped_and_counted(bench: Bench, offset: int, data: bytes) -> None:
    bench.say(GOOD)
    send(bench, offset, data)
    assert bench.device.counters.unasked == 1
    assert bench.slots is not None
    assert bench.slots.filled == 0
    fill(bench)
    assert bench.slots.state == "whole"


def test_blocks_that_were_not_requested_are_dropped(bench: Bench) -> None:
    send(bench, 0, IMAGE[:BLOCK])
    bench.say(GOOD)
    send(bench, 0, IMAGE[:BLOCK])
    send(bench, 0, IMAGE[:BLOCK])
    assert bench.device.counters.unasked == 2
    bench.arm()
    send(bench, BLOCK, IMAGE[BLOCK : 2 * BLOCK])
    assert bench.device.counters.unasked == 3


def test_arm_in_a_transfer_stops_it_and_the_next_begin_goes_on(bench: Bench) -> None:
    bench.say(GOOD)
    send(bench, 0, IMAGE[:BLOCK])
    bench.arm()
    assert bench.slots is not None
    assert bench.slots.filled == BLOCK
    bench.begin()
    assert wanted(bench) == []
    bench.say(GOOD)
    assert wanted(bench) == [BLOCK, 2 * BLOCK]


def test_nothing_is_asked_for_before_the_begin_of_the_same_session(bench: Bench) -> None:
    bench.say(GOOD)
    send(bench, 0, IMAGE[:BLOCK])
    bench.begin()
    bench.exchange(0.1)
    assert wanted(bench) == []
    send(bench, BLOCK, IMAGE[BLOCK : 2 * BLOCK])
    assert bench.device.counters.unasked == 1
    bench.say(GOOD)
    assert wanted(bench) == [BLOCK, 2 * BLOCK]


def test_another_image_takes_the_place_of_one_in_part(bench: Bench) -> None:
    bench.say(GOOD)
    send(bench, 0, IMAGE[:BLOCK])
    other = sign(b"other", DeviceClass.SHOE, "sim", 6, MAKER).begin
    assert bench.say(other) == Status.DONE
    send(bench, 0, b"other")
    assert bench.slots is not None
    assert (bench.slots.state, bench.slots.image("B")) == ("whole", b"other")


def test_an_image_with_another_hash_is_gone(bench: Bench) -> None:
    bench.say(GOOD)
    fill(bench, bytes(len(IMAGE)))
    assert bench.slots is not None
    assert bench.slots.state == "empty"
    assert bench.say(UpdateApply()) == Status.REFUSED
    assert "hash of the last one was wrong" in bench.results()[-1].text


def test_an_apply_that_comes_too_early_is_refused(bench: Bench) -> None:
    assert bench.say(UpdateApply()) == Status.REFUSED
    bench.say(GOOD)
    assert bench.say(UpdateApply()) == Status.BUSY
    assert bench.say(UpdateConfirm()) == Status.REFUSED


def test_the_mode_says_that_an_update_runs(bench: Bench) -> None:
    modes = []
    for step in (lambda: None, lambda: bench.say(GOOD), lambda: fill(bench)):
        step()
        bench.exchange(0.6)
        assert bench.host.peer
        modes.append(bench.host.peer.mode)
    assert modes == [Mode.READY, Mode.UPDATING, Mode.READY]


def test_the_test_slot_cannot_be_armed_until_it_is_confirmed(bench: Bench) -> None:
    to_trial(bench)
    assert bench.shake().test_slot
    bench.begin()
    assert bench.say(Arm(bench.memory.newest)) == Status.REFUSED
    assert "arm" not in bench.body.done
    assert bench.say(GOOD) == Status.REFUSED
    assert bench.say(UpdateApply()) == Status.REFUSED
    assert bench.say(UpdateConfirm()) == Status.DONE
    assert bench.say(UpdateConfirm()) == Status.REFUSED
    bench.arm()
    assert "arm" in bench.body.done
    assert not bench.shake().test_slot


def test_log_keys_and_results_survive_an_update(bench: Bench) -> None:
    log, newest = bench.memory.log, bench.memory.newest
    bench.say(GOOD, key=70)
    fill(bench)
    bench.say(UpdateApply(), key=71)
    restart(bench)
    hello = bench.shake()
    assert (hello.log, hello.newest, hello.last_key) == (log, newest + 1, 71)
    assert bench.memory.result(70) == (Status.DONE, "")
    assert bench.memory.result(71) == (Status.DONE, "")


def test_an_action_that_is_said_twice_happens_once(bench: Bench) -> None:
    assert bench.say(GOOD, key=70) == Status.DONE
    assert bench.say(GOOD, key=70) == Status.FORGOTTEN


def test_bulk_never_holds_up_a_command(bench: Bench) -> None:
    bench.say(GOOD)
    for _ in range(40):
        bench.host.send(Channel.BULK, tsl.Frame(block=common.Block(offset=10**6, data=bytes(BLOCK))))
    before = len(bench.results())
    assert bench.say(UpdateBegin(1, 1, bytes(32), bytes(64))) == Status.REFUSED
    assert len(bench.results()) == before + 1
    assert bench.host.bulk > 20
