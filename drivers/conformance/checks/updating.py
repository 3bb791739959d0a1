"""What a device refuses of a firmware update, without any image. Section 12."""

from drivers import messages as m
from drivers.conformance.check import TRIES, Check
from drivers.conformance.matchers import acknowledges, says
from drivers.conformance.outcome import CheckFailed, NotRun
from drivers.conformance.probe import Probe
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Channel, Status

HASH = bytes(range(32))
SIGNATURE = bytes(range(64))
VERSION = 4_000_000_000
"""Above any counter and any generation, so that only the signature is wrong."""
SIZE = 4096


async def _refused(p: Probe, body: m.CommandBody, status: Status) -> int:
    """It is refused in this way, unless the device cannot be updated at all. Returns its key."""
    key = p.key()
    result = await p.order(body, None, key=key)
    if result.status == Status.UNSUPPORTED:
        if p.subject.profile is not None and p.subject.profile.update:
            raise CheckFailed("another status than UNSUPPORTED: the profile declares updates")
        raise NotRun("the device answers UNSUPPORTED: it cannot be updated")
    if result.status != status:
        raise CheckFailed(
            f"a Result for key {key} with status {status:d} {status.name}; it is {result.status}"
        )
    return key


async def _armed(p: Probe) -> None:
    await p.armed()
    await _refused(p, m.UpdateBegin(VERSION, SIZE, HASH, SIGNATURE), Status.REFUSED)
    await _refused(p, m.UpdateApply(), Status.REFUSED)
    await _refused(p, m.UpdateConfirm(), Status.REFUSED)
    await _refused(p, m.MakerKey(VERSION, HASH, SIGNATURE), Status.REFUSED)
    await p.order(m.Disarm())


async def _range(p: Probe) -> None:
    await _on_the_good_slot(p)
    for body in (
        m.UpdateBegin(VERSION, 0, HASH, SIGNATURE),
        m.UpdateBegin(VERSION, SIZE, b"", SIGNATURE),
        m.UpdateBegin(VERSION, SIZE, HASH, b""),
    ):
        await _refused(p, body, Status.RANGE)


async def _signature(p: Probe) -> None:
    await _on_the_good_slot(p)
    key = await _refused(p, m.UpdateBegin(VERSION, SIZE, HASH, SIGNATURE), Status.REFUSED)
    await p.never("BlockWanted after an update was refused", says("block_wanted"), 0.3, fresh=False)
    await p.order(m.Recall(key), Status.REFUSED)


async def _confirm(p: Probe) -> None:
    await _on_the_good_slot(p)
    await _refused(p, m.UpdateConfirm(), Status.REFUSED)


async def _block(p: Probe) -> None:
    await _on_the_good_slot(p)
    block = tsl.Frame(block=common.Block(offset=0, data=bytes(192))).SerializeToString()
    p.launch(block, Channel.BULK, 0, "a Block that was not asked for")
    await p.expect_frame("an acknowledgement of 1", acknowledges(1), 0.1)
    await p.alive()


async def _on_the_good_slot(p: Probe) -> None:
    if (await p.open()).test_slot:
        raise NotRun("firmware on trial runs: confirm it or let it revert first")


CHECKS = (
    Check(
        "update.armed",
        "12.2",
        "An armed device refuses all four actions of an update.",
        "the first line of the table in 12.2",
        _armed,
    ),
    Check(
        "update.range",
        "12.2",
        "Size 0, and an absent hash or signature, are answered with RANGE.",
        "what is checked of the numbers before the signature is",
        _range,
    ),
    Check(
        "update.signature",
        "12.2",
        "Without its maker's signature nothing is begun; the refusal is kept.",
        "the check of the signature: before anything of the spare slot is erased",
        _signature,
    ),
    Check(
        "update.confirm",
        "12.2",
        "Where no firmware is on trial, UpdateConfirm is refused.",
        "what raises the version counter: a confirm in the trial, and nothing else",
        _confirm,
    ),
    Check(
        "update.block",
        "12.1",
        "A Block that was not asked for is acknowledged and dropped.",
        "what a Block needs: an UpdateBegin of this session, and its offset asked for",
        _block,
        tries=TRIES,
    ),
)
"""In the order in which they run."""
