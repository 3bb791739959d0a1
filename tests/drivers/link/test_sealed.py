"""A sealed session on the bench: what is refused, what is counted, what ends it; section 7 of the README."""

import pytest

from drivers.link.endpoint import Ended, Received
from drivers.link.frames import Deframer, WireFrame, encode
from drivers.link.seal import BadTag, Opener, Replay, Sealer
from drivers.messages import Arm, Booted, CardDrawn, Resume, Tamper
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Channel, Flag, RefuseReason, Seal, Status
from tests.drivers.link.bench import Bench
from tests.drivers.link.rig import KEY

OTHER = bytes(reversed(KEY))


def frames(data: bytes) -> list[WireFrame]:
    return [item for item in Deframer().feed(data) if isinstance(item, WireFrame)]


def counters_of(sealed: list[WireFrame]) -> list[int]:
    return [int.from_bytes(frame.payload[:4], "little") for frame in sealed]


def forged(frame: WireFrame) -> bytes:
    """The same frame with another counter and a wrong tag."""
    low = (int.from_bytes(frame.payload[:4], "little") + 1000).to_bytes(4, "little")
    return encode(WireFrame(frame.flags, frame.channel, 0, 0, 0, low + frame.payload[4:]))


@pytest.fixture
def bench() -> Bench:
    return Bench(key=KEY)


def test_everything_of_a_session_is_sealed(bench: Bench) -> None:
    bench.begin()
    bench.card("Ts")
    out = bench.device.take(bench.now)
    assert frames(out)
    assert all(frame.flags & Flag.SEALED for frame in frames(out))
    assert b"Ts" not in out
    bench.heard += bench.host.feed(out, bench.now)
    assert CardDrawn(1, "Ts") in bench.events().values()


def test_the_first_sealed_frame_of_each_side_is_a_heartbeat(bench: Bench) -> None:
    hello = bench.hello()
    [answer] = bench.ask(hello)
    bench.device.feed(encode(WireFrame(0, 0, 0, 0, 0, bench.proof(hello, answer))), bench.now)
    clear, first = frames(bench.device.take(bench.now))
    sealing = bench.sealing(hello, answer, tsl.Frame.FromString(clear.payload))
    assert sealing
    opened = sealing.open(first)
    assert not clear.flags & Flag.SEALED
    assert isinstance(opened, WireFrame)
    assert tsl.Frame.FromString(opened.payload).HasField("heartbeat")


def test_a_retransmission_has_a_counter_of_its_own(bench: Bench) -> None:
    """With its old one, one nonce over two headers would give the authentication key away."""
    bench.begin()
    bench.card()
    first = frames(bench.device.take(bench.now))
    bench.now += 1.0
    bench.device.tick(bench.now)
    again = [frame for frame in frames(bench.device.take(bench.now)) if frame.flags & Flag.RETRANSMIT]
    numbers = counters_of(first + again)
    assert len(again) == len([frame for frame in first if frame.channel == Channel.EVENTS]) > 0
    assert numbers == sorted(set(numbers))


def test_a_repeated_proof_does_not_start_the_counters_anew(bench: Bench) -> None:
    hello = bench.hello()
    [answer] = bench.ask(hello)
    proof = encode(WireFrame(0, 0, 0, 0, 0, bench.proof(hello, answer)))
    numbers = []
    for _ in range(3):
        bench.device.feed(proof, bench.now)
        said = frames(bench.device.take(bench.now))
        numbers += counters_of([frame for frame in said if frame.flags & Flag.SEALED])
        bench.now += 0.5
    assert numbers == [0, 1, 2]


def test_a_replay_is_counted_and_ends_nothing(bench: Bench) -> None:
    bench.begin()
    bench.arm()
    bench.host.send_control(tsl.Frame(event_commit=common.EventCommit(number=1)))
    sent = bench.host.take(bench.now)
    for _ in range(50):
        bench.device.feed(sent, bench.now)
    assert (bench.device.counters.replays, bench.device.counters.tag) == (49, 0)
    assert bench.device.armed


def test_a_frame_of_our_own_comes_back_and_is_not_taken(bench: Bench) -> None:
    bench.begin()
    bench.exchange(0.5)
    bench.host.send_control(tsl.Frame(event_commit=common.EventCommit(number=1)))
    reflected = bench.host.take(bench.now)
    heard = list(bench.host.feed(reflected, bench.now))
    assert heard == []
    assert bench.host.counters.tag + bench.host.counters.replays == 1


def test_a_frame_of_an_older_session_is_not_taken(bench: Bench) -> None:
    bench.begin()
    bench.host.send(Channel.COMMANDS, tsl.Frame(command=tsl.Command(key=77, resume=common.Resume(next=1))))
    old = bench.host.take(bench.now)
    bench.begin()
    bench.device.feed(old, bench.now)
    assert bench.device.counters.tag + bench.device.counters.replays == 1
    assert bench.say(Resume(1)) == Status.DONE


@pytest.mark.parametrize("sealed", [True, False])
def test_who_is_clear_where_it_is_sealed_or_sealed_where_it_is_clear(sealed: bool) -> None:
    bench = Bench(key=KEY if sealed else b"")
    bench.begin()
    flags = 0 if sealed else Flag.SEALED
    bye = tsl.Frame(bye=common.Bye(reason=1)).SerializeToString()
    bench.device.feed(encode(WireFrame(flags, 0, 0, 0, 0, bye)), bench.now)
    assert bench.device.counters.seal == 1
    assert bench.device.installed


def test_four_bad_tags_are_counted_and_the_fifth_in_ten_seconds_ends_the_session(bench: Bench) -> None:
    bench.begin()
    bench.arm()
    bench.host.send_control(tsl.Frame(event_commit=common.EventCommit(number=1)))
    [frame] = frames(bench.host.take(bench.now))
    for _ in range(4):
        bench.device.feed(forged(frame), bench.now)
        bench.exchange(1.0)
    assert (bench.device.counters.tag, bench.device.armed) == (4, True)
    bench.device.feed(forged(frame), bench.now)
    bench.exchange()
    assert not bench.device.installed
    assert bench.body.done[-1] == "safe"
    assert [item.reason for item in bench.heard if isinstance(item, Ended)] == ["bye"]
    assert bench.device.counters.resets == {"tags": 1}


def test_five_bad_tags_in_a_longer_time_end_nothing(bench: Bench) -> None:
    bench.begin()
    bench.host.send_control(tsl.Frame(event_commit=common.EventCommit(number=1)))
    [frame] = frames(bench.host.take(bench.now))
    for _ in range(8):
        bench.device.feed(forged(frame), bench.now)
        bench.exchange(2.6)
    assert bench.device.installed
    assert bench.device.counters.tag == 8


def test_a_siege_is_told_once_in_a_minute_with_a_count(bench: Bench) -> None:
    start = bench.now
    for _ in range(4):
        bench.begin()
        bench.host.send_control(tsl.Frame(event_commit=common.EventCommit(number=1)))
        [frame] = frames(bench.host.take(bench.now))
        bench.device.feed(forged(frame) * 5, bench.now)
        bench.now += 1.0
    assert bench.now - start < 60
    bench.now = start + 61
    bench.begin()
    bench.host.send_control(tsl.Frame(event_commit=common.EventCommit(number=1)))
    [frame] = frames(bench.host.take(bench.now))
    bench.device.feed(forged(frame) * 5, bench.now)
    bench.begin()
    assert [body for body in bench.events().values() if not isinstance(body, Booted)] == [
        Tamper(1, 5),
        Tamper(1, 20),
    ]


def test_another_key_is_refused_by_the_device_and_told_as_tamper(bench: Bench) -> None:
    hello = bench.hello()
    [answer] = bench.ask(hello)
    [refused] = bench.ask(bench.proof(hello, answer, OTHER))
    assert refused.refuse.reason == RefuseReason.PROOF
    assert not bench.device.installed
    bench.begin()
    assert Tamper(2, 1) in bench.events().values()


@pytest.mark.parametrize("key", [KEY, b""])
def test_a_hello_with_another_seal_is_refused(key: bytes) -> None:
    bench = Bench(key=key)
    other = Seal.NONE if key else Seal.SEALED
    [refused] = bench.ask(bench.hello(seal=other))
    assert refused.refuse.reason == RefuseReason.SEAL


def test_a_session_of_many_frames_goes_on_over_the_turn_of_the_low_counter() -> None:
    low_turn = (1 << 32) - 2
    sealer, opener = Sealer(KEY, low_turn), Opener(KEY, low_turn - 1)
    header = bytes(8)
    sent = [sealer.seal(header, bytes([number])) for number in range(4)]
    assert [opener.open(header, payload) for payload in sent] == [bytes([number]) for number in range(4)]
    assert opener.last == low_turn + 3
    assert opener.open(header, sent[0]) == Replay()


def test_a_forged_counter_does_not_move_the_receiver() -> None:
    sealer, opener = Sealer(KEY), Opener(KEY)
    payload = sealer.seal(bytes(8), b"one")
    ahead = (1 << 30).to_bytes(4, "little") + payload[4:]
    assert opener.open(bytes(8), ahead) == BadTag()
    assert opener.open(bytes(8), payload) == b"one"


def test_only_sealed_commands_arm_a_device(bench: Bench) -> None:
    bench.begin()
    assert bench.say(Arm(bench.memory.newest)) == Status.DONE
    assert bench.device.armed
    assert [item.name for item in bench.heard if isinstance(item, Received)].count("result") == 2
    assert bench.host.counters.tag == 0 == bench.device.counters.tag
