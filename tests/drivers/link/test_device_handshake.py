"""A device's handshake: what it answers, refuses and drops."""

import pytest

from drivers.link.codec import command_message
from drivers.link.frames import WireFrame, encode
from drivers.messages import Lock, Permit
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import DeviceClass, RefuseReason, Side
from drivers.sim.link.handshake import STEPS
from tests.drivers.link.bench import Bench
from tests.drivers.link.rig import KEY


def test_a_device_is_silent_until_spoken_to() -> None:
    bench = Bench()
    assert bench.device.take(bench.now + 100) == b""
    assert bench.device.deadline(bench.now) == float("inf")


def test_hello_says_who_and_what_is_stored() -> None:
    bench = Bench()
    bench.card()
    bench.memory.commit(1)
    hello = bench.shake()
    assert (hello.side, hello.major, hello.minor, hello.seal) == (2, 1, 0, 1)
    assert (hello.id, hello.device_class, hello.reset) == ("S-1", DeviceClass.SHOE, 1)
    assert (hello.oldest, hello.newest, hello.committed, hello.last_key, hello.cards) == (1, 2, 1, 0, 1)
    assert (len(hello.nonce), len(hello.boot), hello.log) == (16, 8, bench.memory.log)


def test_same_hello_bytes_same_answer_bytes_for_5_s() -> None:
    bench = Bench()
    hello = bench.hello()
    [first] = bench.ask(hello)
    assert first.hello.echo == tsl.Frame.FromString(hello).hello.nonce
    bench.card()
    bench.now += 4.9
    assert bench.ask(hello) == [first]
    bench.now += 0.2
    [later] = bench.ask(hello)
    assert later.hello.nonce != first.hello.nonce


def test_a_proof_comes_within_5_s_of_the_answer_or_not_at_all() -> None:
    bench = Bench(key=KEY)
    hello = bench.hello()
    [answer] = bench.ask(hello)
    bench.now += 4.0
    assert bench.ask(hello) == [answer]
    bench.now += 1.0
    assert bench.ask(bench.proof(hello, answer)) == []
    assert not bench.device.installed
    bench.begin()


@pytest.mark.parametrize("share", [b"", bytes(31), bytes(range(33))[:31]])
def test_a_share_of_another_size_is_dropped_and_is_no_tamper(share: bytes) -> None:
    bench = Bench(key=KEY)
    hello = bench.hello()
    [answer] = bench.ask(hello)
    assert bench.ask(bench.proof(hello, answer, share=share)) == []
    assert (bench.device.counters.handshake, bench.memory.newest) == (1, 1)
    assert [said.WhichOneof("message") for said in bench.ask(bench.proof(hello, answer))] == ["proof"]


def test_each_session_has_a_share_of_its_own() -> None:
    bench, shares = Bench(key=KEY), []
    for _ in range(5):
        hello = bench.hello()
        [answer] = bench.ask(hello)
        [proved] = bench.ask(bench.proof(hello, answer))
        shares.append(proved.proof.share)
    assert len(set(shares)) == 5


@pytest.mark.parametrize("steps", [1, 7, 300, STEPS - 1, STEPS])
def test_a_device_computes_in_as_many_ticks_as_its_slices_need(steps: int) -> None:
    bench = Bench(key=KEY, steps=steps)
    hello = bench.hello()
    [answer] = bench.ask(hello)
    proof = bench.proof(hello, answer)
    assert bench.ask(proof) == []
    ticks = 0
    while not bench.device.installed:
        assert bench.ask(proof) == bench.ask(hello) == []
        assert bench.device.deadline(bench.now) == bench.now
        bench.device.tick(bench.now)
        ticks += 1
    assert ticks == -(-STEPS // steps)
    assert bench.device.counters.handshake == 2 * ticks


def test_a_refuse_is_dropped_and_counted() -> None:
    bench = Bench(key=KEY)
    bench.begin()
    assert bench.ask(tsl.Frame(refuse=common.Refuse(echo=bytes(16), reason=5)).SerializeToString()) == []
    assert bench.device.installed
    assert bench.device.counters.handshake == 1


def test_a_format_leaves_the_provisioning_record_alone() -> None:
    bench = Bench(key=KEY)
    bench.begin()
    log, nonce = bench.memory.log, bench.provisioning.boots
    bench.memory.format()
    bench.boot()
    bench.begin()
    assert bench.memory.log != log
    assert (bench.provisioning.key, bench.provisioning.boots) == (KEY, nonce + 1)


def test_only_the_newest_handshake_is_pending() -> None:
    bench = Bench()
    old, new = bench.hello(), bench.hello()
    [old_answer], [new_answer] = bench.ask(old), bench.ask(new)
    assert bench.ask(bench.proof(old, old_answer)) == []
    assert [answer.WhichOneof("message") for answer in bench.ask(bench.proof(new, new_answer))] == ["proof"]


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"major": 2}, RefuseReason.VERSION),
        ({"schema": bytes(8)}, RefuseReason.SCHEMA),
        ({"seal": 2}, RefuseReason.SEAL),
        ({"seal": 0}, RefuseReason.SEAL),
    ],
)
def test_a_hello_that_does_not_fit_is_refused_with_its_reason(
    other: dict[str, int | bytes], reason: RefuseReason
) -> None:
    bench = Bench()
    hello = bench.hello(**other)
    [answer] = bench.ask(hello)
    assert (answer.refuse.reason, answer.refuse.echo) == (reason, tsl.Frame.FromString(hello).hello.nonce)
    assert answer.refuse.text


def test_another_minor_version_may_have_another_schema() -> None:
    bench = Bench()
    [answer] = bench.ask(bench.hello(minor=7, schema=bytes(8)))
    assert answer.hello.minor == 0


@pytest.mark.parametrize("other", [{"side": 2}, {"nonce": b"short"}])
def test_what_no_host_says_is_dropped(other: dict[str, int | bytes]) -> None:
    bench = Bench()
    assert bench.ask(bench.hello(**other)) == []
    assert bench.device.counters.handshake == 1


def test_an_echo_of_the_device_s_own_proof_is_nothing() -> None:
    bench = Bench()
    hello = bench.hello()
    [answer] = bench.ask(hello)
    [own] = bench.ask(bench.proof(hello, answer))
    assert bench.ask(own.SerializeToString()) == []


def test_a_new_proved_session_ends_the_old_one() -> None:
    bench = Bench()
    bench.begin()
    bench.arm()
    bench.say(Permit(3))
    bench.shake()
    assert bench.body.done[-1] == "safe"
    assert (bench.device.armed, bench.device.permitted) == (False, 0)
    bench.exchange(1)
    assert bench.events() == {}
    assert bench.device.counters.resets == {"new session": 1}


def test_no_session_once_in_250_ms() -> None:
    bench = Bench()
    stray = encode(WireFrame(0, 2, 0, 0, 8, command_message(1, Lock()).SerializeToString()))
    answered = []
    for _ in range(70):
        bench.device.feed(stray, bench.now)
        answered.append(bool(bench.device.take(bench.now)))
        bench.now += 1 / 128
    assert [index for index, said in enumerate(answered) if said] == [0, 32, 64]


def test_side_of_proof_and_stale_bytes_are_checked() -> None:
    bench = Bench()
    hello = bench.hello()
    [answer] = bench.ask(hello)
    proof = tsl.Frame.FromString(bench.proof(hello, answer))
    proof.proof.side = Side.DEVICE
    assert bench.ask(proof.SerializeToString()) == []
    assert bench.ask(tsl.Frame(proof=common.Proof(side=1)).SerializeToString()) == []
    assert not bench.device.installed
