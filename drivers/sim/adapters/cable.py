"""A faulty cable for lines without frames of their own: what is put in at once is what a fault strikes."""

from drivers.sim.cable import Cable


class PlainCable(Cable):
    """Each `put` is one message."""

    def put(self, data: bytes, now: float) -> None:
        """Send a message into the cable."""
        if self.faults.none or not data:
            self._send(data, now)
        else:
            self._carry(data, now)
