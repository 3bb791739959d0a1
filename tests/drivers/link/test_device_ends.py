"""What a device shows, how its sessions end, and that no input breaks it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.messages import Permit
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import ByeReason, Channel, DeviceClass, Mode
from drivers.sim.link.device import BodyVitals
from tests.drivers.link.bench import Bench


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


@given(st.lists(st.one_of(st.binary(max_size=300), st.integers(0, 12).map(bytes)), max_size=10))
def test_junk_never_raises_at_the_device(junk: list[bytes]) -> None:
    bench = Bench()
    bench.begin()
    for piece in junk:
        bench.device.feed(piece, bench.now)
        bench.device.take(bench.now)


COMMANDS = st.builds(
    lambda key, body: tsl.Frame(command=tsl.Command(key=key, **body)),
    st.integers(0, 2**53 - 1),
    st.sampled_from(
        [
            {"resume": {"next": 2**53 - 1}},
            {"arm": {"seen": 2**53 - 1}},
            {"recall": {"old_key": 0}},
            {"recall": {"old_key": 2**52}},
            {"permit": {"up_to": 2**53 - 1}},
            {"start": {"decks": 2**32 - 1}},
            {"start": {}},
            {"eject": {}},
            {"lamps": {}},
            {"update_confirm": {}},
            {"disarm": {}},
            {},
        ]
    ),
)


@given(st.lists(COMMANDS, max_size=8), st.sampled_from(list(DeviceClass)))
def test_every_command_gets_a_result_and_none_raises(
    commands: list[tsl.Frame], device_class: DeviceClass
) -> None:
    bench = Bench(device_class)
    bench.begin()
    bench.arm()
    before = len(bench.results())
    for frame in commands:
        bench.host.send(Channel.COMMANDS, frame, critical=True)
    bench.exchange(1)
    assert len(bench.results()) - before == len(commands)
