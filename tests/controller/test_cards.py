import pytest

from controller.cards import DECK, NotACard, card


def test_a_deck_has_every_card_once() -> None:
    assert len(set(DECK)) == 52
    assert {"As", "Th", "2d", "Kc"} <= set(DECK)


def test_reads_a_card() -> None:
    assert card("Ts") == "Ts"


@pytest.mark.parametrize("text", ["", "T", "10s", "sT", "ts", "1s", "Tx", "Ts ", "??"])
def test_refuses_what_is_no_card(text: str) -> None:
    with pytest.raises(NotACard, match="is no card: a rank of A23456789TJQK and a suit of shdc"):
        card(text)
