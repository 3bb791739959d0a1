"""The rows of firmware-protocol/README.md, section 19: simpler readings of the rules, and that ours is
different. Rows that need the host's end are in test_why_host.py."""

import pytest

from drivers.link.codec import command_message
from drivers.link.frames import Deframer, WireFrame
from drivers.messages import (
    Arm,
    Booted,
    CardDrawn,
    CardInterrupted,
    Cover,
    Lamps,
    Permit,
    Recall,
    Resume,
    Start,
    Tamper,
)
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Channel, DeviceClass, Side, Status
from drivers.sim.link.memory import CAPACITY, RESERVE
from tests.drivers.link.bench import Bench
from tests.drivers.link.world import Pair


def test_event_numbers_not_tied_to_a_log_device_memory_wiped() -> None:
    bench = Bench()
    before = bench.shake()
    bench.card()
    bench.memory.format()
    bench.boot()
    after = bench.shake()
    assert (before.newest, after.newest) == (1, 1)
    assert before.log != after.log
    bench.boot()
    assert bench.shake().log == after.log


def test_events_committed_by_another_table_not_noticed() -> None:
    bench = Bench()
    bench.begin()
    bench.card()
    bench.commit(2)
    bench.boot()
    assert bench.shake().committed == 2


def test_arm_without_checking_events() -> None:
    bench = Bench()
    bench.card()
    bench.begin()
    assert bench.say(Arm(1)) == Status.STALE
    assert not bench.device.armed
    assert "arm" not in bench.body.done
    bench.card()
    assert bench.say(Arm(2)) == Status.DONE
    assert (bench.device.armed, bench.memory.committed) == (True, 2)


def test_a_repeated_proof_installs_again() -> None:
    bench = Bench()
    hello = bench.hello()
    [answer] = bench.ask(hello)
    proof = bench.proof(hello, answer)
    [first] = bench.ask(proof)
    bench.host.install(bench.now)
    assert bench.say(Resume(1)) == Status.DONE
    bench.arm()
    assert bench.ask(proof) == [first]
    assert bench.device.armed
    assert bench.say(Permit(1)) == Status.DONE
    assert bench.device.counters.sessions == 1
    bench.exchange(4)  # the session dies with the host's heartbeat, and its Proof with it
    bench.host.drop()
    bench.exchange(4)
    assert not bench.device.installed
    assert bench.ask(proof) == []
    assert bench.device.counters.sessions == 1


def test_events_lost_takes_a_slot_of_the_ring() -> None:
    bench = Bench()
    while not bench.memory.full:
        bench.card()
    for _ in range(500):
        bench.device.record(Cover(True), bench.now)
    cards = [bench.card() for _ in range(RESERVE)]
    assert bench.memory.free == 0
    bench.begin()
    bench.exchange(2)
    assert bench.lost() == [(CAPACITY - RESERVE + 1, CAPACITY - RESERVE + 500)]
    assert set(cards) <= set(bench.events())
    assert bench.memory.free == 0


def test_an_event_is_sent_before_it_is_stored() -> None:
    bench = Bench()
    bench.begin()
    bench.exchange()
    number = bench.card("Ts")
    on_the_line = bench.device.take(bench.now)
    bench.boot()  # the power goes as soon as the first byte is out
    assert b"Ts" in on_the_line
    assert bench.card("Ah") > number
    bench.begin()
    bench.exchange(1)
    assert bench.events()[number] == CardDrawn(1, "Ts")


def test_a_permit_is_an_absolute_count() -> None:
    bench = Bench()
    bench.begin()
    bench.arm()
    bench.say(Permit(2))
    assert bench.device.permitted == 2
    bench.card()
    bench.say(Permit(2))
    assert bench.device.permitted == 1
    bench.memory.begin_card()
    bench.begin()
    bench.arm()
    assert bench.device.permitted == 0
    bench.say(Permit(2))
    bench.memory.end_card()
    assert bench.device.permitted == 0


@pytest.mark.parametrize("cards", [0, 3])
def test_a_card_is_noted_before_it_moves(cards: int) -> None:
    bench = Bench()
    for _ in range(cards):
        bench.card()
    bench.memory.begin_card()
    bench.boot()
    hello = bench.shake()
    assert hello.cards == cards + 1
    bench.say(Resume(1))
    bench.exchange(1)
    assert list(bench.events().values())[-2:] == [Booted(2), CardInterrupted(cards + 1)]
    bench.boot()
    assert bench.shake().cards == cards + 1


def test_a_full_ring_overwrites_its_oldest() -> None:
    bench = Bench()
    first = bench.card("Ah")
    for _ in range(CAPACITY + 100):
        bench.card()
    bench.begin()
    bench.exchange(5)
    assert bench.events()[first] == CardDrawn(1, "Ah")
    assert bench.lost() == [(CAPACITY + 1, bench.memory.newest)]


def test_credit_is_repeated_until_it_arrives() -> None:
    pair = Pair()
    pair.run(0.1)
    pair.device.offer(0)
    for key in range(20):
        pair.host.send(Channel.COMMANDS, command_message(key, Lamps(1, b"")))
    pair.flush()
    pair.run(0.3)
    assert len(pair.said(Side.DEVICE, "command")) == 8
    pair.up.cut = True
    pair.device.offer(8)
    pair.run(0.05)
    pair.up.cut = False  # only the frame with the larger credit got lost
    pair.run(1)
    assert len(pair.said(Side.DEVICE, "command")) == 20


def test_an_action_is_noted_as_begun() -> None:
    bench = Bench(DeviceClass.SHUFFLER)
    bench.begin()
    bench.arm()
    noted = []
    bench.body.before = lambda: noted.append((bench.memory.begun, bench.memory.last_key))
    assert bench.say(Start(8), key=5) == Status.DONE
    assert noted == [(5, 5)]
    bench.memory.begin_action(6)  # begun, and then the power went
    bench.boot()
    bench.begin()
    assert bench.say(Recall(6)) == Status.INTERRUPTED
    assert bench.say(Recall(5)) == Status.DONE


def test_a_commit_beyond_the_window_is_taken() -> None:
    bench = Bench()
    bench.begin()
    bench.card()
    bench.exchange()
    for key in range(9):
        bench.host.send(Channel.COMMANDS, command_message(key, Resume(1)))
    bench.host.take(bench.now)  # a window full of commands, all lost
    bench.commit(2)
    assert bench.memory.committed == 2


def test_only_the_last_32_results_keys_need_not_grow() -> None:
    bench = Bench(DeviceClass.SHUFFLER)
    bench.begin()
    bench.arm()
    for key in range(1, 41):
        bench.say(Start(8), key=key)
    done = len(bench.body.done)
    assert bench.say(Start(8), key=1) == Status.FORGOTTEN
    assert bench.say(Start(8), key=40) == Status.FORGOTTEN
    assert bench.say(Recall(1)) == Status.FORGOTTEN
    assert bench.say(Recall(9)) == Status.DONE
    bench.boot()
    bench.begin()
    bench.arm()
    assert bench.say(Start(8), key=3) == Status.FORGOTTEN
    assert len(bench.body.done) == 1
    assert done == 41


def test_a_side_that_slept_reads_what_waited_first() -> None:
    bench = Bench(DeviceClass.SENSORS)
    bench.begin()
    bench.arm()
    bench.host.send(Channel.COMMANDS, command_message(99, Lamps(5000, bytes(54))))
    waited = bench.host.take(bench.now)
    bench.now += 3.5
    bench.device.feed(waited, bench.now)
    assert bench.body.done == ["arm", "safe"]
    assert not bench.device.installed
    said = [tsl.Frame.FromString(frame.payload) for frame in frames(bench.device.take(bench.now))]
    assert [frame.WhichOneof("message") for frame in said] == ["bye", "no_session"]


def test_a_recall_leaves_the_key_alive() -> None:
    bench = Bench(DeviceClass.SHUFFLER)
    bench.begin()
    assert bench.say(Recall(7)) == Status.NEVER
    bench.arm()
    assert bench.say(Start(8), key=7) == Status.FORGOTTEN
    assert bench.say(Start(8), key=6) == Status.FORGOTTEN
    assert bench.body.done == ["arm"]
    bench.boot()
    assert bench.shake().last_key == 7
    assert bench.say(Recall(7)) == Status.NEVER


def test_an_unproved_hello_ends_the_session() -> None:
    bench = Bench()
    bench.begin()
    bench.arm()
    bench.say(Permit(3))
    for _ in range(5):
        [answer] = bench.ask(bench.hello())
        assert answer.WhichOneof("message") == "hello"
    assert (bench.device.armed, bench.device.permitted) == (True, 3)
    assert bench.say(Permit(4)) == Status.DONE


def test_bad_proofs_raise_tamper_once_a_minute_and_end_nothing() -> None:
    bench = Bench()
    bench.begin()
    bench.arm()
    for _ in range(50):
        hello = bench.hello()
        [answer] = bench.ask(hello)
        [refuse] = bench.ask(bench.proof(hello, answer, key=bytes(31) + b"\1"))
        assert refuse.refuse.echo == tsl.Frame.FromString(hello).hello.nonce
        bench.exchange(0.1)
    bench.exchange(60)
    assert bench.device.armed
    assert [event for event in bench.events().values() if isinstance(event, Tamper)] == [
        Tamper(2, 1),
        Tamper(2, 49),
    ]


def frames(line: bytes) -> list[WireFrame]:
    return [item for item in Deframer().feed(line) if isinstance(item, WireFrame)]
