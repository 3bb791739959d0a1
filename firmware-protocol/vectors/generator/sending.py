"""Vectors of section 4: how much the sender has in flight, what it sends again, and when it gives up."""

from collections.abc import Iterator

from generator.framing import Vector
from generator.messages import Message, as_json
from generator.script import Step, bye, sent
from generator.window import beat, card, command, link, permit, quiet
from generator.wire import CRITICAL, NAK, RETRANSMIT, Frame


def wish(number: int) -> dict[str, object]:
    """The device's program wants event `number` sent."""
    return {"channel": 1, "critical": True, "message": as_json(card(number))}


def out(sequence: int, flags: int = CRITICAL) -> dict[str, object]:
    """The frame with event `sequence` + 1 that must go out."""
    return sent(1, sequence, card(sequence + 1), flags)


def again(sequence: int) -> dict[str, object]:
    """The same, sent again."""
    return out(sequence, CRITICAL | RETRANSMIT)


def filled(count: int, first: Frame) -> "Steps":
    """Events 1 to `count` are wanted, then the peer's first frame comes."""
    wishes = (Step(0.0).does("send", wish(number)) for number in range(1, count + 1))
    return Steps([*wishes, Step(0.001).gets(first)])


class Steps(list[Step]):
    """Steps. Expectations belong to the last one."""

    def sends(self, *expected: dict[str, object]) -> "Steps":
        """Frames that must go out after the peer's first frame."""
        self[-1].sends(*expected)
        return self


def sending() -> Iterator[Vector]:
    """All scripts of the sender."""
    yield from windows()
    yield from crediting()
    yield from wrapping()
    yield from naks()
    yield from timeouts()
    yield from hearts()


def windows() -> Iterator[Vector]:
    """How many frames are in flight."""
    yield link(
        "window-first",
        "Until the peer's first frame one frame is in flight, then min(8, credit).",
        Step(0.0).does("send", wish(1)).sends(out(0)),
        *(Step(0.0).does("send", wish(number)).sends() for number in range(2, 12)),
        Step(0.01).gets(quiet(1)).sends(*map(out, range(1, 9))),
        Step(0.02).gets(quiet(3)).sends(out(9), out(10)),
        Step(0.03),
    )
    yield link(
        "window-opens-unacknowledged",
        "The peer's first frame opens the window if it acknowledges nothing, too.",
        *filled(11, quiet(0)).sends(*map(out, range(1, 8))),
        Step(0.01),
    )
    yield link(
        "window-credit-255",
        "A credit above 8 counts as 8.",
        *filled(11, quiet(1, 255)).sends(*map(out, range(1, 9))),
        Step(0.01),
    )
    yield link(
        "window-bulk",
        "At most two bulk frames are in flight; other channels pass them.",
        Step(0.0).gets(quiet(0)),
        *(Step(0.001).does("send", line(number)) for number in range(3)),
        Step(0.002).does("send", wish(1)).sends(sent(1, 2, card(1), CRITICAL)),
        Step(0.01).gets(quiet(1)).sends(sent(3, 3, log(2))),
        Step(0.02),
    )
    yield link(
        "control-first",
        "Channel 0 goes out before what waits in the window.",
        Step(0.0).does("send", wish(1)).sends(out(0)),
        Step(0.0).does("send", wish(2)).sends(),
        Step(0.01).does("control", {"bye": {"reason": 1}}).sends(bye(1)),
        Step(0.02),
    )


def wrapping() -> Iterator[Vector]:
    """The sender's side of the wrap."""
    yield link(
        "sequence-wrap-sent",
        "The sender too goes from 65,535 to 0, and resends across it in order.",
        Step(0.0).with_("acknowledged", {"count": 65_535, "channel": 1, "message": as_json(card(1))}),
        Step(0.1).does("send", wish(65_536)).sends(out(65_535)),
        Step(0.1).does("send", wish(1)).sends(out(0)),
        Step(0.12).gets(quiet(65_535, flags=NAK)).sends(again(65_535), again(0)),
        Step(0.13).gets(quiet(0)).does("send", wish(2)).sends(out(1)),
        Step(0.14).gets(quiet(2)).sends(),
        Step(0.6),
    )


def crediting() -> Iterator[Vector]:
    """What the peer has room for."""
    yield link(
        "credit-3",
        "Credit 3: three frames from the acknowledged one on.",
        *filled(9, quiet(1, 3)).sends(*map(out, range(1, 4))),
        Step(0.01).gets(quiet(2, 3)).sends(out(4)),
        Step(0.02).gets(quiet(5, 1)).sends(out(5)),
        Step(0.03),
    )
    yield link(
        "credit-0-rises",
        "Credit 0 stops the sender; it goes on when the credit rises, on whatever frame.",
        *filled(9, quiet(1, 2)).sends(out(1), out(2)),
        Step(0.01).gets(quiet(3, 0)).sends(),
        Step(0.5).gets(beat(3, 0)).sends(),
        Step(1.0).gets(beat(3, 4)).sends(*map(out, range(3, 7))),
        Step(1.01),
    )
    yield link(
        "credit-on-data",
        "Acknowledgement and credit count on a frame that carries a message too.",
        *filled(4, command(0, 1, 2)).sends(out(1), out(2)),
        Step(0.01),
    )
    yield link(
        "credit-on-duplicate",
        "They count even if the frame itself is dropped as a repeat.",
        *filled(4, command(0, 1, 1)).sends(out(1)),
        Step(0.02).gets(command(0, 2, 1, CRITICAL | RETRANSMIT)).delivers().sends(out(2)),
        Step(0.03),
    )


def naks() -> Iterator[Vector]:
    """What is sent again when the peer asks."""
    yield link(
        "nak-resends-all",
        "A NAK resends what is not acknowledged, in order, as RETRANSMIT; CRITICAL stays.",
        *filled(5, quiet(1)).sends(*map(out, range(1, 5))),
        Step(0.01).gets(quiet(3, flags=NAK)).sends(again(3), again(4)),
        Step(0.015),
    )
    yield link(
        "nak-then-new",
        "New frames follow the repeated ones.",
        *filled(10, quiet(0)).sends(*map(out, range(1, 8))),
        Step(0.01).gets(quiet(7, flags=NAK)).sends(again(7), out(8), out(9)),
        Step(0.015),
    )
    yield link(
        "nak-soon-again",
        "A NAK less than 25 ms after a resend is not heeded.",
        *filled(3, quiet(0)).sends(out(1), out(2)),
        Step(0.01).gets(quiet(0, flags=NAK)).sends(*map(again, range(3))),
        Step(0.02).gets(quiet(0, flags=NAK), quiet(0, flags=NAK)).sends(),
        Step(0.034).gets(quiet(0, flags=NAK)).sends(),
        Step(0.036).gets(quiet(0, flags=NAK)).sends(*map(again, range(3))),
        Step(0.04),
    )
    yield link(
        "nak-after-progress",
        "A NAK that acknowledges something new is heeded at once; the next one without progress is not.",
        *filled(4, quiet(0)).sends(out(1), out(2), out(3)),
        Step(0.01).gets(quiet(0, flags=NAK)).sends(*map(again, range(4))),
        Step(0.015).gets(quiet(2, flags=NAK)).sends(again(2), again(3)),
        Step(0.02).gets(quiet(2, flags=NAK)).sends(),
        Step(0.025).gets(quiet(3)).sends(),
        Step(0.03).gets(quiet(3, flags=NAK)).sends(again(3)),
        Step(0.035),
    )
    yield link(
        "nak-nine-in-vain",
        "Resends by NAK count: after nine sends the next NAK ends the session, 200 ms later at the earliest.",
        Step(0.0).does("send", wish(1)).sends(out(0)),
        *(Step(0.01 + 0.026 * n).gets(quiet(0, flags=NAK)).sends(again(0)) for n in range(8)),
        Step(0.01 + 0.026 * 8).gets(quiet(0, flags=NAK)).ends("link").sends(bye(2)),
        Step(0.3),
    )
    yield link(
        "nak-elsewhere",
        "The NAK flag on a frame with a payload asks for nothing; the frame is taken.",
        *filled(3, quiet(0)).sends(out(1), out(2)),
        Step(0.01).gets(command(0, flags=CRITICAL | NAK)).delivers(permit(1)).sends(),
        Step(0.02).gets(beat(0).flagged(NAK), command(1)).delivers(permit(2)).sends(),
        Step(0.03),
    )
    yield link(
        "nak-nothing-in-flight",
        "A NAK for a frame that was never sent resends nothing.",
        *filled(1, quiet(1)).sends(),
        Step(0.01).gets(quiet(1, flags=NAK)).sends(),
        Step(0.1),
    )
    yield link(
        "nak-ahead",
        "A NAK beyond what was sent fails the check of its acknowledgement.",
        *filled(1, quiet(0)).sends(),
        Step(0.01).gets(quiet(2, flags=NAK)).sends(),
        Step(0.1),
    )


def timeouts() -> Iterator[Vector]:
    """What is sent again without an answer. Line time at 115200 baud, below 50 ms, comes on top."""
    yield link(
        "timeout-first",
        "Unanswered, the first repeat comes after 200 ms, the next 400 ms later.",
        Step(0.0).does("send", wish(1)).sends(out(0)),
        Step(0.001).sends(),
        Step(0.199).sends(again(0)),
        Step(0.3).sends(),
        Step(0.6).sends(again(0)),
        Step(0.72),
    )
    yield link(
        "timeout-all",
        "A time-out repeats all frames in flight.",
        *filled(3, quiet(0)).sends(out(1), out(2)),
        Step(0.1).sends(again(0), again(1), again(2)),
        Step(0.35),
    )
    yield link(
        "timeout-restarts",
        "Progress restarts the clock for what is left.",
        *filled(3, quiet(0)).sends(out(1), out(2)),
        Step(0.15).gets(quiet(1)).sends(),
        Step(0.3).sends(again(1), again(2)),
        Step(0.75),
    )
    yield from patience()


def patience() -> Iterator[Vector]:
    """How short the time-out becomes, and when the sender gives up."""
    yield link(
        "timeout-least",
        "After quick round trips the time-out is 25 ms plus line time.",
        *(step for n in range(6) for step in quick(n)),
        Step(0.1).does("send", wish(7)).sends(out(6)),
        Step(0.102).sends(),
        Step(0.124).sends(again(6)),
        Step(0.16),
    )
    yield link(
        "nine-in-vain",
        "A frame that was sent nine times in vain ends the session with Bye(LINK).",
        Step(0.0).does("send", wish(1)).sends(out(0), *[again(0)] * 4),
        Step(1.6).gets(beat(0)).sends(*[again(0)] * 4),
        Step(3.3).ends("link").sends(bye(2)),
        Step(4.5),
    )


def quick(n: int) -> tuple[Step, Step]:
    """Event n + 1 goes out and is acknowledged after 1 ms."""
    sends = Step(n / 100).does("send", wish(n + 1)).sends(out(n))
    return sends, Step(n / 100 + 0.001).gets(quiet(n + 1)).sends()


def hearts() -> Iterator[Vector]:
    """What ends a session by itself."""
    others = (Step(n / 2).gets(command(n)) for n in range(6))
    yield link(
        "heartbeat-lost",
        "Three seconds without a heartbeat end the session, whatever else comes.",
        *others,
        Step(2.9).ends("heartbeat"),
        Step(3.1),
    )
    yield link(
        "heartbeat-keeps",
        "Each heartbeat gives three more seconds.",
        *(Step(n * 2.9).gets(beat(0)) for n in range(4)),
        Step(9.0).gets(command(0)).delivers(permit(1)),
        Step(9.1),
    )
    yield link(
        "own-sleep",
        "Who did not run for 3 s ends the session before it reads what waited.",
        Step(0.0).gets(beat(0)),
        Step(3.5).with_("slept", True).gets(beat(0), command(0)).delivers().ends("slept"),
        Step(3.6),
    )


def log(number: int) -> Message:
    """A line of bulk text."""
    return {"log": {"uptime_us": number, "level": 1, "text": "x"}}


def line(number: int) -> dict[str, object]:
    """The device's program wants that line sent."""
    return {"channel": 3, "critical": False, "message": as_json(log(number))}
