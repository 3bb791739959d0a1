import pytest

from controller.cards import DECK, NotACard, card


def test_a_deck_has_every_card_once() -> None:
    assert len(set(DECK)) == 52
    assert {"As", "Th", "2d", "Kc"} <= set(DECK)


def test_a_card_is_read_from_its_text() -> None:
    assert card("Ts") == "Ts"


@pytest.mark.parametrize("text", ["", "T", "10s", "sT", "ts", "1s", "Tx", "Ts ", "??"])
def test_text_that_is_not_a_card_is_refused(text: str) -> None:
    with pytest.raises(NotACard, match="is not a card: a rank of A23456789TJQK and a suit of shdc"):
        card(text)
