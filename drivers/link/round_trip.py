"""How long a sender waits for an acknowledgement."""

from drivers.link.frames import LINE_OVERHEAD, LONGEST_PAYLOAD
from drivers.link.timing import Timing


class RoundTrip:
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
        waits = min(base * self._doubled, timing.most_timeout)
        return waits + timing.line(outstanding + LINE_OVERHEAD + LONGEST_PAYLOAD)
