"""Answers one question, which stands on standard input, and ends."""

import os
import sys
import traceback
from types import TracebackType

from controller.monitor.past.answers import answer
from controller.monitor.past.messages import decode_question, encode_reply

NICE = 10
"""The table goes first."""


def main() -> None:
    """Raises what is a fault of ours."""
    os.nice(NICE)
    sys.excepthook = _report_location
    sys.stdout.buffer.write(encode_reply(answer(decode_question(sys.stdin.buffer.read()))))


def _report_location(kind: type[BaseException], _error: BaseException, trace: TracebackType | None) -> None:
    """Without values: a card that lies face down might be among them."""
    frames = traceback.extract_tb(trace)
    where = f" in {frames[-1].name}, line {frames[-1].lineno}" if frames else ""
    sys.stderr.write(f"the past cannot be told: {kind.__name__}{where}\n")


if __name__ == "__main__":
    main()
