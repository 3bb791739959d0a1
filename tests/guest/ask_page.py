"""Runs in the guest, with Python's own library: `python3 ask_page.py EXPRESSION` prints, as JSON, what a
JavaScript expression is in the page that Chromium shows.

It speaks the protocol of Chromium's debuggers (https://chromedevtools.github.io/devtools-protocol) over a
WebSocket (RFC 6455).
"""

import json
import os
import socket
import struct
import sys
from typing import Any, BinaryIO
from urllib.request import urlopen

PORT = 9222
TEXT = 0x81
"""A whole message of text."""
MASKED = 0x80


def ask(expression: str) -> Any:
    """Raises OSError if no page is there yet, and LookupError if the expression fails."""
    with urlopen(f"http://127.0.0.1:{PORT}/json/list") as answer:
        pages = [each["webSocketDebuggerUrl"] for each in json.load(answer) if "https:" in each["url"]]
    if not pages:
        raise OSError("Chromium shows no page of a table")
    with socket.create_connection(("127.0.0.1", PORT)) as connection, connection.makefile("rb") as received:
        _upgrade(connection, received, pages[0].partition(str(PORT))[2])
        question = {"expression": expression, "returnByValue": True}
        _send(connection, json.dumps({"id": 1, "method": "Runtime.evaluate", "params": question}).encode())
        while (message := json.loads(_receive(received))).get("id") != 1:
            continue
    result = message.get("result", message)
    if "value" not in result.get("result", {}):
        raise LookupError(f"{expression}: {json.dumps(result)}")
    return result["result"]["value"]


def _upgrade(connection: socket.socket, received: BinaryIO, path: str) -> None:
    lines = (
        f"GET {path} HTTP/1.1",
        f"Host: 127.0.0.1:{PORT}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    )
    connection.sendall("\r\n".join((*lines, "", "")).encode())
    status = received.readline()
    if b" 101 " not in status:
        raise OSError(f"Chromium answers {status!r}")
    while received.readline() != b"\r\n":
        continue


def _send(connection: socket.socket, text: bytes) -> None:
    mask = os.urandom(4)
    masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(text))
    connection.sendall(struct.pack("!BBH", TEXT, MASKED | 126, len(text)) + mask + masked)


def _receive(received: BinaryIO) -> bytes:
    """The next message, which Chromium sends in one frame."""
    _kind, length = received.read(2)
    if length == 126:
        (length,) = struct.unpack("!H", received.read(2))
    elif length == 127:
        (length,) = struct.unpack("!Q", received.read(8))
    return received.read(length)


if __name__ == "__main__":
    print(json.dumps(ask(sys.argv[1])))
