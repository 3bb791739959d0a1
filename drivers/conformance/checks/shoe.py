"""The shoe: permits, and the count of cards. Sections 9.4 and 11."""

from drivers import messages as m
from drivers.conformance.check import Check
from drivers.conformance.manual_steps import perform, reboot
from drivers.conformance.matchers import is_event
from drivers.conformance.operator import OperatorAction
from drivers.conformance.outcome import CheckFailed, NotRun
from drivers.conformance.probe import Probe
from drivers.conformance.trace import TraceEntry
from drivers.link.strict import CARDS
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import DeviceClass, Mode, Status

SHOE = frozenset({DeviceClass.SHOE})
DRAW = OperatorAction("Draw one card", {"do": "pull"})
TRY = OperatorAction("Try to draw one card", {"do": "pull"})
FORCE = OperatorAction("Pull one card out of the locked shoe by force", {"do": "pull", "force": True})
AHEAD = 64
CARD = 3.0
"""Seconds that a card may take to leave."""


async def _armed(p: Probe) -> common.Hello:
    """Armed, with no card in motion."""
    until = p.wire.now() + 2 * CARD
    while p.wire.now() < until:
        hello = await p.armed()
        beat = await p.heartbeat()
        if beat.mode != Mode.BUSY and beat.cards == hello.cards:
            return hello
    raise NotRun("a card has been on its way out for some seconds")


async def _range(p: Probe) -> None:
    hello = await _armed(p)
    await p.order(m.Permit(hello.cards + AHEAD + 1), Status.RANGE)
    await p.order(m.Permit(hello.cards + AHEAD))
    await p.order(m.Permit(hello.cards))
    await p.order(m.Permit(0))
    await p.order(m.Lock())
    await p.order(m.Disarm())


async def _card(p: Probe, kinds: tuple[str, ...], count: int) -> None:
    """The next event about a card is one of these, with this count."""
    entry = await p.expect_frame(f"{kinds[0]}(count {count})", _about_a_card, CARD)
    body = entry.message.WhichOneof("body") if isinstance(entry.message, tsl.Event) else None
    event = getattr(entry.message, body or "", None)
    if body not in kinds or getattr(event, "count", 0) != count:
        raise CheckFailed(f"{kinds[0]}(count {count}): the count of cards after this one")
    if body in ("card_drawn", "card_unpermitted") and getattr(event, "card", "") not in CARDS:
        raise CheckFailed("a card of two letters, rank then suit")


def _about_a_card(entry: TraceEntry) -> bool:
    named = isinstance(entry.message, tsl.Event) and (entry.message.WhichOneof("body") or "").startswith(
        "card_"
    )
    return is_event(entry) and named


async def _counts(p: Probe) -> None:
    hello = await _armed(p)
    await p.order(m.Permit(hello.cards + 2))
    for ahead in (1, 2):
        await perform(p, DRAW)
        await _card(p, ("card_drawn", "card_unreadable"), hello.cards + ahead)
    await _locked(p, "the count of cards has reached up_to")
    beat = await p.heartbeat()
    if beat.cards != hello.cards + 2:
        raise CheckFailed(f"cards {hello.cards + 2} in a Heartbeat after two cards; it is {beat.cards}")


async def _locked(p: Probe, why: str) -> None:
    if await p.perform(TRY):
        raise CheckFailed(f"a shoe that is locked: {why}")


async def _lock(p: Probe) -> None:
    hello = await _armed(p)
    await _locked(p, "nothing was permitted in this session")
    for lock in (m.Lock(), m.Permit(hello.cards), m.Disarm()):
        await p.order(m.Permit(hello.cards + 5))
        await p.order(lock)
        await _locked(p, f"after {type(lock).__name__}")


async def _ends(p: Probe) -> None:
    hello = await _armed(p)
    await p.order(m.Permit(hello.cards + 5))
    p.bye()
    await p.wait(0.3)
    await _locked(p, "the session has ended, and the permit with it")
    await _armed(p)
    await _locked(p, "a permit of an older session is not valid")


async def _unpermitted(p: Probe) -> None:
    hello = await _armed(p)
    await p.order(m.Lock())
    await perform(p, FORCE)
    await _card(p, ("card_unpermitted", "card_unreadable"), hello.cards + 1)
    again = await p.open()
    if again.cards != hello.cards + 1:
        raise CheckFailed(f"cards {hello.cards + 1} in the Hello: a card without a permit is counted")


async def _reboot(p: Probe) -> None:
    hello = await _armed(p)
    await p.order(m.Permit(hello.cards + 1))
    await perform(p, DRAW)
    await _card(p, ("card_drawn", "card_unreadable"), hello.cards + 1)
    again = await reboot(p)
    if again.cards != hello.cards + 1:
        raise CheckFailed(f"cards {hello.cards + 1} in the Hello after a reboot; it is {again.cards}")


async def _interrupted(p: Probe) -> None:
    hello = await _armed(p)
    await p.order(m.Permit(hello.cards + 1))
    await perform(
        p,
        OperatorAction(
            "Draw a card and cut the power while it moves (the next step asks for the power)", DRAW.request
        ),
    )
    again = await reboot(p)
    found = await p.events(hello.newest + 1, again.newest)
    bodies = [entry.message.WhichOneof("body") for entry in found if isinstance(entry.message, tsl.Event)]
    if "card_drawn" in bodies or "card_unreadable" in bodies:
        raise NotRun("the card was out before the power went")
    if "card_interrupted" not in bodies or again.cards != hello.cards + 1:
        raise CheckFailed(
            f"CardInterrupted(count {hello.cards + 1}) and cards {hello.cards + 1} after a reboot"
        )


CHECKS = (
    Check(
        "shoe.permit-range",
        "9.4",
        "A permit reaches at most 64 cards above the count.",
        "the comparison of up_to with the count + 64; lower ones lock",
        _range,
        classes=SHOE,
    ),
    Check(
        "shoe.permit",
        "9.4",
        "Cards leave until the count is up_to, and each event carries the count.",
        "up_to is compared with the count of cards of this log, not counted down",
        _counts,
        classes=SHOE,
    ),
    Check(
        "shoe.lock",
        "9.4",
        "Lock, a permit that is not above the count, and Disarm lock the shoe.",
        "what takes a permit back",
        _lock,
        classes=SHOE,
    ),
    Check(
        "shoe.permit-ends",
        "6.2",
        "A permit ends with its session.",
        "what is reset at the end of a session",
        _ends,
        classes=SHOE,
    ),
    Check(
        "shoe.unpermitted",
        "9.4",
        "A card without a permit is reported as CardUnpermitted, and counted.",
        "the sensor at the exit: it must count whether or not the shoe is locked",
        _unpermitted,
        classes=SHOE,
    ),
    Check(
        "shoe.count-reboot",
        "9.4",
        "The count of cards outlives a reboot.",
        "the count of cards and the event of a card go to non-volatile memory in one step",
        _reboot,
        classes=SHOE,
    ),
    Check(
        "shoe.interrupted",
        "9.4",
        "A card that moved when the power went becomes CardInterrupted.",
        "the note that is written before a card moves, and what is made of it at boot",
        _interrupted,
        classes=SHOE,
    ),
)
"""In the order in which they run."""
