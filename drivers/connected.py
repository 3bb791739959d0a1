"""Which serial number answers on which port, for all devices of a table."""


class Connected:
    """One per table: a serial number that answers on two ports is a copy, or one of them is miswired."""

    def __init__(self) -> None:
        self._ports: dict[str, str] = {}

    def elsewhere(self, serial: str, port: str) -> str:
        """Where the serial number is connected besides `port`, as "on A and on B"; empty: nowhere."""
        other = self._ports.get(serial, port)
        return "" if other == port else f"on {other} and on {port}"

    def claim(self, serial: str, port: str) -> None:
        """A session with this serial number is up on `port`."""
        self._ports[serial] = port

    def release(self, port: str) -> None:
        """No session is up on `port`."""
        self._ports = {serial: held for serial, held in self._ports.items() if held != port}
