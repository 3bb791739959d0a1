"""Every message once and in order, over good and bad cables, on virtual time."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.link.endpoint import Received, Timing
from drivers.protocol.codes import Channel, Side
from tests.drivers.link.world import Faults, Pair, command, event, number


def talk(pair: Pair, messages: int, seconds: float) -> tuple[list[int], list[int]]:
    """Both sides send this many messages as fast as the window takes them."""
    said = {Side.HOST: 0, Side.DEVICE: 0}
    end = pair.now + seconds
    while pair.now < end:
        while said[Side.HOST] < messages and pair.host.room:
            said[Side.HOST] += 1
            pair.host.send(Channel.COMMANDS, command(said[Side.HOST]))
        while said[Side.DEVICE] < messages and pair.device.room:
            said[Side.DEVICE] += 1
            pair.device.send(Channel.EVENTS, event(said[Side.DEVICE]))
        pair.flush()
        pair.run(0.05)
        if min(said.values()) == messages and pair.host.idle and pair.device.idle:
            break
    keys = [number(item) for item in pair.said(Side.DEVICE, "command")]
    numbers = [number(item) for item in pair.said(Side.HOST, "event")]
    return keys, numbers


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(
    "faults", [Faults(), Faults(drop=0.02, flip=0.01), Faults(drop=0.08, flip=0.04, duplicate=0.1)]
)
def test_every_message_arrives_once_and_in_order(faults: Faults, seed: int) -> None:
    pair = Pair(faults, seed)
    keys, numbers = talk(pair, 200, 300)
    assert keys == numbers == list(range(1, 201))
    assert pair.host.installed
    assert pair.device.installed


@given(
    st.builds(Faults, drop=st.floats(0, 0.06), flip=st.floats(0, 0.05), duplicate=st.floats(0, 0.2)),
    st.integers(0, 2**32),
)
@settings(max_examples=25)
def test_no_message_arrives_twice_or_out_of_order(faults: Faults, seed: int) -> None:
    keys, numbers = talk(Pair(faults, seed), 60, 60)
    assert keys == list(range(1, len(keys) + 1))
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("baud", [9600, 115_200])
def test_a_full_window_on_a_slow_line_is_not_resent(baud: int) -> None:
    pair = Pair(timing=Timing(baud=baud), rate=baud / 10)
    pair.run(1)
    keys, _ = talk(pair, 40, 60)
    assert keys == list(range(1, 41))
    assert pair.host.counters.retransmissions == pair.device.counters.retransmissions == 0


def test_messages_arrive_across_the_wrap_of_the_sequence() -> None:
    pair, last = Pair(), 65_600
    pair.run(0.1)
    heard = 0
    for key in range(1, last + 1):
        pair.host.send(Channel.COMMANDS, command(key))
        for item in pair.device.feed(pair.host.take(pair.now), pair.now):
            assert isinstance(item, Received)
            heard += number(item) == key
        pair.device.offer(8)
        pair.device.send(Channel.EVENTS, event(key))
        assert [
            number(item)
            for item in pair.host.feed(pair.device.take(pair.now), pair.now)
            if isinstance(item, Received)
        ] == [key]
    assert heard == last
    assert pair.host.counters.retransmissions == 0
