"""The other panels of the dealer's page: what is due, the seats, requests, claims, alerts."""

from dataclasses import replace

import pytest

from controller.currency import Chip
from controller.monitor.console.due import due
from controller.monitor.console.notices import RequestNotice, notices
from controller.table.record.events import (
    ConsoleKey,
    DealerOn,
    DeviceLost,
    RequestAnswered,
    RequestMade,
    Supervisor,
)
from controller.table.record.views import TableView
from controller.table.view.build import build_view
from drivers.messages import CardUnpermitted
from tests.controller.monitor.console.reading import shown, without_keys
from tests.fixtures.played_views import JACKPOT, PLAYED
from tests.fixtures.state_table import StateTable
from tests.fixtures.table_views import DEVICES, STATES


def seen(table: StateTable) -> TableView:
    return build_view("Table 7", table.state, DEVICES)


def at(tokens: str, game: str = "easy-jack") -> StateTable:
    table = StateTable(game)
    table.play(tokens)
    return table


@pytest.mark.parametrize("state", [*STATES.values(), *PLAYED.values()])
def test_every_state_is_drawn_whole(state: TableView) -> None:
    page = shown(state)
    assert page.due == (without_keys(state.prompt), state.prompt_seat)
    ids = [
        each.attributes["id"]
        for panel in page.panels.values()
        for each in panel.elements
        if "id" in each.attributes
    ]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("state", [*STATES.values(), *PLAYED.values()])
def test_every_button_has_a_name(state: TableView) -> None:
    buttons = [each for panel in shown(state).panels.values() for each in panel.all("button")]
    assert all(each.words or each.attributes.get("aria-label") for each in buttons)


def test_the_seats_show_cards_totals_wagers_and_who_is_to_act() -> None:
    felt = shown(seen(at("1:main=2500 1:dealer-bust=500 3:main=0 close 4h 5h 7s 2c"))).panels["console-felt"]
    (active,) = felt.of_class("active")[:1]
    assert active.words.startswith("Seat 1 to act")
    cards = [each.attributes["aria-label"] for each in felt.of_class("card")]
    assert cards == ["four of hearts", "two of clubs", "five of hearts"]
    wagers = [each.words for each in felt.of_class("wager")]
    assert wagers == ["25", "5", "?"]


def test_the_dealers_face_down_card_is_a_back() -> None:
    dealer = shown(seen(at("1:main=500 close 4h 7s"))).panels["console-dealer"]
    (card,) = dealer.of_class("card")
    assert (card.attributes["aria-label"], card.text.strip()) == ("face-down card", "")


def test_the_page_shows_dealer_round_shoe_and_bank() -> None:
    table = at("1:main=500 close", "no-bust-21st-century")
    table.apply(DealerOn("Dee Ray"))
    words = shown(seen(table)).words("bar")
    assert all(said in words for said in ("Dee Ray deals", "Round 1", "third party", "of 260"))


def test_what_is_due_stands_apart_from_the_window_beside_it() -> None:
    now = due(seen(at("1:main=1000 close 8c 6s 8h Qh", "ez-bust")))
    assert (now.prefix, now.text, now.seat) == (
        "EZ Bust open: seat 1. ",
        "Seat 1 has hard 16 against 6",
        1,
    )


def test_what_is_due_names_a_soft_hand_and_the_up_card_without_the_keys() -> None:
    assert due(seen(at("1:main=1000 close Ac Ks 6h Qh", "ez-bust"))).text == "Seat 1 has soft 17 against K"


def test_what_is_due_keeps_a_prompt_that_names_no_keys() -> None:
    assert due(seen(at("1:main=500 close 4h"))).text == "Deal 1 card"


def test_the_page_calls_a_supervisor_when_only_a_person_can_end_a_suspension() -> None:
    table = at("1:main=500 close 4h 7s 1:stand")
    table.shoe(CardUnpermitted(table.script.cards + 1, "Kd"))
    now = due(seen(table))
    assert (now.mood, now.help) == ("stopped", "Don't touch the cards. Call a supervisor to decide")


def test_the_page_calls_nobody_when_a_suspension_ends_by_itself() -> None:
    table = at("1:main=500 close 4h")
    table.apply(DeviceLost("shoe", "unplugged"))
    assert due(seen(table)).help.startswith("Play resumes automatically")


def test_test_mode_is_told_over_everything() -> None:
    view = replace(seen(at("1:main=500")), testing="Tess, since 10:15")
    assert (due(view).mood, "Test mode" in shown(view).words("due")) == ("testing", True)


class TestRequests:
    def asked(self) -> StateTable:
        table = at("1:main=500 close 4h 7s")
        table.apply(ConsoleKey("stand", 1, 0, "Dee"))
        why = "Pressed by mistake"
        table.apply(RequestMade("undo", "Dee", "dealer", why, Supervisor("undo", "Dee", why, None)))
        return table

    def test_what_the_dealer_asked_for_waits(self) -> None:
        assert notices(seen(self.asked())).requests == (
            RequestNotice("Undo: waiting for a supervisor", "open"),
        )

    def test_what_came_of_it_and_why(self) -> None:
        table = self.asked()
        number = seen(table).requests[0].number
        table.apply(
            RequestAnswered(number, grant=False, who="Ann", role="supervisor", why="the hand has acted")
        )
        assert notices(seen(table)).requests == (
            RequestNotice("Undo declined by Ann: the hand has acted", "declined"),
        )
        assert "Undo declined by Ann" in shown(seen(table)).words("news")

    def test_what_came_of_it_ends_with_its_round(self) -> None:
        table = self.asked()
        number = seen(table).requests[0].number
        table.apply(
            RequestAnswered(number, grant=False, who="Ann", role="supervisor", why="the hand has acted")
        )
        table.play("pay")
        assert seen(table).round == 2
        assert notices(seen(table)).requests == ()

    def test_an_answer_to_an_older_request_is_shown_in_the_round_in_which_it_comes(self) -> None:
        table = at("1:main=500 close 4h 7s 1:stand")
        table.apply(RequestMade("help", "Dee", "dealer", "The dealer calls"))
        table.play("pay")
        assert seen(table).round == 2
        (number,) = (request.number for request in seen(table).requests)
        table.apply(RequestAnswered(number, grant=True, who="Ann", role="supervisor"))
        assert notices(seen(table)).requests == (RequestNotice("Call granted by Ann", "granted"),)

    def test_a_call_is_shown_beside(self) -> None:
        table = self.asked()
        table.apply(RequestMade("help", "Dee", "dealer", "The dealer calls"))
        assert RequestNotice("Call: a supervisor is called", "open") in notices(seen(table)).requests


def test_a_jackpot_is_what_is_due_and_no_alert_beside() -> None:
    now = due(seen(at(JACKPOT, "blackjack-x")))
    assert now.prefix == "Jackpot 1000.04, seat 1: confirm claim 1. "
    assert (now.mood, now.seat) == ("jackpot", 1)
    assert now.claim
    assert not notices(seen(at(JACKPOT, "blackjack-x"))).alerts


def test_a_claim_that_waits_for_others_stands_below() -> None:
    now = due(replace(PLAYED["claims"], claims=tuple(one for one in PLAYED["claims"].claims if one.dealer)))
    assert (now.mood, now.claim) == ("calm", None)
    assert now.waiting == (
        "Claim 4, seat 1: ready to be paid",
        "Claim 5, seat 2: another person must verify it",
        "Claim 6, seat 3: a supervisor must verify it",
    )


def test_a_claim_waits_for_the_dealers_confirmation() -> None:
    page = shown(seen(at(JACKPOT, "blackjack-x")))
    (key,) = page.panels["console-due"].all("button", data_claim="")
    assert key.attributes["data-claim"] == "1"
    assert key.attributes["aria-label"].startswith("Confirm claim 1: seat 1, ")


def test_alerts_stand_on_the_page() -> None:
    table = at("1:main=500 close")
    table.play("4:main=500")
    assert "seat 4: a main wager appeared after betting closed" in shown(seen(table)).words("news")


def test_more_alerts_than_there_is_room_for_are_counted() -> None:
    table = at("1:main=500 close")
    table.play("3:main=500 4:main=500 5:main=500 6:main=500")
    news = shown(seen(table)).panels["console-news"].of_class("alert")
    assert [each.words for each in news][2:] == ["and 2 more"]


def test_discs_have_the_colour_of_the_configured_chip_of_that_value_and_no_other() -> None:
    view = seen(at("1:main=2500 1:dealer-bust=500 3:main=3000 close 4h 5h 7s 2c"))
    chips = (Chip(500, "red"), Chip(2500, "green"), Chip(10_000, "black"))
    assert discs(replace(view, chips=chips)) == ["chip of-green", "chip of-red", "chip"]
    assert discs(view) == ["chip", "chip", "chip"]


def discs(view: TableView) -> list[str]:
    """The classes of the discs on the felt."""
    return [each.attributes["class"] for each in shown(view).panels["console-felt"].of_class("chip")]
