"""What a worker process does: it answers the one question on standard input, and ends."""

import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from controller.currency import UNNAMED, using
from controller.languages import LANGUAGES, speaking
from controller.monitor.past.messages import (
    REPORT,
    WorkerQuestion,
    WorkerReply,
    decode_question,
    encode_reply,
)
from controller.past.recorded_currency import recorded_currency

NICE = 10
LOWEST = 19
"""Reports take seconds of computing; the table goes first."""


def answer_standard_input(answer: Callable[[WorkerQuestion], WorkerReply]) -> None:
    """Answers in the currency of the question's journal; without a journal, in none. A fault of the software
    is raised."""
    sys.excepthook = _report_location
    question = decode_question(sys.stdin.buffer.read())
    os.nice(LOWEST if question.what == REPORT else NICE)
    currency = recorded_currency(Path(question.journal)) if question.journal else UNNAMED
    with using(currency), speaking(LANGUAGES[question.language]):
        sys.stdout.buffer.write(encode_reply(answer(question)))


def _report_location(kind: type[BaseException], _error: BaseException, trace: TracebackType | None) -> None:
    """Without values: a card that lies face down might be among them."""
    frames = traceback.extract_tb(trace)
    where = f" in {frames[-1].name}, line {frames[-1].lineno}" if frames else ""
    sys.stderr.write(f"the question about the past has no answer: {kind.__name__}{where}\n")
