"""What the core sends, as lines: answers, errors and pushes may contain records of the table."""

from controller.table.record.codec import to_json


def line_of(message: object) -> bytes:
    """A message as a line."""
    return to_json(message).encode() + b"\n"


def push_line(method: str, params: object) -> bytes:
    """A notification as a line."""
    return line_of({"jsonrpc": "2.0", "method": method, "params": params})
