"""Messages about the journal on its way: what is written is read, and nothing else is."""

import pytest

from controller.property.shipping import (
    Acknowledgement,
    ResendReply,
    ResendRequest,
    ResumeReply,
    ResumeRequest,
)
from controller.property.small_messages import MalformedMessage, SmallMessage

EPOCH, HASH, START = "0123456789abcdef", "ab" * 32, "00" * 32
MESSAGES = (
    Acknowledgement(v=1, epoch=EPOCH, row=7, hash=HASH, at=1000.5),
    ResendRequest(v=1, epoch=EPOCH, row=0, hash=START),
    ResendReply(v=1, ok=True),
    ResendReply(v=1, ok=False, code="gone", oldest=501),
    ResumeRequest(v=1, epoch=EPOCH, oldest=1, row=90),
    ResumeReply(v=1, admitted=False, row=0, hash=START),
    ResumeReply(v=1, admitted=True, row=7, hash=HASH),
)


@pytest.mark.parametrize("message", MESSAGES)
def test_a_message_is_read_as_it_was_written(message: SmallMessage) -> None:
    assert type(message).read(message.payload) == message
    assert message.payload.startswith(b'{"v":1,')


@pytest.mark.parametrize(
    ("kind", "payload", "why"),
    [
        (ResumeReply, b'{"v": 2, "admitted": true, "row": 7, "hash": "%s"}' % HASH.encode(), "v = 2"),
        (ResumeReply, b'{"admitted": true, "row": 7, "hash": "%s"}' % HASH.encode(), "v = "),
        (
            ResumeReply,
            b'{"v": 1, "admitted": "yes", "row": 7, "hash": "%s"}' % HASH.encode(),
            "admitted = 'yes'",
        ),
        (ResumeReply, b'{"v": 1, "admitted": true, "row": -1, "hash": "%s"}' % HASH.encode(), "row = -1"),
        (
            ResumeReply,
            b'{"v": 1, "admitted": true, "row": 0, "hash": "%s"}' % HASH.encode(),
            "row 0 has the hash",
        ),
        (ResumeReply, b'{"v": 1, "admitted": true, "row": 7, "hash": "abc"}', "hash = 'abc'"),
        (ResendReply, b'{"v": 1, "ok": false, "code": "lost"}', "code = 'lost'"),
        (ResumeRequest, b'{"v": true, "epoch": "0123456789abcdef", "oldest": 1, "row": 1}', "v = True"),
        (ResumeRequest, b'{"v": 1, "epoch": "0123456789abcdef", "oldest": 1}', "row = None"),
        (ResumeRequest, b'{"v": 1, "epoch": "0123", "oldest": 1, "row": 1}', "epoch = '0123'"),
        (ResumeRequest, b'{"v": 1, "epoch": "0123456789abcdef", "oldest": 1, "row": 1.0}', "row = 1.0"),
        (
            ResumeRequest,
            b'{"v": 1, "epoch": "0123456789abcdef", "oldest": 1, "row": 9007199254740992}',
            "row = 9007199254740992",
        ),
        (
            Acknowledgement,
            b'{"v": 1, "epoch": "0123456789abcdef", "row": 7, "hash": "%s", "at": NaN}' % HASH.encode(),
            "at = nan",
        ),
        (ResendReply, b'{"v": 1, "ok": false, "code": ["gone"]}', "code = "),
        (ResumeRequest, b"[" * 100_000, "message = "),
        (ResumeRequest, b"[]", "message = "),
        (ResumeRequest, b"\xff", "message = "),
    ],
)
def test_a_malformed_message_is_refused_with_field_and_value(
    kind: type[SmallMessage], payload: bytes, why: str
) -> None:
    with pytest.raises(MalformedMessage, match=why):
        kind.read(payload)


def test_fields_of_later_versions_are_ignored() -> None:
    payload = b'{"v": 1, "ok": true, "later": [1, 2]}'
    assert ResendReply.read(payload) == ResendReply(v=1, ok=True)
