"""Waits until no round is in play, at most as long as a person would: `between_rounds.py SOCKET SECONDS`.

The package runs this before it stops the daemon for an upgrade. A round in play would go on after the
upgrade, but the people at the table would wait for it. It ends at once if no daemon answers. It uses only
Python's own library, because it runs while the package's files are exchanged.
"""

import contextlib
import json
import socket
import sys
import time

BETWEEN = frozenset({"betting", "over", "void"})
"""Phases in which no card of a round is out."""
REQUESTS = (("hello", {"as": "cli"}), ("subscribe", {"topics": ["view"]}))


def wait(path: str, seconds: float) -> None:
    """Return when no round is in play or the time is over. Raises OSError or ValueError if no daemon answers
    as it should."""
    until = time.monotonic() + seconds
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(seconds)
        connection.connect(path)
        for number, (method, params) in enumerate(REQUESTS):
            request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            connection.sendall(json.dumps(request).encode() + b"\n")
        with connection.makefile("rb") as lines:
            while time.monotonic() < until and (line := lines.readline()):
                message = json.loads(line)
                if "error" in message or _phase(message) in BETWEEN:
                    return
                connection.settimeout(max(until - time.monotonic(), 0.001))


def _phase(message: dict[str, object]) -> object:
    """The phase that a push tells; None if it tells none."""
    params = message.get("params")
    changed = params.get("set") if isinstance(params, dict) else None
    return changed.get("phase") if isinstance(changed, dict) else None


if __name__ == "__main__":
    with contextlib.suppress(OSError, ValueError):
        wait(sys.argv[1], float(sys.argv[2]))
