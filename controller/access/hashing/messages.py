"""What the process is asked, and what it replies: one JSON object each. A reply ends
with a line feed."""

import json
from dataclasses import asdict, dataclass, field


@dataclass(frozen=True, slots=True)
class HashingQuestion:
    """A secret to hash or, if `compare`, to compare with the hash `stored`, which is None if there is no
    account. If there are `candidates`, it is compared with each of them instead."""

    secret: str = field(repr=False)
    compare: bool
    stored: str | None = field(default=None, repr=False)
    candidates: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class HashingReply:
    """`right`: the secret was compared and matches. `hash`: what to store; empty if the stored hash stays. Of
    candidates, the one that matches."""

    right: bool
    hash: str = field(default="", repr=False)


def encode_question(question: HashingQuestion) -> bytes:
    return json.dumps(asdict(question)).encode()


def decode_question(line: bytes) -> HashingQuestion:
    return HashingQuestion(**json.loads(line))


def encode_reply(reply: HashingReply) -> bytes:
    return json.dumps(asdict(reply)).encode() + b"\n"


def decode_reply(line: bytes) -> HashingReply:
    return HashingReply(**json.loads(line))
