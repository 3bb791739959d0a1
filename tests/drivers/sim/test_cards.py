import pytest

from drivers.sim.cards import DECK, NotACardError, counts, decks, parse, shuffled


def test_a_deck_in_the_order_of_the_deck_check() -> None:
    assert len(set(DECK)) == 52
    assert DECK[0] == "As"
    assert DECK[13] == "Ah"
    assert DECK[51] == "Kc"


def test_a_shuffle_keeps_the_cards_and_depends_on_seed_and_number() -> None:
    pack = decks(8)
    assert sorted(shuffled(pack, 7, 0)) == sorted(pack)
    assert shuffled(pack, 7, 0) == shuffled(reversed(pack), 7, 0)
    assert len({tuple(shuffled(pack, seed, time)) for seed in range(3) for time in range(3)}) == 9


def test_cards_are_counted_by_kind() -> None:
    assert counts(decks(6)) == bytes([6] * 52)
    assert counts(["As", "As", "Kc"]) == bytes([2, *[0] * 50, 1])


def test_a_text_of_cards_is_read() -> None:
    assert parse("As Td\n9c") == ["As", "Td", "9c"]


@pytest.mark.parametrize("text", ["As 10d", "As 1s", "aS"])
def test_what_is_no_card_is_named(text: str) -> None:
    with pytest.raises(NotACardError, match=f"{text.rsplit(maxsplit=1)[-1]!r}, is not a card"):
        parse(text)
