"""A host in a session that stays unarmed: blocks as the device asks for them, and no more."""

import pytest

from drivers.link.endpoint import Endpoint, Timing
from drivers.link.reports import BlockSent, HeartbeatSeen, Unarmed
from drivers.messages import Permit, Resume, UpdateApply
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Channel, Side
from tests.drivers.link.puppet import LOG, Puppet
from tests.fixtures.link_pair import KNOWN_HELLO, START, LinkJournal, LinkPair, known_pair, link_pair

IMAGE = bytes(range(256)) * 2


def updating(bulk: int = 2) -> tuple[LinkPair, Puppet]:
    """`bulk`: how many blocks the device asks for at a time."""
    world, puppet = link_pair(LinkJournal(log=LOG, newest=9), KNOWN_HELLO, image=IMAGE)
    puppet._endpoint = Endpoint(Side.DEVICE, START, lambda: puppet.vitals, Timing(bulk=bulk))
    world.run_until(lambda: bool(world.events_of(Unarmed)))
    return world, puppet


def want(puppet: Puppet, *offsets: int) -> None:
    for offset in offsets:
        wanted = tsl.Frame(block_wanted=common.BlockWanted(offset=offset))
        puppet._endpoint.send(Channel.BULK, wanted)


def blocks(puppet: Puppet) -> list[tuple[int, bytes]]:
    return [(block.offset, block.data) for block in puppet.named("block")]


def test_an_updating_session_never_arms_and_commands_wait() -> None:
    world, puppet = updating()
    world.want(Permit(3))
    world.run(3.0)
    assert puppet.commands == [Resume(10)]
    assert world.host.phase == "catching up"
    assert world.events_of(HeartbeatSeen)
    world.act(UpdateApply())
    world.run(0.1)
    assert puppet.commands == [Resume(10), UpdateApply()]


def test_blocks_in_the_order_in_which_they_are_asked_for() -> None:
    world, puppet = updating()
    want(puppet, 192, 0)
    world.run(0.2)
    want(puppet, 384, 511)
    world.run(0.2)
    assert blocks(puppet) == [(at, IMAGE[at : at + 192]) for at in (192, 0, 384, 511)]
    world.run(0.6)
    assert world.events_of(BlockSent) == [
        BlockSent(192, 192),
        BlockSent(0, 192),
        BlockSent(384, 128),
        BlockSent(511, 1),
    ]


@pytest.mark.parametrize("offset", [512, 513, 2**32 - 1])
def test_beyond_the_end_there_is_nothing(offset: int) -> None:
    world, puppet = updating()
    want(puppet, offset)
    world.run(0.2)
    assert blocks(puppet) == []
    assert world.host.counters.unasked == 1


def test_a_device_that_asks_for_too_much_at_a_time_gets_two() -> None:
    world, puppet = updating(bulk=8)
    want(puppet, *[0] * 8)
    world.run(0.2)
    assert len(blocks(puppet)) + world.host.counters.unasked == 8
    assert 2 <= len(blocks(puppet)) <= 4


def test_no_blocks_are_sent_to_a_device_in_play() -> None:
    world, puppet = known_pair()
    world.reach()
    want(puppet, 0, 192)
    world.run(0.2)
    assert blocks(puppet) == []
    assert world.host.counters.unasked == 2
