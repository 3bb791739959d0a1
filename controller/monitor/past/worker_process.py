"""What a worker process does: it answers the questions on standard input, one after the other, and ends with
them."""

import os
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from controller.currency import UNNAMED, using
from controller.languages import LANGUAGES, speaking
from controller.monitor.past.messages import (
    LENGTH,
    REPORT,
    WorkerQuestion,
    WorkerReply,
    decode_question,
    encode_reply,
    framed,
)
from controller.past.recorded_currency import recorded_currency

NICE = 10
LOWEST = 19
"""Reports take seconds of computing; the table goes first."""


def answer_standard_input(answer: Callable[[WorkerQuestion], WorkerReply]) -> None:
    """Answers each question; a fault of the software is raised."""
    sys.excepthook = _report_location
    os.nice(NICE)
    for message in _messages(sys.stdin.buffer):
        question = decode_question(message)
        if question.what == REPORT:
            os.nice(LOWEST - NICE)
        sys.stdout.buffer.write(framed(encode_reply(reply_to(question, answer))))
        sys.stdout.buffer.flush()


def reply_to(question: WorkerQuestion, answer: Callable[[WorkerQuestion], WorkerReply]) -> WorkerReply:
    """The answer in the language of the question, and in the currency of its journal, if it names one."""
    currency = recorded_currency(Path(question.journal)) if question.journal else UNNAMED
    with using(currency), speaking(LANGUAGES[question.language]):
        return answer(question)


def _messages(pipe: BinaryIO) -> Iterator[bytes]:
    while len(header := pipe.read(LENGTH.size)) == LENGTH.size:
        yield pipe.read(*LENGTH.unpack(header))


def _report_location(kind: type[BaseException], _error: BaseException, trace: TracebackType | None) -> None:
    """Without values: a card that lies face down might be among them."""
    frames = traceback.extract_tb(trace)
    where = f" in {frames[-1].name}, line {frames[-1].lineno}" if frames else ""
    sys.stderr.write(f"the question about the past has no answer: {kind.__name__}{where}\n")
