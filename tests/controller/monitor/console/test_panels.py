"""What else stands on the dealer's page: what is due, the seats, requests, claims, alerts."""

from dataclasses import replace

import pytest

from controller.monitor.console.due import due
from controller.monitor.console.notices import News, bulletin
from controller.table.record.events import Answered, Asked, ConsoleKey, DealerOn, DeviceLost, Supervisor
from controller.table.record.views import TableView
from controller.table.view.build import view
from drivers.messages import CardUnpermitted
from tests.controller.monitor.console.reading import shown
from tests.fixtures.played_views import JACKPOT, PLAYED
from tests.fixtures.state_table import Told
from tests.fixtures.table_views import DEVICES, STATES


def seen(told: Told) -> TableView:
    return view("Table 7", told.state, DEVICES)


def at(tokens: str, game: str = "easy-jack") -> Told:
    told = Told(game)
    told.play(tokens)
    return told


@pytest.mark.parametrize("state", [*STATES.values(), *PLAYED.values()])
def test_every_state_is_drawn_whole(state: TableView) -> None:
    page = shown(state)
    assert page.due == (state.prompt, state.prompt_seat)
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


def test_who_deals_the_round_the_shoe_and_the_bank() -> None:
    told = at("1:main=500 close", "no-bust-21st-century")
    told.tell(DealerOn("Dee Ray"))
    words = shown(seen(told)).words("bar")
    assert all(said in words for said in ("Dee Ray deals", "Round 1", "third party", "of 260"))


def test_what_is_due_stands_apart_from_the_window_beside_it() -> None:
    now = due(seen(at("1:main=1000 close 8c 6s 8h Qh", "ez-bust")))
    asked = "Seat 1 has 16: hit, stand, double, split or surrender"
    assert (now.beside, now.text, now.seat) == ("EZ Bust open: seat 1. ", asked, 1)


def test_where_play_stands_still_until_a_person_speaks_it_says_so() -> None:
    told = at("1:main=500 close 4h 7s 1:stand")
    told.shoe(CardUnpermitted(told.script.cards + 1, "Kd"))
    now = due(seen(told))
    assert (now.mood, now.help) == ("stopped", "Touch no card. A supervisor has to say what it was: call one")


def test_where_it_goes_on_by_itself_nobody_is_called() -> None:
    told = at("1:main=500 close 4h")
    told.tell(DeviceLost("shoe", "unplugged"))
    assert due(seen(told)).help.startswith("It goes on by itself")


def test_test_mode_is_told_over_everything() -> None:
    told = replace(seen(at("1:main=500")), testing="Tess, since 10:15")
    assert (due(told).mood, "Test mode" in shown(told).words("due")) == ("testing", True)


class TestRequests:
    def asked(self) -> Told:
        told = at("1:main=500 close 4h 7s")
        told.tell(ConsoleKey("stand", 1, 0, "Dee"))
        why = "Pressed by mistake"
        told.tell(Asked("undo", "Dee", "dealer", why, Supervisor("undo", "Dee", why, None)))
        return told

    def test_what_the_dealer_asked_for_waits(self) -> None:
        assert bulletin(seen(self.asked())).news == (News("Undo: waits for a supervisor", "open"),)

    def test_what_came_of_it_and_why(self) -> None:
        told = self.asked()
        number = seen(told).requests[0].number
        told.tell(Answered(number, grant=False, who="Ann", role="supervisor", why="the hand has acted"))
        assert bulletin(seen(told)).news == (News("Undo declined by Ann: the hand has acted", "declined"),)
        assert "Undo declined by Ann" in shown(seen(told)).words("news")

    def test_what_came_of_it_ends_with_its_round(self) -> None:
        told = self.asked()
        number = seen(told).requests[0].number
        told.tell(Answered(number, grant=False, who="Ann", role="supervisor", why="the hand has acted"))
        told.play("pay")
        assert seen(told).round == 2
        assert bulletin(seen(told)).news == ()

    def test_an_answer_to_an_older_request_is_shown_in_the_round_in_which_it_comes(self) -> None:
        told = at("1:main=500 close 4h 7s 1:stand")
        told.tell(Asked("help", "Dee", "dealer", "The dealer calls"))
        told.play("pay")
        assert seen(told).round == 2
        (number,) = (request.number for request in seen(told).requests)
        told.tell(Answered(number, grant=True, who="Ann", role="supervisor"))
        assert bulletin(seen(told)).news == (News("Call granted by Ann", "granted"),)

    def test_a_call_is_shown_beside(self) -> None:
        told = self.asked()
        told.tell(Asked("help", "Dee", "dealer", "The dealer calls"))
        assert News("Call: a supervisor is called", "open") in bulletin(seen(told)).news


def test_a_jackpot_is_what_is_due_and_no_alert_beside() -> None:
    now = due(seen(at(JACKPOT, "blackjack-x")))
    assert now.beside == "Jackpot 1000.04, seat 1: confirm claim 1. "
    assert (now.mood, now.seat) == ("jackpot", 1)
    assert now.claim
    assert not bulletin(seen(at(JACKPOT, "blackjack-x"))).alerts


def test_a_claim_that_waits_for_others_stands_below() -> None:
    now = due(replace(PLAYED["claims"], claims=tuple(one for one in PLAYED["claims"].claims if one.dealer)))
    assert (now.mood, now.claim) == ("calm", None)
    assert now.waiting == (
        "Claim 4, seat 1: it is to be paid",
        "Claim 5, seat 2: another person has to verify it",
        "Claim 6, seat 3: a supervisor has to verify it",
    )


def test_a_claim_waits_for_the_dealers_confirmation() -> None:
    page = shown(seen(at(JACKPOT, "blackjack-x")))
    (key,) = page.panels["console-due"].all("button", data_claim="")
    assert key.attributes["data-claim"] == "1"
    assert key.attributes["aria-label"].startswith("Confirm claim 1: seat 1, ")


def test_alerts_are_told() -> None:
    told = at("1:main=500 close")
    told.play("4:main=500")
    assert "seat 4: a main wager appeared after betting closed" in shown(seen(told)).words("news")


def test_more_alerts_than_there_is_room_for_are_counted() -> None:
    told = at("1:main=500 close")
    told.play("3:main=500 4:main=500 5:main=500 6:main=500")
    news = shown(seen(told)).panels["console-news"].of_class("alert")
    assert [each.words for each in news][2:] == ["and 2 more"]
