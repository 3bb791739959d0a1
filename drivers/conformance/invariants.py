"""Invariants: rules that every frame of the device must keep, whatever the check. They are checked over
the whole run."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from drivers.conformance.outcome import CheckOutcome, TraceLine
from drivers.conformance.probe_link import ProbeLink as ProbeLine
from drivers.conformance.profile import DeviceProfile
from drivers.conformance.trace import TraceEntry, frame_words
from drivers.link.codec import Unreadable, event_body
from drivers.link.frames import SEQUENCES, Noise, WireFrame
from drivers.link.intake import COUNTS
from drivers.link.limits import HIGHEST
from drivers.link.ranges import out_of_range
from drivers.link.routes import ROUTES, is_handshake
from drivers.link.session import WINDOWED
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Channel, Flag, Side, TamperCause

CRITICAL_EVENTS = frozenset(
    {"card_drawn", "card_unreadable", "card_unpermitted", "card_interrupted", "cut_card", "tamper"}
)
EXPECTED = ("log", "samples")
"""Features whose messages must come in a run if they are declared. Doors and the case have checks of their
own, with a hand."""
MOST_SHOWN = 10
"""Violations of one rule to report."""
Violation = tuple[TraceEntry, str]


@dataclass(frozen=True, slots=True)
class Invariant:
    """Like a Check, but for all frames: `violations` in the frames that came in one check."""

    name: str
    section: str
    shows: str
    look_for: str
    violations: Callable[[list[TraceEntry]], Iterator[Violation]]
    sealed: bool = False
    profiled: bool = False
    """Whether it is a rule about features, and needs a profile."""


@dataclass(slots=True)
class InvariantChecker:
    _profile: DeviceProfile | None = None
    _features: set[str] = field(default_factory=set)
    """The features of FEATURES that were seen."""
    _found: dict[str, list[tuple[TraceLine, str]]] = field(default_factory=dict)
    _frames_seen: int = 0

    def watch(self, line: ProbeLine, check: str) -> None:
        """Looks at everything that came in the check that has just run."""
        came = [entry for entry in line.trace.entries if not entry.ours]
        self._frames_seen += len(came)
        began = line.trace.entries[0].at if line.trace.entries else 0.0
        for entry in came:
            self._note_feature(entry, began, check)
        for rule in RULES:
            for entry, why in rule.violations(came):
                self._found.setdefault(rule.name, []).append((entry.trace_line(began), f"{why} (in {check})"))
        if line.single_zeros and came:
            alone = (came[-1].trace_line(began), f"a zero before and one after each frame (in {check})")
            self._found.setdefault("always.frames", []).append(alone)
        line.trace.clear()

    def outcomes(self, *, sealed: bool) -> Iterator[CheckOutcome]:
        """One for each invariant."""
        for rule in RULES:
            if (rule.sealed and not sealed) or (rule.profiled and self._profile is None):
                continue
            yield self._features_outcome(rule) if rule.profiled else self._outcome(rule)

    def _note_feature(self, entry: TraceEntry, began: float, check: str) -> None:
        feature = _feature_of(entry)
        self._features |= {feature} - {""}
        if feature and self._profile is not None and not getattr(self._profile, feature):
            why = f"no message of the feature {feature}, which the profile does not declare (in {check})"
            self._found.setdefault("always.features", []).append((entry.trace_line(began), why))

    def _features_outcome(self, rule: Invariant) -> CheckOutcome:
        outcome = self._outcome(rule)
        missing = [
            name for name in EXPECTED if getattr(self._profile, name, False) and name not in self._features
        ]
        if outcome.verdict != "pass" or not missing:
            return outcome
        why = f"at least one message of each declared feature; none came of {', '.join(missing)}"
        return replace(outcome, verdict="fail", why=why, look_for=rule.look_for)

    def _outcome(self, rule: Invariant) -> CheckOutcome:
        found = self._found.get(rule.name, [])
        if not self._frames_seen:
            return CheckOutcome(
                rule.name, rule.section, rule.shows, "not run", why="nothing came from the device"
            )
        if not found:
            return CheckOutcome(rule.name, rule.section, rule.shows, "pass")
        came = tuple(line for line, _ in found[:MOST_SHOWN])
        why = f"{found[0][1]}; {len(found)} times in this run"
        return CheckOutcome(
            rule.name, rule.section, rule.shows, "fail", 0.0, why, rule.look_for, (), came, came
        )


def _feature_of(entry: TraceEntry) -> str:
    """The feature that a message belongs to; empty if it belongs to none."""
    if isinstance(entry.message, tsl.Event):
        body = entry.message.WhichOneof("body")
        return "doors" if body == "door" else "case" if _is_case(entry.message) else ""
    return {"log": "log", "sample": "samples"}.get(entry.name, "")


def _is_case(event: tsl.Event) -> bool:
    return event.WhichOneof("body") == "tamper" and event.tamper.what == TamperCause.CASE


def _nothing(_came: list[TraceEntry]) -> Iterator[Violation]:
    """The checker itself compares with the profile."""
    yield from ()


def _noise(came: list[TraceEntry]) -> Iterator[Violation]:
    for entry in came:
        if isinstance(entry.item, Noise):
            yield entry, f"frames only, no other bytes: {entry.item.reason}"


def _headers(came: list[TraceEntry]) -> Iterator[Violation]:
    for entry in came:
        if isinstance(entry.item, WireFrame):
            yield from ((entry, why) for why in _header_faults(entry.item))


def _header_faults(frame: WireFrame) -> Iterator[str]:
    if frame.channel not in list(Channel):
        yield "a channel from 0 to 4"
    if frame.sequence and frame.channel not in WINDOWED:
        yield "sequence 0 on channels 0 and 4"
    if frame.flags & Flag.RETRANSMIT and frame.channel not in WINDOWED:
        yield "RETRANSMIT on channels 1 to 3 only"
    if frame.flags & Flag.NAK and frame.channel != Channel.CONTROL:
        yield "NAK on channel 0 only"
    if is_handshake(frame) and (frame.acknowledgement or frame.credit or frame.flags):
        yield "acknowledgement, credit and flags 0 in a message of the handshake"


def _critical(came: list[TraceEntry]) -> Iterator[Violation]:
    for entry in came:
        if entry.clear is None:
            continue
        wanted = isinstance(entry.message, tsl.Event) and entry.message.WhichOneof("body") in CRITICAL_EVENTS
        if bool(entry.clear.flags & Flag.CRITICAL) != wanted:
            yield entry, "CRITICAL set" if wanted else "CRITICAL on card events, CutCard and Tamper only"


def _messages(came: list[TraceEntry]) -> Iterator[Violation]:
    for entry in came:
        if entry.clear is None or not entry.session:
            continue
        if entry.payload and not entry.name:
            yield entry, f"a message of section 14; {entry.note}"
        elif entry.payload and not _route(entry, entry.clear):
            yield entry, "a message that devices say, on its own channel"
        elif not entry.payload and entry.clear.channel != Channel.CONTROL:
            yield entry, "empty frames on channel 0 only"


def _route(entry: TraceEntry, frame: WireFrame) -> bool:
    channel, sides = ROUTES.get(entry.name, (-1, frozenset()))
    return channel == frame.channel and Side.DEVICE in sides


def _repeats(came: list[TraceEntry]) -> Iterator[Violation]:
    payloads: dict[tuple[int, int], bytes] = {}
    for entry in came:
        frame = entry.clear
        if frame is None or not entry.session or frame.channel not in WINDOWED:
            continue
        before = payloads.get((entry.session, frame.sequence))
        if before is not None and not frame.flags & Flag.RETRANSMIT:
            yield entry, f"RETRANSMIT when sequence {frame.sequence} is sent again"
        if before is not None and before != frame.payload:
            yield entry, f"the same message when sequence {frame.sequence} is sent again"
        payloads[entry.session, frame.sequence] = frame.payload


def _promises(came: list[TraceEntry]) -> Iterator[Violation]:
    promised: dict[int, int] = {}
    for entry in came:
        frame = entry.clear
        if frame is None or not entry.session:
            continue
        now = frame.acknowledgement + frame.credit
        before = promised.get(entry.session, now)
        if 0 < (before - now) % SEQUENCES < SEQUENCES // 2:
            yield entry, f"acknowledgement + credit not below {before}, as it was said before"
        promised[entry.session] = now


def _counts(came: list[TraceEntry]) -> Iterator[Violation]:
    last_beats: dict[int, common.Heartbeat] = {}
    for entry in came:
        beat = entry.message
        if not (entry.session and isinstance(beat, common.Heartbeat)):
            continue
        before = last_beats.get(entry.session, beat)
        for name in COUNTS:
            if getattr(beat, name) < getattr(before, name):
                yield entry, f"{name} not below {getattr(before, name)}, as the Heartbeat before it had it"
        if not beat.committed <= beat.newest <= HIGHEST:
            yield entry, f"committed {beat.committed} not above newest {beat.newest}, and both at most 2^52"
        if beat.cards >= beat.newest:
            yield entry, f"cards below newest {beat.newest}, as each card is an event; they are {beat.cards}"
        last_beats[entry.session] = beat


def _ranges(came: list[TraceEntry]) -> Iterator[Violation]:
    for entry in came:
        if not isinstance(entry.message, tsl.Event):
            continue
        body = event_body(entry.message)
        if not isinstance(body, Unreadable) and (fault := out_of_range(body)):
            yield entry, f"fields of {type(body).__name__} in their ranges; {fault}"


def _clear(came: list[TraceEntry]) -> Iterator[Violation]:
    for entry in came:
        if entry.session and entry.clear is None:
            yield entry, f"sealed under the session's key; {entry.note}: {frame_words(entry.frame)}"


RULES = (
    Invariant(
        "always.frames",
        "3",
        "All that the device sends are frames, each between two zeros of its own.",
        "the sender: one writer, COBS, CRC-32C, a zero before and one after each frame",
        _noise,
    ),
    Invariant(
        "always.headers",
        "3",
        "Flags, channel and sequence of its frames are as section 3 has them.",
        "how the header is filled for each channel",
        _headers,
    ),
    Invariant(
        "always.critical",
        "5",
        "CRITICAL stands on card events, CutCard and Tamper, and on nothing else.",
        "who sets CRITICAL, retransmissions included",
        _critical,
    ),
    Invariant(
        "always.messages",
        "5",
        "Its messages can be read and are a device's to say, on their channels.",
        "sizes of fields in section 14, and the table of channels in section 3",
        _messages,
    ),
    Invariant(
        "always.repeats",
        "4",
        "What it sends again is the same, and says RETRANSMIT.",
        "the queue of frames in flight: the payload is kept as it was first sent",
        _repeats,
    ),
    Invariant(
        "always.promises",
        "4",
        "Acknowledgement + credit never goes back.",
        "how the credit is computed; what was promised stays promised",
        _promises,
    ),
    Invariant(
        "always.counts",
        "8.1",
        "Counts in its heartbeats never go back in a session, and fit together.",
        "where committed, newest and cards of a Heartbeat come from: non-volatile memory, nothing else",
        _counts,
    ),
    Invariant(
        "always.ranges",
        "13",
        "Each field of its events is in its range.",
        "the tables of section 13: seats count from 1, codes and percentages are bounded",
        _ranges,
    ),
    Invariant(
        "always.features",
        "20",
        "Log, Sample, Door and Tamper of the case come only if declared; declared Log and Sample do come.",
        "the profile, and which parts of section 13.1 the firmware has",
        _nothing,
        profiled=True,
    ),
    Invariant(
        "always.sealed",
        "7",
        "Each frame of a session is sealed under its key and a fresh counter.",
        "every place that writes a frame: acknowledgements, NAKs and heartbeats are sealed too",
        _clear,
        sealed=True,
    ),
)
"""In the order of the report."""
