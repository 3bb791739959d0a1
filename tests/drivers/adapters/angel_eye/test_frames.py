"""The published bytes of an Angel Eye, and what is wrong with others."""

import pytest

from drivers.adapters.angel_eye.fields import describe, describe_answer
from drivers.adapters.angel_eye.frames import Answer, Message, ShoeOrder, bcc, decoder, encode_order
from drivers.adapters.decoder import SILENCE, Noise, RejectReason

EIGHT = bytes.fromhex("05 31 44 81 B8 03 34 46")


def framed(body: bytes) -> bytes:
    """A message: sequence, code and data in a frame."""
    return b"\x05" + body + b"\x03" + bcc(body + b"\x03")


def only(data: bytes) -> object:
    line = decoder()
    (value,) = [*line.feed(data, 0.0), *line.feed(b"", SILENCE)]
    return value


def test_the_published_card_is_the_eight_of_spades() -> None:
    message = only(EIGHT)
    assert message == Message(EIGHT, 0x31, "D", b"\x81\xb8")
    assert describe(message) == "8s drawn (its own game: player, 1)"


def test_the_published_order_counts_its_stx() -> None:
    lock = ShoeOrder("LK", "02")
    assert encode_order(lock, stx_counts=True) == bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 42")
    assert encode_order(lock, stx_counts=False) == bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 39")


@pytest.mark.parametrize(
    ("data", "reason", "refusal"),
    [
        (EIGHT[:-1] + b"G", "BCC 3447 where 3446 is right", "check"),
        (EIGHT[:-2] + b"4f", "BCC 3466 where 3446 is right", "check"),
        (EIGHT[:5] + b"\x02" + EIGHT[6:], "no ETX where D ends", "length"),
        (b"\x05\x31X\x03", "no message has the code 58", "format"),
        (b"\x15zz", "NAK without a known code", "format"),
        (b"\x1544", "NAK without a known code", "format"),
        (b"hello", "no message begins so", None),
        (EIGHT[:-1], "broken off", "length"),
    ],
)
def test_a_byte_that_is_wrong_makes_noise(data: bytes, reason: str, refusal: RejectReason | None) -> None:
    assert only(data) == Noise(data, reason, refusal)


@pytest.mark.parametrize("place", range(len(EIGHT)))
@pytest.mark.parametrize("bit", range(8))
def test_no_flipped_bit_makes_another_message(place: int, bit: int) -> None:
    data = EIGHT[:place] + bytes([EIGHT[place] ^ 1 << bit]) + EIGHT[place + 1 :]
    line = decoder()
    assert not any(isinstance(value, Message) for value in [*line.feed(data, 0.0), *line.feed(b"", SILENCE)])


@pytest.mark.parametrize(
    ("data", "nak", "words"),
    [
        (b"\x06", None, "done"),
        (b"\x1502", 0x02, "not done: wrong BCC"),
        (b"\x15\x21", 0x21, "not done: busy"),
        (b"\x15FF", 0xFF, "not done: another reason"),
    ],
)
def test_each_answer_is_decoded_and_described(data: bytes, nak: int | None, words: str) -> None:
    answer = only(data)
    assert answer == Answer(data, nak)
    assert describe_answer(answer) == words


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"1S", "the shoe starts"),
        (b"1P", "stand-by between rounds"),
        (b"1C", "cut card drawn"),
        (b"1D\x92\xca", "Th drawn (its own game: banker, 2)"),
        (b"1D\xa0\x90", "a card that it cannot read drawn (its own game: burn, 0)"),
        (b"1D\xe0\x91", "Ad drawn (its own game: nobody, 0)"),
        (b"1d\x11\xad", "Kc drawn outside a game, in error mode, a card cannot be read"),
        (b"1d\x00\xad", "Kc drawn outside a game, in lock mode"),
        (b"1d\x30\xad", "Kc drawn outside a game, in mode 3"),
        (b"1R\x81\xbb", "Js sent again, or dealt again: the documents disagree"),
        (b"1G\x81", "result 81 of its own game"),
        (b"1E\x47", "error 7 (error mode): a card was not drawn in time"),
        (b"1E\x02", "error 2: more cards were drawn than its game has"),
        (b"1E\x09", "error 9: error 9, which no document names"),
        (b"1e\x46", "error 6 cancelled: a card has a code that is none"),
        (b"1L\x01", "locked"),
        (b"1L\x80", "unlocked"),
        (b"1M030042", "preset '03' is '0042' now"),
    ],
)
def test_every_message_is_described_in_words(body: bytes, words: str) -> None:
    message = only(framed(body))
    assert isinstance(message, Message)
    assert describe(message) == words


@pytest.mark.parametrize("byte", [0x38, 0x80, 0xB0, 0xBE, 0xBF, 0xD1, 0x88])
def test_an_impossible_card_is_not_decoded(byte: int) -> None:
    message = only(framed(b"1D\x80" + bytes([byte])))
    assert isinstance(message, Message)
    assert describe(message).startswith("a card that it cannot read")


def test_every_card_is_decoded() -> None:
    names = set()
    for suit in range(1, 5):
        for rank in range(1, 14):
            message = only(framed(b"1D\x80" + bytes([0x80 | suit << 4 | rank])))
            assert isinstance(message, Message)
            names.add(describe(message).split()[0])
    assert len(names) == 52
