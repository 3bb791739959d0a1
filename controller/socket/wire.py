"""What both clients of the table socket share: requests as lines, answers as results or errors."""

import json
from collections.abc import Mapping
from typing import Any

_encode = json.JSONEncoder(separators=(",", ":")).encode


class CoreAway(Exception):
    """No core answers at the socket, or it went away before the answer. An act may have been taken: ask again
    with the same id."""


class CallRefused(Exception):
    """The core answers with an error. `code` is one of `codes.Code`; `data` says more, by name."""

    def __init__(self, code: int, message: str, data: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


def request_line(number: int, method: str, params: Mapping[str, object]) -> bytes:
    request = {"jsonrpc": "2.0", "id": number, "method": method, "params": dict(params)}
    return _encode(request).encode() + b"\n"


def read_message(line: bytes) -> dict[str, Any]:
    """An answer or a push. Raises CoreAway for anything else: then it is not a core that answers."""
    try:
        message = json.loads(line)
    except ValueError as wrong:
        raise CoreAway(f"what answers at the socket is not a core: {wrong}") from None
    if not isinstance(message, dict):
        raise CoreAway("what answers at the socket is not a core: an object is needed")
    return message


def result_of(message: Mapping[str, Any]) -> Any:
    """The result of an answer. Raises CallRefused."""
    if error := message.get("error"):
        raise CallRefused(error["code"], error["message"], error.get("data") or {})
    return message.get("result")
