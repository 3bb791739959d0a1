"""Copies are dropped, and a message that may be missing is reported."""

from drivers.adapters.angel_eye.duplicates import BURST, DUE, FORGET, DuplicateFilter
from drivers.adapters.angel_eye.frames import Message

GAP = 0.01


def message(sequence: int, code: str = "D", data: bytes = b"\x81\xb8") -> Message:
    return Message(bytes([sequence]) + code.encode() + data, sequence, code, data)


class Line:
    """A line on which things arrive one after the other, each a moment after the last."""

    def __init__(self, *, counts: bool = True) -> None:
        self.repeats = DuplicateFilter(counts=counts)
        self.now = 100.0

    def hear(self, *sequences: int, after: float = GAP, code: str = "D") -> list[tuple[bool, bool]]:
        """For each copy, whether it is new, and whether it is doubtful."""
        verdicts = []
        for sequence in sequences:
            self.now += after
            verdict = self.repeats.check(message(sequence, code), self.now)
            verdicts.append((verdict.new, bool(verdict.doubt)))
        return verdicts

    def noise(self, times: int = 1) -> None:
        for _ in range(times):
            self.now += GAP
            self.repeats.noise(self.now)


NEW = (True, False)
COPY = (False, False)
DOUBTFUL = (True, True)


def test_up_to_three_copies_are_one_message() -> None:
    assert Line().hear(1, 1, 1, 2, 3, 3) == [NEW, COPY, COPY, NEW, NEW, COPY]


def test_a_fourth_copy_is_doubtful_and_no_message() -> None:
    assert Line().hear(1, 1, 1, 1, 1, 2) == [NEW, COPY, COPY, (False, True), COPY, NEW]


def test_the_same_bytes_after_a_silence_are_a_doubtful_message() -> None:
    line = Line()
    assert line.hear(7) == [NEW]
    assert line.hear(7, after=FORGET) == [COPY]
    assert line.hear(7, after=FORGET + GAP) == [DOUBTFUL]


def test_any_number_may_follow_a_start() -> None:
    line = Line()
    assert line.hear(7) == [NEW]
    assert line.hear(7, 7, code="S") == [NEW, COPY]
    assert line.hear(7, 8) == [NEW, NEW]
    assert line.hear(8, code="S") == [NEW]
    assert line.hear(3) == [NEW]


def test_the_number_of_the_last_one_with_another_content_is_doubtful() -> None:
    line = Line()
    assert line.hear(7) == [NEW]
    assert line.hear(7, code="P") == [DOUBTFUL]


def test_numbers_that_jump_are_doubtful_unless_they_are_ignored() -> None:
    assert Line().hear(1, 2, 4) == [NEW, NEW, DOUBTFUL]
    assert Line(counts=False).hear(1, 2, 4, 1) == [NEW] * 4


def test_numbers_fall_back_at_one_place() -> None:
    around = [*range(0x30, 0x3A)]
    line = Line()
    assert line.hear(*around, *around, 0x30) == [NEW] * 21
    assert line.hear(*around[1:9], 0x30) == [NEW] * 8 + [DOUBTFUL]


def test_noise_before_the_next_number_is_a_copy_that_was_spoilt() -> None:
    line = Line()
    line.hear(1)
    line.noise(2)
    assert line.hear(2) == [NEW]
    line.noise(2)
    assert line.hear(2) == [COPY]
    assert line.repeats.overdue(line.now + 60) == ""


def test_noise_and_then_a_jump_back_is_doubtful() -> None:
    line = Line()
    line.hear(8, 8, 8)
    line.noise(3)
    assert line.hear(0) == [DOUBTFUL]


def test_noise_without_a_message_after_it_is_doubtful() -> None:
    line = Line()
    line.hear(1, 1)
    line.noise(2)  # one may be the third copy, the other is not
    assert line.repeats.overdue(line.now + DUE - GAP) == ""
    assert line.repeats.overdue(line.repeats.deadline())
    assert line.repeats.deadline() == float("inf")


def test_a_spoilt_last_copy_is_not_doubtful() -> None:
    line = Line()
    line.hear(1, 1)
    line.noise()
    assert line.repeats.deadline() == float("inf")
    line.now += BURST
    line.noise()
    assert line.repeats.deadline() < line.now + DUE + GAP


def test_all_noise_is_doubtful_when_numbers_are_ignored() -> None:
    line = Line(counts=False)
    line.hear(1)
    line.noise()
    assert line.hear(2) == [DOUBTFUL]
