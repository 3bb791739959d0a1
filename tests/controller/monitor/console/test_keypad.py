"""The keys of the page: in their places, with their letters, and none but the legal ones."""

from itertools import chain

import pytest

from controller.games import GAMES
from controller.monitor.console.keypad import TABLE_KEY_LABELS, keypad
from controller.round.keys import ACTIONS, KEY_NAMES
from controller.round.phases import PHASES
from controller.table.record.views import TableView
from controller.table.view.build import build_view
from drivers.protocol.codes import KEYS, MOST_SEATS
from tests.controller.monitor.console.reading import shown
from tests.fixtures.state_table import StateTable
from tests.fixtures.table_views import DEVICES

PAIR = "1:main=1000 close 8c 6s 8h Qh"
QUICK = "1:bet=500 1:surrender-or-play=500 close Th 6s 8h 5h"
FRESH = ("hit", "stand", "double", "surrender", "play", "quick-pay")
ACE = "1:main=1000 3:main=600 close 9h Ks As 8h Ah Qh"


def table(game: str, tokens: str, **options: object) -> TableView:
    table = StateTable(game, **options)
    table.play(tokens)
    return build_view("Table 7", table.state, DEVICES)


@pytest.mark.parametrize(
    ("game", "tokens", "presses"),
    [
        ("easy-jack", "", []),
        ("easy-jack", "1:main=500 close", []),
        ("easy-jack", "1:main=500", [("close", 0)]),
        ("easy-jack", "1:main=500 close 4h 7s", [("hit", 1), ("stand", 1)]),
        ("easy-jack", "1:main=500 2:main=500 close 4h 5h 7s 1:stand", [("hit", 2), ("stand", 2)]),
        (
            "easy-jack",
            "1:main=500 2:main=500 close 4h 5h 7s 1:stand 2:stand",
            [("pay", 1), ("pay", 2), ("pay", 0)],
        ),
        ("easy-jack", "1:main=500 2:main=500 close 4h 5h 7s 1:stand 2:stand 1:pay", [("pay", 2), ("pay", 0)]),
        (
            "ez-bust",
            PAIR,
            [(key, 1) for key in ("hit", "stand", "double", "split", "surrender")] + [("close", 0)],
        ),
        ("ez-bust", f"{PAIR} 1:split", [("close", 0)]),
        ("ez-bust", f"{PAIR} close 1:double", []),
        ("ez-bust", ACE, [("insurance", 1), ("insurance", 3), ("close", 0)]),
        ("ez-bust", f"{ACE} 3:insurance", [("insurance", 1), ("close", 0)]),
        ("quick-pay", QUICK, [*((key, 1) for key in FRESH), ("close", 0)]),
        (
            "no-bust-21st-century",
            "1:main=1000 close 5h 9s 6h 5h",
            [("hit", 1), ("double", 1), ("surrender", 1)],
        ),
        ("pure-21-5", "1:main=1000 close 5h As 6h 5h", [("insurance", 1), ("close", 0)]),
        ("blackjack-x", "1:main=1000 close As 6s Ks 5h", [("pay", 1), ("pay", 0)]),
    ],
)
def test_the_legal_keys_and_no_others(game: str, tokens: str, presses: list[tuple[str, int]]) -> None:
    assert sorted(shown(table(game, tokens)).presses) == sorted(presses)


def test_even_money_and_insurance_stand_in_the_column_of_their_seat() -> None:
    seen = keypad(table("ez-bust", ACE.replace("Ah", "Kh").replace("Ks", "As", 1), even_money=True))
    offered = {column.seat: [key.action for key in column.keys] for column in seen.columns}
    assert offered == {1: ["insurance"], 3: ["insurance", "even-money"]}
    assert seen.hand == ()


def test_a_seat_keeps_its_column_when_it_has_been_paid() -> None:
    seen = keypad(table("easy-jack", "1:main=500 4:main=500 close 4h 5h 7s 1:stand 4:stand 1:pay"))
    assert [(column.seat, [key.action for key in column.keys]) for column in seen.columns] == [
        (1, []),
        (4, ["pay"]),
    ]


def test_a_double_may_be_for_less_and_says_so() -> None:
    page = shown(table("ez-bust", f"{PAIR} close"))
    (more,) = page.panels["console-pad"].all("button", data_more="double")
    bounds = {name: more.attributes[f"data-{name}"] for name in ("seat", "least", "most", "step")}
    assert bounds == {"seat": "1", "least": "1", "most": "1000", "step": "1"}
    texts = {name: more.attributes[f"data-{name}-text"] for name in ("usual", "least", "most", "step")}
    assert texts == {"usual": "10", "least": "0.01", "most": "10", "step": "0.01"}


def test_a_wager_that_nobody_knows_is_doubled_for_nothing_else() -> None:
    page = shown(table("ez-bust", f"{PAIR.replace('1000', '0')} close"))
    assert ("double", 1) in page.presses
    assert page.panels["console-pad"].all("button", data_more="") == []


def test_the_key_of_the_seat_that_is_paid_next_stands_out() -> None:
    table = StateTable()
    table.play("2:main=500 5:main=500 close 4h 5h 7s 2:stand 5:stand")
    due = [
        key.attributes["data-seat"]
        for key in shown(build_view("T", table.state, DEVICES)).keys
        if "due" in key.attributes["class"].split()
    ]
    assert due == ["2"]


@pytest.mark.parametrize(
    ("game", "tokens", "says"),
    [
        ("easy-jack", "1:main=500 1:dealer-bust=100 close 9h 5d 1:stand 4c", "Take"),
        ("easy-jack", "1:main=500 close 4h 3d 1:stand 2s 9d", "Pay"),
        ("easy-jack", "1:main=500 close 9h 5d 1:stand 4c", "Push"),
        ("ez-bust", f"{ACE} 1:insurance close", "Take, pay"),
    ],
)
def test_the_key_of_a_seat_says_what_the_dealer_does_there(game: str, tokens: str, says: str) -> None:
    [key] = keypad(table(game, tokens)).columns[0].keys
    assert key.label == says


@pytest.mark.parametrize(
    ("game", "tokens", "says"),
    [
        ("easy-jack", "1:main=500", "No more bets"),
        ("ez-bust", ACE, "Close insurance"),
        ("ez-bust", PAIR, "Close EZ Bust"),
        ("quick-pay", QUICK, "Close Hedge"),
        ("easy-jack", "1:main=500 close 4h 7s 1:stand", "All paid"),
    ],
)
def test_the_key_for_the_whole_table_says_what_it_does(game: str, tokens: str, says: str) -> None:
    key = keypad(table(game, tokens)).table
    assert key is not None
    assert key.label == says


@pytest.mark.parametrize(("game", "tokens"), [("ez-bust", PAIR), ("ez-bust", ACE), ("quick-pay", QUICK)])
def test_every_key_has_a_letter_of_its_own_and_says_it(game: str, tokens: str) -> None:
    keys = shown(table(game, tokens)).keys
    letters = [key.attributes["data-letter"] for key in keys]
    assert len(set(letters)) == len(letters) == len(keys)
    assert all(key.words.endswith(letter.upper()) for key, letter in zip(keys, letters, strict=True))


@pytest.mark.parametrize(("tokens", "may"), [("", False), ("stand", True), ("stand 5h", False)])
def test_a_key_may_be_taken_back_while_it_is_the_last_thing_that_happened(tokens: str, may: bool) -> None:
    played = tokens.replace("stand", "1:stand")
    page = shown(table("easy-jack", f"1:main=500 2:main=500 close 4h 7s 2c {played}"))
    asks = [each.attributes["data-asks"] for each in page.panels["console-asks"].all("button")]
    assert asks == ["undo", "help"] if may else asks == ["help"]


def test_letters_never_meet_whatever_is_lit() -> None:
    """In one phase: keys of the hand with those for the table, and keys by seat with those for the table."""
    fixed = [*filter(None, (key.letter for key in KEY_NAMES.values())), "z", "k"]
    assert len(set(fixed)) == len(fixed)
    assert all(len(key.by_seat) in (0, MOST_SEATS) for key in KEY_NAMES.values())
    by_seat = chain(KEY_NAMES["insurance"].by_seat, KEY_NAMES["even-money"].by_seat)
    insuring = [*by_seat, KEY_NAMES["close"].letter, "z", "k"]
    assert len(set(insuring)) == len(insuring)


def test_every_key_of_the_console_has_its_words() -> None:
    assert set(KEYS) == set(ACTIONS) == set(KEY_NAMES)
    assert all(key.label and (key.letter or key.by_seat) for key in KEY_NAMES.values())
    assert TABLE_KEY_LABELS.keys() <= PHASES.keys()


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_key_keeps_its_place_while_others_come_and_go(game: str) -> None:
    """Each action has one place in the style sheet."""
    main = " ".join(f"1:{spot}=500" for spot in GAMES[game](None).hand_spots)
    cards = "5h 6s" if game == "easy-jack" else "5h 6s 4h Ts"
    keys = shown(table(game, f"{main} close {cards}"))
    places = {each.attributes["class"] for each in keys.panels["console-pad"].of_class("at")}
    assert places == {f"at at-{action}" for action, seat in keys.presses if seat}
