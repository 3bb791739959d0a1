"""What a hostile host does with updates."""

from dataclasses import replace

from drivers import messages as m
from drivers.link.codec import command_message
from drivers.link.limits import BLOCK
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Channel, DeviceClass
from drivers.update.image import sign
from drivers.update.maker_key import sign_maker_key
from drivers.update.signing import public_key

from .conversation import Conversation

IMAGES = (bytes(range(1, 201)) * 2, b"x" * BLOCK, b"short")


def update(talk: Conversation) -> bytes:
    """One of the three actions, or blocks that were asked for."""
    deed = talk.chance.choices((_begin, _blocks, _apply, _confirm, _replace_maker), (3, 8, 2, 2, 1))[0]
    return deed(talk)


def transfer(talk: Conversation) -> bytes:
    """Every right step up to the restart, as far as nothing comes between; in a trial the confirm."""
    if talk.twins.slots and talk.twins.slots.state == "trial":
        return _confirm(talk)
    talk.feed(talk.command(command_message(talk.command_key, m.Disarm())))
    talk.image = talk.chance.choice(IMAGES)
    begin = sign(talk.image, talk.device_class, "sim", talk.chance.choice((6, 7)), talk.maker).begin
    talk.feed(_action(talk, begin) + talk.host.say(b""))
    for _ in range(talk.chance.choice((1, 4, 4, 4))):
        talk.feed(_blocks(talk) + talk.host.say(b""))
    talk.feed(_apply(talk))
    return talk.host.say(b"")


def _begin(talk: Conversation) -> bytes:
    """Right, or wrong in one field."""
    talk.image = talk.chance.choice(IMAGES)
    device_class = talk.device_class if talk.chance.random() < 0.9 else DeviceClass.CONSOLE
    begin = sign(talk.image, device_class, "sim", talk.chance.choice((4, 5, 6, 7)), talk.maker).begin
    wrong = (
        replace(begin, size=0),
        replace(begin, size=1 << 25),
        replace(begin, sha256=b""),
        replace(begin, signature=b""),
        replace(begin, signature=begin.signature[::-1]),
    )
    return _action(talk, talk.chance.choice(wrong) if talk.chance.random() < 0.3 else begin)


def _apply(talk: Conversation) -> bytes:
    return _action(talk, m.UpdateApply())


def _confirm(talk: Conversation) -> bytes:
    return _action(talk, m.UpdateConfirm())


def _replace_maker(talk: Conversation) -> bytes:
    """The next key of the maker, usually signed by the root key."""
    fresh, generation = talk.chance.randbytes(32), talk.chance.choice((1, 2, 3, 4, 2**32 - 1))
    root = talk.root if talk.chance.random() < 0.7 else talk.maker
    record = sign_maker_key(public_key(fresh), talk.device_class, "sim", generation, root).action
    if talk.chance.random() < 0.3:
        record = replace(record, signature=record.signature[::-1])
    elif talk.chance.random() < 0.8:
        talk.maker = fresh
    return _action(talk, record)


def _blocks(talk: Conversation) -> bytes:
    """Usually in order, and usually of the announced image."""
    said = b""
    while talk.host.wanted:
        offset = talk.host.wanted.popleft() + talk.chance.choice((0, 0, 0, 0, 0, 0, 0, 1, BLOCK))
        data = talk.image[offset : offset + BLOCK - (talk.chance.random() < 0.05)]
        if talk.chance.random() < 0.05:
            data = data[::-1]
        block = common.Block(offset=offset, data=data)
        said += talk.host.say(tsl.Frame(block=block).SerializeToString(), Channel.BULK)
    return said


def _action(
    talk: Conversation, action: m.UpdateBegin | m.UpdateApply | m.UpdateConfirm | m.MakerKey
) -> bytes:
    talk.command_key += 1
    return talk.command(command_message(talk.command_key, action))
