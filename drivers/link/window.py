"""How long a sender waits for an acknowledgement.

Reliability of channels 1 to 3: what one side sends until it is acknowledged, and what it takes.

Sequences count modulo 65,536 and start at 0 in each session; both halves are made anew for each.
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
    """The sender's time-out, from round trips of frames that were sent once (Karn)."""

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._mean: float | None = None
        self._deviation = 0.0
        self._doubled = 1

    def sample(self, seconds: float) -> None:
        """A frame that was sent once was acknowledged after so long."""
        if self._mean is None:
            self._mean, self._deviation = seconds, seconds / 2
            return
        self._deviation += (abs(seconds - self._mean) - self._deviation) / 4
        self._mean += (seconds - self._mean) / 8

    def back_off(self) -> None:
        """Nothing came in time: wait twice as long."""
        self._doubled *= 2

    def reset(self) -> None:
        """Something came: back to the measured time."""
        self._doubled = 1

    def timeout(self, outstanding: int) -> float:
        """How long to wait for an acknowledgement with so many bytes on the line."""
        timing = self._timing
        base = timing.first_timeout
        if self._mean is not None:
            base = max(timing.least_timeout, self._mean + 4 * self._deviation)
        wait = min(base * self._doubled, timing.most_timeout)
        return wait + timing.line(outstanding + LINE_OVERHEAD + LONGEST_PAYLOAD)


QUEUE = 64
"""Messages a side may have waiting for the window."""
LAST = SEQUENCES - 1
HALF = SEQUENCES // 2
RETRANSMIT = int(Flag.RETRANSMIT)
NEVER = -1


class NoRoomError(Exception):
    """More was sent than there was room for: a bug of ours."""


@dataclass(slots=True)
class Flight:
    """A message on its way: sent, not acknowledged."""

    flags: int
    channel: int
    payload: bytes
    sequence: int = 0
    sends: int = 0
    sent_at: float = 0.0


class Sender:
    """One side's messages in order, up to eight of them in flight; sealing adds `seal` bytes to each."""

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
        self._resend = False
        self.failed = False

    @property
    def room(self) -> int:
        """How many more messages `put` takes."""
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
        """Takes the peer's acknowledgement and credit; False: it acknowledges what was never sent."""
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
        """The peer misses a frame: all in flight go out again, in order."""
        if not self._flights:
            return
        self._resend = True
        self._timer_started = now
        self.failed = self._flights[0].sends >= self._timing.most_sends

    def tick(self, now: float) -> None:
        """Resends when the time-out has run out."""
        if now < self.deadline():
            return
        self._counters.timeouts += 1
        self._round_trip.back_off()
        self.resend_all(now)

    def deadline(self) -> float:
        """When the time-out runs out."""
        return self._timer_started + self._round_trip.timeout(self._outstanding) if self._flights else inf

    def due(self, now: float) -> Iterator[Flight]:
        """What may go out now, each with its sequence and flags; it counts as sent."""
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
        sample = None
        for _ in range(gone):
            flight = self._flights.popleft()
            self._outstanding -= self._overhead + len(flight.payload)
            if flight.sends == 1:
                sample = now - flight.sent_at
        if sample is not None:
            self._round_trip.sample(sample)


class Receiver:
    """What one side takes from the other, in order, and what it owes for it."""

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
        """Frames from the expected one on that there is room for: what was promised stays promised."""
        return max(self._promised, self.offer)

    def take(self, sequence: int, now: float) -> bool:
        """Whether a frame with this sequence is the expected one; if so it is taken."""
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
        """When an acknowledgement is due at the latest; a credit that rose from 0 is due at once."""
        return -inf if self.nak_due or (self.offer and not self._promised) else self._due_at

    def acknowledgement_sent(self) -> None:
        """A frame with acknowledgement and credit went out."""
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
