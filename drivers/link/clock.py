"""The peer's clock, from heartbeats: each carries its sender's uptime, the other's last one and how long ago
that came."""

from drivers.protocol.common_pb2 import Heartbeat

MICROSECONDS = 1_000_000


class PeerClock:
    """Keeps the offset that the shortest round trip gave: it had the least room for error."""

    def __init__(self) -> None:
        self.offset_us: int | None = None
        """What to add to our uptime to get the peer's; None: nothing was measured yet."""
        self.round_trip_us: int | None = None
        """The round trip that gave the offset."""
        self.last_round_trip_us = 0
        self._theirs_us = 0
        self._came_us = 0

    def stamp(self, heartbeat: Heartbeat, now_us: int) -> None:
        """Fill in the times of a heartbeat that goes out now."""
        heartbeat.now_us = now_us
        if self._theirs_us:
            heartbeat.echo_us = self._theirs_us
            heartbeat.held_us = now_us - self._came_us

    def heard(self, heartbeat: Heartbeat, now_us: int) -> None:
        """Measure with a heartbeat that came now."""
        self._theirs_us, self._came_us = heartbeat.now_us, now_us
        round_trip = now_us - heartbeat.echo_us - heartbeat.held_us
        if not heartbeat.echo_us or round_trip < 0:
            return
        self.last_round_trip_us = round_trip
        if self.round_trip_us is None or round_trip < self.round_trip_us:
            self.round_trip_us = round_trip
            self.offset_us = heartbeat.now_us - (now_us - round_trip // 2)
