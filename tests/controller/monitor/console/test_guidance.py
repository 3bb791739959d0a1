"""Take and pay, seat by seat in paying order, as the settled lines of real rounds say."""

from dataclasses import replace

import pytest

from controller.config.chips import USUAL
from controller.currency import ChipCount
from controller.games import GAMES
from controller.monitor.console.guidance import ChipSums, Guidance, guidance
from controller.table.record.views import TableView
from controller.table.view.build import build_view
from tests.controller.monitor.console.reading import shown
from tests.fixtures.crewed_table import CrewedTable
from tests.fixtures.played_views import JACKPOT
from tests.fixtures.state_table import StateTable
from tests.fixtures.table_views import DEVICES


def view_after(game: str, tokens: str) -> TableView:
    table = StateTable(game)
    table.play(tokens)
    return build_view("Table 7", table.state, DEVICES)


def due(seen: TableView) -> Guidance:
    found = guidance(seen)
    assert found is not None
    return found


def test_nobody_is_paid_while_hands_are_played() -> None:
    assert guidance(view_after("easy-jack", "1:main=500 close 4h 7s")) is None


def test_seats_come_in_their_order_until_all_are_paid() -> None:
    tokens = "2:main=500 4:main=500 5:main=500 close 4h 5h 6h 7s 2:stand 4:stand 5:stand"
    seats = []
    for paid in ("", " 2:pay", " 2:pay 4:pay", " 4:pay"):
        seen = due(view_after("easy-jack", tokens + paid))
        seats.append(seen.seat)
    assert seats == [2, 4, 5, 2]
    assert guidance(view_after("easy-jack", f"{tokens} pay")) is None


def test_each_wager_has_its_verb_amount_ratio_and_reason() -> None:
    seen = due(view_after("easy-jack", "1:main=500 1:dealer-bust=100 close 9h 5d 1:stand 4c"))
    told_of = [(each.verb, each.wager, each.stake, each.cents, each.reason) for each in seen.wagers]
    assert told_of == [
        ("push", "main", 500, 0, "both have 9"),
        ("take", "dealer-bust", 100, 100, "dealer stands on 9"),
    ]
    assert seen.chips == ChipSums(100, 0)


def in_dollars(view: TableView) -> TableView:
    return replace(view, currency="USD", chips=USUAL["USD"])


def counted(counts: tuple[ChipCount, ...]) -> dict[int, int]:
    return {one.chip.value: one.count for one in counts}


def test_a_paid_amount_is_counted_out_in_chips_and_the_seat_may_colour_up() -> None:
    view = in_dollars(view_after("easy-jack", "1:main=7500 close 9h 5d 1:stand 9c"))
    seen = due(view)
    assert seen.chips == ChipSums(0, 7500)
    assert seen.paid is not None
    assert (counted(seen.paid.counts), seen.paid.rest) == ({2500: 3}, 0)
    assert seen.colour_up is not None
    assert (counted(seen.colour_up.give), counted(seen.colour_up.take)) == ({2500: 4}, {10_000: 1})
    words = shown(view).words("guidance")
    assert "Pay 3 × $25" in words
    assert "Colour up 4 × $25 to 1 × $100" in words


def test_an_amount_that_no_chips_pay_is_named() -> None:
    view = in_dollars(view_after("easy-jack", "1:main=7530 close 9h 5d 1:stand 9c"))
    assert "3 × $25 and $0.30 that no chips pay" in shown(view).words("guidance")


def test_a_table_whose_chips_nobody_configured_counts_none_out() -> None:
    view = view_after("easy-jack", "1:main=7500 close 9h 5d 1:stand 9c")
    assert (due(view).paid, due(view).colour_up) == (None, None)
    assert "Colour up" not in shown(view).words("guidance")


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("seed", range(4))
def test_what_it_says_of_a_seat_is_what_the_seat_is_paid(game: str, seed: int) -> None:
    """The signed amounts of all lines in chips, with those paid by hand, are the seat's gain."""
    table = CrewedTable(game, seed)
    crew = table.crew
    crew.round = table.state.round
    table.apply(*map(table.reported, crew.wagers()))
    while table.state.round.phase != "paying":
        table.apply(table.reported(crew.sensible()))
    while found := guidance(seen := build_view("Table 7", table.state, DEVICES)):
        gains = [
            -each.cents if each.verb == "take" else each.cents
            for each in found.wagers
            if each.cents is not None
        ]
        net = seen.seats[found.seat - 1].net
        assert net is None or sum(gains) == net
        assert all(each.reason in shown(seen).words("guidance") for each in found.wagers)
        table.play(f"{found.seat}:pay")
        if table.state.round.phase != "paying":
            break


def test_a_share_of_a_jackpot_is_paid_by_hand() -> None:
    seen = due(view_after("blackjack-x", JACKPOT))
    (share,) = (each for each in seen.wagers if each.claim)
    (claim,) = view_after("blackjack-x", JACKPOT).claims
    assert (share.verb, share.wager, share.claim, share.cents) == ("pay", "blazing-7s", 1, claim.cents)
    (stake,) = (each for each in seen.wagers if each.wager == "blazing-7s" and not each.claim)
    assert (stake.verb, stake.cents, stake.reason) == ("take", 100, "a share is paid without the stake")
    rest = [
        -each.cents if each.verb == "take" else each.cents
        for each in seen.wagers
        if not each.claim and each.cents is not None
    ]
    assert seen.chips.net == sum(rest)
    assert "By hand, claim 1." in shown(view_after("blackjack-x", JACKPOT)).words("guidance")


def test_an_unknown_amount_is_paid_by_its_ratio() -> None:
    seen = view_after("easy-jack", "1:main=0 close Ah 5d")
    found = due(seen)
    assert (found.chips, found.wagers[0].cents, found.wagers[0].pays) == (ChipSums(0, None), None, "3:2")
    assert "by ratio" in shown(seen).words("guidance")


def test_wagers_of_several_hands_name_their_hand() -> None:
    seen = due(view_after("ez-bust", "1:main=1000 close 8c 9s 8h Qh 1:split Th 1:stand 9h 1:stand"))
    assert [(each.wager, each.hand) for each in seen.wagers] == [("main", 1), ("main", 2)]
