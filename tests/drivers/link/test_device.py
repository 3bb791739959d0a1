"""The device's end: handshake, commands, events, keys, safe state."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.errors import Misuse
from drivers.link.codec import command_message
from drivers.link.device import BodyVitals
from drivers.link.frames import Deframer, WireFrame, encode
from drivers.messages import (
    Arm,
    Booted,
    Buzz,
    CardUnpermitted,
    CommandBody,
    Cover,
    Disarm,
    Eject,
    Empty,
    KeyLamps,
    Lamps,
    Level,
    Loaded,
    Lock,
    Permit,
    Prompt,
    Recall,
    Resume,
    Start,
    Stop,
    Text,
)
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import ByeReason, Channel, DeviceClass, Flag, Mode, RefuseReason, Side, Status
from tests.drivers.link.bench import Bench

# Handshake


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


def test_one_handshake_is_pending() -> None:
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
def test_refusals(other: dict[str, int | bytes], reason: RefuseReason) -> None:
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


# Commands


@pytest.mark.parametrize(
    ("device_class", "command"),
    [
        (DeviceClass.SHOE, Lock()),
        (DeviceClass.SHUFFLER, Stop()),
        (DeviceClass.SENSORS, Lamps(5000, bytes(54))),
        (DeviceClass.DISPLAY, Text(1, "welcome")),
        (DeviceClass.CONSOLE, KeyLamps(3)),
    ],
)
def test_state_commands_wait_for_arm(device_class: DeviceClass, command: CommandBody) -> None:
    bench = Bench(device_class)
    bench.begin()
    assert bench.say(command) == Status.DONE
    assert bench.body.done == []
    bench.arm()
    assert bench.body.done == ["arm", command]
    assert bench.say(command) == Status.DONE
    assert bench.body.done == ["arm", command, command]


def test_the_newest_of_a_kind_wins_and_leases_count_from_arrival() -> None:
    bench = Bench(DeviceClass.DISPLAY)
    bench.begin()
    for command in (Text(1, "a"), Level(1, 5, 0), Text(2, "b"), Level(2, 6, 0), Text(1, "c")):
        bench.say(command)
    arrived = bench.now
    bench.exchange(1)
    bench.arm()
    assert bench.body.done == ["arm", Level(1, 5, 0), Text(2, "b"), Level(2, 6, 0), Text(1, "c")]
    assert max(bench.body.times[1:]) <= arrived


def test_what_waited_goes_with_the_session() -> None:
    bench = Bench(DeviceClass.CONSOLE)
    bench.begin()
    bench.say(Prompt("old", 0))
    bench.begin()
    bench.arm()
    assert "arm" in bench.body.done
    assert Prompt("old", 0) not in bench.body.done


def test_unarmed_permits_and_actions_are_refused_and_a_refusal_is_kept() -> None:
    shoe, shuffler = Bench(), Bench(DeviceClass.SHUFFLER)
    shoe.begin()
    shuffler.begin()
    assert shoe.say(Permit(1)) == Status.UNARMED
    assert shoe.device.permitted == 0
    assert shuffler.say(Start(8), key=3) == Status.UNARMED
    shuffler.arm()
    assert shuffler.say(Start(8), key=3) == Status.FORGOTTEN
    assert shuffler.say(Recall(3)) == Status.UNARMED
    assert shuffler.body.done == ["arm"]


def test_permits_reach_64_ahead_and_lock_when_not_above() -> None:
    bench = Bench()
    bench.begin()
    bench.arm()
    for _ in range(3):
        bench.card()
    assert bench.say(Permit(68)) == Status.RANGE
    assert bench.device.permitted == 0
    assert bench.say(Permit(67)) == Status.DONE
    assert bench.device.permitted == 64
    assert bench.say(Permit(2)) == Status.DONE
    assert bench.device.permitted == 0
    bench.say(Permit(5))
    assert bench.say(Lock()) == Status.DONE
    assert bench.device.permitted == 0


def test_a_refused_permit_leaves_the_old_one() -> None:
    bench = Bench()
    bench.begin()
    bench.arm()
    bench.say(Permit(5))
    bench.body.outcome = (Status.REFUSED, "jammed")
    assert bench.say(Permit(6)) == Status.REFUSED
    assert bench.device.permitted == 5


def test_disarm_shows_the_safe_state_and_takes_the_permit() -> None:
    bench = Bench()
    bench.begin()
    bench.arm()
    bench.say(Permit(5))
    assert bench.say(Disarm()) == Status.DONE
    assert bench.body.done[-1] == "safe"
    assert (bench.device.armed, bench.device.permitted) == (False, 0)
    assert bench.say(Permit(5)) == Status.UNARMED
    bench.arm()
    assert bench.say(Permit(5)) == Status.DONE


def test_arm_twice_is_done_once() -> None:
    bench = Bench()
    bench.begin()
    bench.arm()
    bench.arm()
    assert bench.body.done == ["arm"]
    assert bench.say(Arm(bench.memory.newest + 1)) == Status.RANGE


@pytest.mark.parametrize(("following", "status"), [(0, "RANGE"), (1, "DONE"), (2, "DONE"), (3, "RANGE")])
def test_resume_names_an_event_or_the_next(following: int, status: str) -> None:
    bench = Bench()
    bench.shake()
    assert bench.say(Resume(following)).name == status


def test_commands_of_another_class_are_unsupported_and_an_action_s_key_is_seen() -> None:
    bench = Bench(DeviceClass.CONSOLE)
    bench.begin()
    assert bench.say(Permit(1)) == Status.UNSUPPORTED
    assert bench.say(Lamps(1, bytes(54))) == Status.UNSUPPORTED
    assert bench.say(Eject(), key=8) == Status.UNSUPPORTED
    assert bench.memory.last_key == 8
    bench.arm()
    assert bench.body.done == ["arm"]


def test_an_unknown_command_is_answered_only_if_critical() -> None:
    bench = Bench()
    bench.begin()
    later = tsl.Frame(command={"key": 77})
    bench.host.send(Channel.COMMANDS, later)
    bench.exchange()
    assert 77 not in [result.key for result in bench.results()]
    assert bench.say_raw(later) == Status.UNSUPPORTED
    update = tsl.Frame(command={"key": 78, "update_apply": {}})
    assert bench.say_raw(update) == Status.UNSUPPORTED
    assert bench.device.counters.unknown == 3


def test_an_unreadable_command_is_dropped_counted_and_acknowledged() -> None:
    bench = Bench(DeviceClass.CONSOLE)
    bench.begin()
    bench.arm()
    long = tsl.Frame(command={"key": 5, "prompt": {"text": "x" * 121}})
    bench.host.send(Channel.COMMANDS, long, critical=True)
    bench.exchange()
    assert bench.host.idle
    assert bench.device.counters.message == 1
    assert bench.say(Buzz(1)) == Status.DONE
    assert bench.body.done == ["arm", Buzz(1)]


def test_one_result_for_each_command_in_order_however_many_come() -> None:
    bench = Bench(DeviceClass.CONSOLE)
    bench.begin()
    bench.arm()
    before = len(bench.results())
    for _ in range(4):
        for key in range(60):
            bench.host.send(Channel.COMMANDS, command_message(key, Buzz(key)))
        bench.exchange(1)
    assert [result.key for result in bench.results()][before:] == list(range(60)) * 4


def test_a_host_that_ignores_credit_cannot_overrun_the_device() -> None:
    bench = Bench(DeviceClass.CONSOLE)
    bench.begin()
    bench.arm()
    first, heard = 2, 3  # Resume and Arm went down, two results and an event came up
    flood = b"".join(
        encode(WireFrame(0, 2, first + n, heard, 0, command_message(n, Buzz(1)).SerializeToString()))
        for n in range(500)
    )
    bench.device.feed(flood, bench.now)
    assert bench.device.counters.credit > 0
    assert len(bench.body.done) < 100


def test_events_that_nobody_acknowledges_leave_room_for_results() -> None:
    bench = Bench(DeviceClass.CONSOLE)
    bench.begin()
    for _ in range(2):  # the second time the window is full
        for _ in range(100):
            bench.device.record(Cover(True), bench.now)
        bench.device.take(bench.now)  # nobody hears them
    for key in range(8):
        bench.host.send(Channel.COMMANDS, command_message(key, Buzz(1)))
    bench.device.feed(bench.host.take(bench.now), bench.now)
    bench.exchange(3)
    assert [result.key for result in bench.results()][1:] == list(range(8))


def test_results_that_nobody_acknowledges_take_the_credit_and_it_comes_back_at_once() -> None:
    bench = Bench(DeviceClass.CONSOLE)
    bench.begin()
    bench.arm()
    sequence, heard, credit = 2, 3, 8
    while credit:
        for _ in range(credit):
            said = command_message(sequence, Buzz(1)).SerializeToString()
            bench.device.feed(encode(WireFrame(0, 2, sequence, heard, 8, said)), bench.now)
            sequence += 1
        credit = last_frame(bench).credit
    bench.device.feed(encode(WireFrame(0, 0, 0, heard + 8, 8, b"")), bench.now)
    assert last_frame(bench).credit == 8


def last_frame(bench: Bench) -> WireFrame:
    sent = [item for item in Deframer().feed(bench.device.take(bench.now)) if isinstance(item, WireFrame)]
    if sent:
        return sent[-1]
    bench.now += 0.005
    return last_frame(bench)


def test_a_long_reason_is_cut_to_what_a_result_may_say() -> None:
    bench = Bench(DeviceClass.CONSOLE)
    bench.begin()
    bench.arm()
    bench.body.outcome = (Status.FAILED, "é" * 100)
    assert bench.say(Buzz(1)) == Status.FAILED
    assert bench.results()[-1].text == "é" * 40


# Events


def test_events_come_in_order_from_resume_on_and_reading_is_not_destructive() -> None:
    bench = Bench()
    for _ in range(200):
        bench.card()
    for following in (1, 150, 201, 202):
        bench.begin(following)
        bench.exchange(3)
        assert list(bench.events()) == list(range(following, 202))


def test_nothing_is_sent_before_resume() -> None:
    bench = Bench()
    bench.shake()
    bench.card()
    bench.exchange(0.4)
    assert bench.events() == {}
    assert bench.say(Resume(2)) == Status.DONE
    bench.exchange()
    assert list(bench.events()) == [2]
    bench.card()
    bench.exchange()
    assert list(bench.events()) == [2, 3]


def test_card_events_and_tamper_are_critical_others_are_not() -> None:
    bench = Bench()
    bench.begin()
    bench.card()
    bench.device.record(CardUnpermitted(2, "Ah"), bench.now)
    bench.device.record(Loaded(8), bench.now)
    bench.device.record(Empty(), bench.now)
    sent = [item for item in Deframer().feed(bench.device.take(bench.now)) if isinstance(item, WireFrame)]
    flags = [frame.flags for frame in sent if frame.channel == Channel.EVENTS]
    assert flags == [Flag.CRITICAL, Flag.CRITICAL, 0, 0]


@pytest.mark.parametrize("over", ["commit", "heartbeat"])
def test_commits_below_and_above_change_nothing(over: str) -> None:
    bench = Bench()
    bench.begin()
    bench.card()
    bench.commit(1)
    assert bench.memory.committed == 1
    bench.commit(0)
    assert bench.memory.committed == 1
    if over == "commit":
        bench.commit(99)
    else:
        bench.committed = 99
        bench.exchange(0.6)
    assert bench.memory.committed == 1
    assert bench.device.counters.commit > 0


def test_heartbeats_repeat_the_commit() -> None:
    bench = Bench()
    bench.begin()
    bench.card()
    bench.committed = 2
    bench.exchange(0.6)
    assert bench.memory.committed == 2


def test_with_64_slots_left_no_card_may_start_and_the_heartbeat_says_so() -> None:
    bench = Bench()
    bench.begin()
    bench.arm()
    bench.exchange(0.6)
    while bench.memory.free > 65:
        bench.card()
    bench.say(Permit(bench.memory.cards + 10))
    assert bench.device.permitted == 10
    bench.card()
    assert bench.device.permitted == 0
    bench.exchange(0.6)
    assert bench.host.peer is not None
    assert (bench.host.peer.mode, bench.host.peer.free) == (Mode.RING_FULL, 64)
    bench.commit(bench.memory.newest)
    assert bench.device.permitted == 9


def test_the_heartbeat_tells_the_device_s_vitals() -> None:
    bench = Bench()
    bench.begin()
    bench.arm()
    bench.card()
    bench.body.condition = BodyVitals(Mode.FAULT, -3, 7)
    bench.exchange(0.6)
    peer = bench.host.peer
    assert peer is not None
    assert (peer.mode, peer.celsius, peer.errors, peer.armed) == (Mode.FAULT, -3, 7, True)
    assert (peer.newest, peer.committed, peer.free, peer.cards) == (2, 1, 1023, 1)


def test_a_stuck_body_lets_the_heartbeat_stop() -> None:
    bench = Bench()
    bench.begin()
    bench.body.condition = BodyVitals(alive=False)
    bench.exchange(3.1)
    assert not bench.host.installed


def test_every_boot_is_recorded() -> None:
    bench = Bench()
    bench.boot()
    bench.begin()
    bench.exchange()
    assert list(bench.events().values()) == [Booted(1), Booted(2)]


# Ends


@pytest.mark.parametrize("end", ["bye", "heartbeat", "slept", "new session"])
def test_each_end_shows_the_safe_state_once(end: str) -> None:
    bench = Bench()
    bench.begin()
    bench.arm()
    bench.say(Permit(3))
    if end == "bye":
        bench.host.end(ByeReason.STOPPING, "", bench.now)
        bench.exchange()
    elif end == "heartbeat":
        bench.host.drop()
        bench.exchange(3.1)
    elif end == "slept":
        bench.device.tick(bench.now + 3)
    else:
        bench.shake()
    assert bench.body.done.count("safe") == 1
    assert (bench.device.armed, bench.device.permitted) == (False, 0)
    assert end in bench.device.counters.resets
    assert bench.device.installed == (end == "new session")


def test_a_second_card_in_motion_is_our_bug() -> None:
    bench = Bench()
    bench.memory.begin_card()
    with pytest.raises(Misuse):
        bench.memory.begin_card()


@given(st.lists(st.one_of(st.binary(max_size=300), st.integers(0, 12).map(bytes)), max_size=10))
@settings(deadline=None)
def test_no_junk_raises(junk: list[bytes]) -> None:
    bench = Bench()
    bench.begin()
    for piece in junk:
        bench.device.feed(piece, bench.now)
        bench.device.take(bench.now)


COMMANDS = st.builds(
    lambda key, body: tsl.Frame(command=tsl.Command(key=key, **body)),
    st.integers(0, 2**64 - 1),
    st.sampled_from(
        [
            {"resume": {"next": 2**64 - 1}}, {"arm": {"seen": 2**64 - 1}}, {"recall": {"old_key": 0}},
            {"recall": {"old_key": 2**62}}, {"permit": {"up_to": 2**64 - 1}}, {"start": {"decks": 2**32 - 1}},
            {"start": {}}, {"eject": {}}, {"lamps": {}}, {"update_confirm": {}}, {"disarm": {}}, {},
        ]
    ),
)  # fmt: skip


@given(st.lists(COMMANDS, max_size=8), st.sampled_from(list(DeviceClass)))
@settings(deadline=None)
def test_no_command_raises(commands: list[tsl.Frame], device_class: DeviceClass) -> None:
    bench = Bench(device_class)
    bench.begin()
    bench.arm()
    before = len(bench.results())
    for frame in commands:
        bench.host.send(Channel.COMMANDS, frame, critical=True)
    bench.exchange(1)
    assert len(bench.results()) - before == len(commands)


def test_side_of_proof_and_stale_bytes_are_checked() -> None:
    bench = Bench()
    hello = bench.hello()
    [answer] = bench.ask(hello)
    proof = tsl.Frame.FromString(bench.proof(hello, answer))
    proof.proof.side = Side.DEVICE
    assert bench.ask(proof.SerializeToString()) == []
    assert bench.ask(tsl.Frame(proof=common.Proof(side=1)).SerializeToString()) == []
    assert not bench.device.installed


def test_uptime_and_boot_are_in_each_event() -> None:
    bench = Bench()
    bench.begin()
    bench.now += 1.5
    bench.device.record(Cover(True), bench.now)
    bench.exchange()
    [event] = [
        item.message
        for item in bench.heard
        if hasattr(item, "message") and isinstance(item.message, tsl.Event) and item.message.number == 2
    ]
    assert event.uptime_us == pytest.approx(1_500_000 + 20_000 * 1, abs=25_000)
    assert len(event.boot) == 8
