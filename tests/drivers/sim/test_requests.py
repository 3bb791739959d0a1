import pytest

from drivers.sim.requests import (
    CardsField,
    ChoiceField,
    FlagField,
    IntegerField,
    NumberField,
    RequestError,
    Response,
    Verb,
    perform,
)


def _lay(now: float, **values: object) -> Response:
    return {"now": now, **values}


VERBS = {
    "lay": Verb(
        _lay,
        {
            "seat": IntegerField(1, 9),
            "cents": IntegerField(0, 100, None),
            "chance": NumberField(1.0, 0.5),
            "key": ChoiceField(("hit", "stand"), "hit"),
            "on": FlagField(default=False),
            "cards": CardsField(most=2, default=None),
        },
    ),
    "rest": Verb(lambda _now: None),
}


def test_a_request_is_done_with_its_defaults() -> None:
    answer = perform(VERBS, {"do": "lay", "seat": 3}, 1.5)
    assert answer == {
        "ok": True,
        "now": 1.5,
        "seat": 3,
        "cents": None,
        "chance": 0.5,
        "key": "hit",
        "on": False,
        "cards": None,
    }
    assert perform(VERBS, {"do": "rest"}, 0.0) == {"ok": True}


def test_request_values_are_read_as_their_types() -> None:
    request = {
        "do": "lay",
        "seat": 9,
        "cents": None,
        "chance": 1,
        "key": "stand",
        "on": True,
        "cards": "As Td",
    }
    answer = perform(VERBS, request, 0.0)
    assert answer["cards"] == ["As", "Td"]
    assert answer["chance"] == 1.0


@pytest.mark.parametrize(
    ("request_", "text"),
    [
        (["lay"], "a request is an object"),
        ({"seat": 1}, "do: None is unknown; allowed: lay, rest"),
        ({"do": "lie"}, "do: 'lie' is unknown; allowed: lay, rest"),
        ({"do": ["lay"]}, "is unknown; allowed: lay, rest"),
        ({"do": "lay"}, "lay: seat is missing"),
        ({"do": "lay", "seat": 10}, "lay: seat = 10: must be a whole number from 1 to 9"),
        ({"do": "lay", "seat": True}, "lay: seat = True: must be a whole number from 1 to 9"),
        ({"do": "lay", "seat": 1, "chance": 1.1}, "lay: chance = 1.1: must be a number from 0 to 1"),
        ({"do": "lay", "seat": 1, "key": "fold"}, "lay: key = 'fold': must be one of hit, stand"),
        ({"do": "lay", "seat": 1, "key": ["hit"]}, "must be one of hit, stand"),
        ({"do": "lay", "seat": 1, "on": 1}, "lay: on = 1: must be true or false"),
        ({"do": "lay", "seat": 1, "cards": "1s"}, "word 1, '1s', is not a card"),
        ({"do": "lay", "seat": 1, "cards": "As As As"}, "holds 3 cards; 1 to 2 are allowed"),
        ({"do": "lay", "seat": 1, "cards": ["As"]}, "must be cards separated by white space"),
        ({"do": "lay", "seat": 1, "colour": "red"}, "lay: unknown field colour; allowed: seat, cents"),
        ({"do": "rest", "seat": 1}, "rest: unknown field seat; allowed: none"),
    ],
)
def test_a_wrong_value_is_named_with_what_is_allowed(request_: object, text: str) -> None:
    with pytest.raises(RequestError) as error:
        perform(VERBS, request_, 0.0)
    assert text in str(error.value)
