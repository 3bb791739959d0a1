"""The steps of a conversation: each step does something or returns bytes that the host sends."""

from collections.abc import Callable
from typing import Any

from drivers import messages as m
from drivers.link.codec import command_message
from drivers.messages import CommandBody
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import ByeReason, Channel, Flag, Mode, Side, Status
from drivers.sim.link.commands import COMMANDS_OF
from drivers.sim.link.device import BodyVitals

from .conversation import GRID, Conversation
from .updating import transfer, update
from .utterances import CARDS, COMMANDS, CONTROL, EVENTS, IMPOSSIBLE, STRANGE

OF_A_CLASS = frozenset(record for known in COMMANDS_OF.values() for record in known)
HELLOS: tuple[dict[str, Any], ...] = (
    {},
    {},
    {},
    {"major": 2},
    {"minor": 1},
    {"schema": bytes(8)},
    {"seal": 3},
    {"side": Side.DEVICE},
    {"nonce": b"short"},
    {"minor": 1, "schema": b""},
)


def act(talk: Conversation) -> None:
    """One act, and some time."""
    weights = INSIDE if talk.host.in_session else OUTSIDE
    (deed,) = talk.chance.choices(list(weights), list(weights.values()))
    talk.feed(deed(talk) or b"")
    talk.wait()


def greet(talk: Conversation) -> bytes:
    """The whole handshake in order, and what follows it."""
    talk.feed(talk.host.hello())
    talk.feed(talk.host.proof() if talk.host.ready else b"\0")
    newest = talk.twins.memory.newest
    bodies = (m.Resume(talk.chance.randint(1, newest + 1)), m.Arm(newest))[: talk.chance.randint(0, 3)]
    return talk.heartbeat() + b"".join(talk.command(command_message(1, body)) for body in bodies)


def say_hello(talk: Conversation) -> bytes:
    """Step 1 of the handshake, right or wrong."""
    return talk.host.hello(**talk.chance.choice(HELLOS))


def prove(talk: Conversation) -> bytes:
    """Step 3 of the handshake, right or wrong."""
    side, good = talk.chance.choice((Side.HOST, Side.HOST, Side.DEVICE)), talk.chance.random() < 0.5
    return talk.host.proof(good=good, side=side) if talk.host.ready else b""


def give_command(talk: Conversation) -> bytes:
    """Any command, under a key that is next, old, far ahead or impossible."""
    talk.command_key += talk.chance.choice((1, 1, 1, 1, 0, 5))
    key = talk.chance.choice((*[talk.command_key] * 12, 1, 1, 1, talk.chance.choice(IMPOSSIBLE)))
    return talk.command(command_message(key, _body(talk)))


def say_on_control(talk: Conversation) -> bytes:
    """Something on channel 0."""
    frame = talk.chance.choice(CONTROL)(talk.chance, talk.twins.memory.newest)
    return talk.host.say(frame.SerializeToString(), flags=talk.chance.choice((0, 0, Flag.CRITICAL)))


def say_bye(talk: Conversation) -> bytes:
    """The end of the session."""
    bye = common.Bye(reason=talk.chance.choice(list(ByeReason)), text="so long")
    return talk.host.say(tsl.Frame(bye=bye).SerializeToString())


def acknowledge(talk: Conversation) -> bytes:
    """Sends an empty frame or a NAK."""
    flags, credit = talk.chance.choice((0, 0, Flag.NAK)), talk.chance.choice((0, 1, 8, 255))
    return talk.host.say(b"", flags=flags, credit=credit)


def misplace(talk: Conversation) -> bytes:
    """Sends a good message in a wrong frame."""
    header = {
        talk.chance.choice(("sequence", "acknowledgement")): talk.chance.choice((0, 1, 3, 40_000, 65_535))
    }
    payload = command_message(talk.command_key, m.Buzz(3)).SerializeToString()
    return talk.host.say(payload, talk.chance.randrange(7), Flag.CRITICAL, **header)


def mumble(talk: Conversation) -> bytes:
    """Sends an unknown or unreadable payload, or a good one with a changed byte."""
    payload = bytearray.fromhex(talk.chance.choice(STRANGE))
    if talk.chance.random() < 0.6:
        payload = bytearray(command_message(3, _body(talk)).SerializeToString())
        payload[talk.chance.randrange(len(payload))] = talk.chance.randrange(256)
    channel = talk.chance.choice((Channel.COMMANDS, Channel.COMMANDS, Channel.CONTROL, Channel.BULK))
    return talk.host.say(bytes(payload), channel, talk.chance.choice((0, Flag.CRITICAL)))


def replay(talk: Conversation) -> bytes:
    """Sends earlier frames again."""
    history = list(talk.host.history)
    return b"".join(talk.chance.sample(history, min(len(history), talk.chance.randint(1, 4))))


def damage(talk: Conversation) -> bytes:
    """Sends a damaged frame, or bytes that are not a frame."""
    wire = bytearray(replay(talk) or b"\0")
    place, harm = talk.chance.randrange(len(wire)), talk.chance.randrange(4)
    if harm == 0:
        wire[place] ^= 1 << talk.chance.randrange(8)
    elif harm == 1:
        del wire[place:]
    elif harm == 2:
        wire[place:place] = talk.chance.randbytes(talk.chance.randint(1, 300))
    return bytes(wire) + (b"\0" if harm else b"")


def forge(talk: Conversation) -> bytes:
    """Sends one or many bad tags."""
    return b"".join(talk.host.forged(b"\x2a\x00") for _ in range(talk.chance.choice((1, 1, 2, 6))))


def lose(talk: Conversation) -> None:
    """Loses frames of the host; its counter goes on."""
    talk.host.skip_counters(talk.chance.choice((1, 3, 300)))


def repeat(talk: Conversation) -> bytes:
    """Sends everything unacknowledged again."""
    return talk.host.again()


def happen(talk: Conversation) -> None:
    """Something happens at the device, once or often."""
    for _ in range(talk.chance.choice((1, 1, 1, 3, 30))):
        talk.twins.record(talk.chance.choice(EVENTS)(talk.chance), talk.now)


def draw_card(talk: Conversation) -> None:
    talk.twins.card(talk.chance.choice(CARDS), talk.now)


def change_body(talk: Conversation) -> None:
    """Changes the device's condition, the outcome of its commands, or its power."""
    chance = talk.chance
    mode, alive = chance.choice(list(Mode)), chance.random() < 0.9
    talk.twins.becomes(BodyVitals(mode, chance.randint(-9, 60), 3, alive))
    talk.twins.ends(chance.choice((Status.DONE, Status.BUSY, Status.FAILED)), chance.choice(("", "why")))
    if chance.random() < 0.2:
        talk.twins.power_goes_at_next_action()


def cut_power(talk: Conversation) -> None:
    """The power fails and returns at once; a card may have been moving."""
    if talk.chance.random() < 0.3:
        talk.twins.card_begins()
    talk.boot()


def sleep(talk: Conversation) -> None:
    """The device does not run for a while."""
    talk.ticks += talk.chance.choice((GRID, 3 * GRID, 3 * GRID + 16, 5 * GRID + 48))


def _body(talk: Conversation) -> CommandBody:
    """Usually the body of a command that the device knows."""
    memory = talk.twins.memory
    while True:
        body = talk.chance.choice(COMMANDS)(talk.chance, memory.newest, memory.cards)
        if type(body) not in OF_A_CLASS or type(body) in talk.known or talk.chance.random() < 0.1:
            return body


Deed = Callable[[Conversation], bytes | None]
INSIDE: dict[Deed, int] = {
    give_command: 40,
    acknowledge: 12,
    repeat: 12,
    Conversation.heartbeat: 8,
    happen: 8,
    draw_card: 8,
    say_on_control: 6,
    mumble: 6,
    damage: 6,
    replay: 5,
    misplace: 4,
    change_body: 4,
    say_hello: 2,
    prove: 2,
    update: 8,
    transfer: 4,
    forge: 2,
    lose: 2,
    greet: 1,
    say_bye: 1,
    cut_power: 1,
    sleep: 1,
}
"""How many acts happen inside a session, and how many outside."""
OUTSIDE: dict[Deed, int] = {
    greet: 10,
    say_hello: 4,
    prove: 4,
    give_command: 3,
    replay: 3,
    damage: 3,
    happen: 3,
    draw_card: 3,
    say_on_control: 2,
    cut_power: 1,
}
