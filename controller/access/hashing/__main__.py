"""The process: it answers the one question on standard input, and ends."""

import sys
import traceback
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from controller.access.hashing.argon2id import hash_secret, matching_hash, renewed_hash, verify_secret
from controller.access.hashing.messages import HashingQuestion, HashingReply, decode_question, encode_reply
from controller.process.memory_dumps import forbid_memory_dumps

FIRST_TO_END = "1000"
"""The value of oom_score_adj with which the kernel ends this process before all others if memory runs out."""


def main() -> None:
    sys.excepthook = _report_location
    _give_way()
    forbid_memory_dumps()  # the memory will contain the secret; after this, the process cannot change itself
    if line := sys.stdin.buffer.read():  # empty if whoever asks has ended
        sys.stdout.buffer.write(encode_reply(answer(decode_question(line))))


def answer(question: HashingQuestion) -> HashingReply:
    if question.candidates:
        match = matching_hash(question.candidates, question.secret)
        return HashingReply(right=match is not None, hash=match or "")
    if not question.compare:
        return HashingReply(right=False, hash=hash_secret(question.secret))
    if not verify_secret(question.stored, question.secret):
        return HashingReply(right=False)
    return HashingReply(right=True, hash=renewed_hash(str(question.stored), question.secret))


def _give_way() -> None:
    """Memory that runs out is taken from here first."""
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(FIRST_TO_END)


def _report_location(kind: type[BaseException], _error: BaseException, trace: TracebackType | None) -> None:
    """Without values: the secret might be among them."""
    frames = traceback.extract_tb(trace)
    where = f" in {frames[-1].name}, line {frames[-1].lineno}" if frames else ""
    sys.stderr.write(f"a secret cannot be checked: {kind.__name__}{where}\n")


if __name__ == "__main__":
    main()
