"""The fields of a supervisor's decision: what they become, and which of them are wrong."""

from typing import Any

import pytest

from controller.table.errors import NotAllowed
from controller.table.people.supervisor_commands import read_choice
from controller.table.record.events import Supervisor

GOOD: dict[str, Any] = {"choice": "card", "who": "Ann", "why": "seen", "card": "Ts"}
TOKEN = "105.312.3462779efb5a9f0d"
SEEN = {"who": "Ann", "why": "seen"}


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"choice": "shoot"}, "choice = 'shoot'"),
        ({"card": "1x"}, "card = '1x'"),
        ({"who": " "}, "who = ' '"),
        ({"why": None}, "why = None"),
        ({"why": "x" * 201}, "why = "),
        ({"why": "seen\u2028by eye"}, "why: not allowed: U+2028 (LINE SEPARATOR) is a line separator"),
        ({"who": "Ann\u200b Lee"}, "who: not allowed: U+200B (ZERO WIDTH SPACE) is a format character"),
        ({"extra": 1}, "extra: not allowed"),
        ({"second": "Bob"}, "second: not allowed; allowed: choice, who, why, round, card, token"),
        ({"choice": "void", "card": None, "second": " "}, "second = ' '"),
        ({"choice": "assign"}, "seat = None: not allowed; allowed: 0 to 9"),
        ({"choice": "assign", "seat": 10}, "seat = 10"),
        ({"choice": "assign", "seat": True}, "seat = True"),
        ({"choice": "correct", "seat": 1, "number": 1}, "old is missing"),
        ({"choice": "correct", "seat": 1, "old": "Ts"}, "number = None"),
        ({"choice": "entry", "card": None}, "device = None"),
        ({"choice": "entry", "card": None, "device": "shoe"}, "licence = None"),
        (
            {"choice": "undo", "card": None, "seat": 1},
            "seat: not allowed; allowed: choice, who, why, round, token",
        ),
    ],
)
def test_a_wrong_field_is_named(change: dict[str, object], named: str) -> None:
    with pytest.raises(NotAllowed, match=r"needed|allowed") as caught:
        read_choice(GOOD | change)
    assert named in str(caught.value)


@pytest.mark.parametrize(
    ("fields", "decision"),
    [
        (GOOD, Supervisor("card", "Ann", "seen", "Ts")),
        (
            {
                **SEEN,
                "choice": "correct",
                "seat": 2,
                "number": 3,
                "old": "Ks",
                "card": "Kh",
                "second": "Bob",
                "round": 7,
            },
            Supervisor("correct", "Ann", "seen", "Kh", "Bob", 2, 1, 3, "Ks", 7),
        ),
        (
            {**SEEN, "choice": "assign", "seat": 0, "hand": 2},
            Supervisor("assign", "Ann", "seen", None, hand=2),
        ),
        (
            {**SEEN, "choice": "entry", "device": "shoe", "licence": "L-1234"},
            Supervisor("entry", "Ann", "seen", None, device="shoe", licence="L-1234"),
        ),
        ({**SEEN, "choice": "undo", "token": TOKEN}, Supervisor("undo", "Ann", "seen", None, token=TOKEN)),
    ],
)
def test_a_decision_has_the_fields_of_its_choice(fields: dict[str, object], decision: Supervisor) -> None:
    assert read_choice(fields) == decision
