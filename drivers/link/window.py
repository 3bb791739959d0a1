"""Reliable delivery on channels 1 to 3: what a side sends until it is acknowledged, and what it accepts.

Both halves form a go-back-n window (section 4 of firmware-protocol/README.md). A `Sender` numbers messages
modulo 65,536 and keeps up to eight of them in flight. After a NAK or a time-out it sends all of them again,
in order. A `Receiver` accepts only the frame with the expected number. Each session has a new pair, which
starts at 0.

Invariants: the peer accepts every message once and in order; the numbers of the frames in flight are
consecutive and end just below `_next`.

What each rule is for:

- The receiver drops what is out of order. It therefore needs no buffer, and a small device can implement
  it.
- Acknowledgement plus credit never decreases. If the owner lowers its offer, room that was promised stays
  promised. Otherwise the peer could have a frame in flight for which there is no room any more, and would
  send it until it gives up.
- Every frame repeats acknowledgement and credit, and a credit that rises from 0 is announced at once. If
  credit were announced only once and that frame were lost, both sides would wait for ever.
- A receiver sends one NAK per missing frame. Without that rule each frame of a burst asks for the same
  retransmission again.
- A NAK soon after a resend is not heeded unless a frame was acknowledged since. Otherwise a peer that sends
  NAKs in a burst uses up the nine sends of a frame in a moment and ends the session. After progress the NAK
  is for another frame. Without that exception a busy line waits for the time-out when two frames are lost
  soon after each other.
- The time-out includes the line time of everything outstanding. Eight full frames take 170 ms at 115,200
  baud; without the line time a full window is sent again while its first copy is still on the line.
- Only frames that were sent once give a sample of the round trip (Karn): an acknowledgement does not say
  which copy it answers.
- Two bulk frames are in flight at most and only when nothing else waits, so a firmware update delays no
  result.
- The credit is 1 until the peer's first frame, because nobody knows yet whether the peer has the session.
- A frame that was sent nine times in vain fails the sender, and the endpoint ends the session.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

from drivers.link.counters import Counters
from drivers.link.frames import LINE_OVERHEAD, LONGEST_PAYLOAD, SEQUENCES
from drivers.link.limits import Timing
from drivers.protocol.codes import Channel, Flag


class RoundTripTimer:
    """The time-out of a sender: smoothed round trip and deviation as in RFC 6298."""

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._mean: float | None = None
        self._deviation = 0.0
        self._doubled = 1

    def sample(self, seconds: float) -> None:
        """Takes the round trip of a frame that was sent once."""
        if self._mean is None:
            self._mean, self._deviation = seconds, seconds / 2
            return
        self._deviation += (abs(seconds - self._mean) - self._deviation) / 4
        self._mean += (seconds - self._mean) / 8

    def back_off(self) -> None:
        """Doubles the time-out, up to `most_timeout`."""
        self._doubled *= 2

    def reset(self) -> None:
        """Undoes the doubling."""
        self._doubled = 1

    def timeout(self, outstanding: int) -> float:
        """Seconds to wait for an acknowledgement while `outstanding` bytes are on the line."""
        timing = self._timing
        base = timing.first_timeout
        if self._mean is not None:
            base = max(timing.least_timeout, self._mean + 4 * self._deviation)
        wait = min(base * self._doubled, timing.most_timeout)
        return wait + timing.line(outstanding + LINE_OVERHEAD + LONGEST_PAYLOAD)


QUEUE = 64
"""The most messages that wait for the window."""
LAST = SEQUENCES - 1
HALF = SEQUENCES // 2
RETRANSMIT = int(Flag.RETRANSMIT)
NEVER = -1


class NoRoomError(Exception):
    """The owner sent more than `room` allows. This is a bug in the owner."""


@dataclass(slots=True)
class Flight:
    """A message that waits, or was sent and is not acknowledged."""

    flags: int
    channel: int
    payload: bytes
    sequence: int = 0
    sends: int = 0
    sent_at: float = 0.0


class Sender:
    """The messages of one side, in order. Sealing adds `seal` bytes to each."""

    def __init__(self, timing: Timing, counters: Counters, seal: int = 0) -> None:
        self._timing = timing
        self._counters = counters
        self._overhead = LINE_OVERHEAD + seal
        self._round_trip = RoundTripTimer(timing)
        self._queue: deque[Flight] = deque()
        self._bulk: deque[Flight] = deque()
        self._flights: deque[Flight] = deque()
        self._next = 0
        self._allowed = 1
        self._outstanding = 0
        self._timer_started = 0.0
        self._resent_at = -inf
        """When everything in flight was sent again; -inf if that never happened, or after progress."""
        self._resend = False
        self.failed = False

    @property
    def room(self) -> int:
        """How many more messages `put` accepts."""
        return QUEUE - len(self._queue) - len(self._bulk)

    @property
    def idle(self) -> bool:
        """Nothing waits and nothing is in flight."""
        return not (self._queue or self._bulk or self._flights)

    @property
    def bulk(self) -> int:
        """Bulk messages that are not acknowledged."""
        return len(self._bulk) + sum(flight.channel == Channel.BULK for flight in self._flights)

    def put(self, channel: int, flags: int, payload: bytes) -> None:
        """Queues a message. Raises NoRoomError."""
        if self.room <= 0:
            raise NoRoomError(f"{QUEUE} messages wait already: ask for room before sending")
        queue = self._bulk if channel == Channel.BULK else self._queue
        queue.append(Flight(flags, channel, payload))

    def acknowledged(self, acknowledgement: int, credit: int, now: float) -> bool:
        """Takes over the peer's acknowledgement and credit. Returns False if it acknowledges what was
        never sent."""
        base = (self._next - len(self._flights)) & LAST
        gone = (acknowledgement - base) & LAST
        if gone > len(self._flights):
            return False
        if gone:
            self._progress(gone, now)
        # Acknowledgement and credit never go back: a smaller offer leaves the larger one standing.
        self._allowed = max(self._allowed - gone, min(credit, self._timing.window))
        return True

    def resend_all(self, now: float) -> None:
        """Sends everything in flight again, in order. Sets `failed` if the oldest frame was sent too
        often."""
        if not self._flights:
            return
        self._resend = True
        self._timer_started = self._resent_at = now
        self.failed = self._flights[0].sends >= self._timing.most_sends

    def nak(self, now: float) -> None:
        """Resends because the peer asks for it, unless everything was sent again just before and nothing was
        acknowledged since."""
        if now - self._resent_at >= self._timing.nak_interval:
            self.resend_all(now)

    def tick(self, now: float) -> None:
        """Resends when the time-out has expired."""
        if now < self.deadline():
            return
        self._counters.timeouts += 1
        self._round_trip.back_off()
        self.resend_all(now)

    def deadline(self) -> float:
        """When the time-out expires."""
        return self._timer_started + self._round_trip.timeout(self._outstanding) if self._flights else inf

    def due(self, now: float) -> Iterator[Flight]:
        """Yields what may go out now, with sequence and flags. Each message counts as sent."""
        if self._resend:
            self._resend = False
            for flight in self._flights:
                flight.flags |= RETRANSMIT
                flight.sends += 1
                self._counters.retransmissions += 1
                yield flight
        while len(self._flights) < self._allowed:
            fresh = self._pick()
            if fresh is None:
                return
            yield self._launch(fresh, now)

    def _pick(self) -> Flight | None:
        if self._queue:
            return self._queue.popleft()
        flying = sum(flight.channel == Channel.BULK for flight in self._flights) if self._bulk else 0
        return self._bulk.popleft() if self._bulk and flying < self._timing.bulk else None

    def _launch(self, flight: Flight, now: float) -> Flight:
        if not self._flights:
            self._timer_started = now
        flight.sequence = self._next
        flight.sends = 1
        flight.sent_at = now
        self._next = (self._next + 1) & LAST
        self._outstanding += self._overhead + len(flight.payload)
        self._flights.append(flight)
        return flight

    def _progress(self, gone: int, now: float) -> None:
        self._round_trip.reset()
        self._timer_started = now
        self._resent_at = -inf
        sample = None
        for _ in range(gone):
            flight = self._flights.popleft()
            self._outstanding -= self._overhead + len(flight.payload)
            if flight.sends == 1:
                sample = now - flight.sent_at
        if sample is not None:
            self._round_trip.sample(sample)


class Receiver:
    """Accepts the frames of the other side in order and owes acknowledgements for them."""

    def __init__(self, timing: Timing, counters: Counters) -> None:
        self._timing = timing
        self._counters = counters
        self._promised = 1
        self._nak_for = NEVER
        self.offer = timing.window
        self.expected = 0
        self.nak_due = False
        self._due_at = inf

    @property
    def credit(self) -> int:
        """For how many frames from the expected one on there is room. Room that was promised stays
        promised."""
        return max(self._promised, self.offer)

    def take(self, sequence: int, now: float) -> bool:
        """Accepts a frame if it has the expected sequence and there is room for it."""
        ahead = (sequence - self.expected) & LAST
        if ahead:
            self._reject(ahead, now)
            return False
        if not self.credit:
            self._counters.credit += 1
            return False
        self.expected = (self.expected + 1) & LAST
        self._promised = max(0, self._promised - 1)
        self._nak_for = NEVER
        self._schedule_acknowledgement(now)
        return True

    def deadline(self) -> float:
        """When an acknowledgement is due. A NAK and a credit that rose from 0 are due at once."""
        return -inf if self.nak_due or (self.offer and not self._promised) else self._due_at

    def acknowledgement_sent(self) -> None:
        """Notes that a frame carried acknowledgement and credit to the peer."""
        self._promised = self.credit
        self._due_at = inf

    def _reject(self, ahead: int, now: float) -> None:
        if ahead >= HALF:
            self._counters.duplicates += 1
            self._schedule_acknowledgement(now)
            return
        self._counters.out_of_order += 1
        if self._nak_for != self.expected:
            self._nak_for = self.expected
            self.nak_due = True

    def _schedule_acknowledgement(self, now: float) -> None:
        self._due_at = min(self._due_at, now + self._timing.acknowledge)
