"""What the crew does at a prompt, with lamps and keys that come before or after it."""

from typing import Any

import pytest

from controller.demo.crew.device_requests import DeviceRequest
from controller.demo.crew.habits import Mood
from controller.demo.crew.play import CrewMachine
from controller.table.apply.claims import announcement
from drivers.protocol.codes import LAMPS, SPOTS_PER_SEAT, Lamp
from tests.controller.demo.crew.playbook import PLAYBOOK

SEED = 3
LATE = 2
EVERY_KEY = ("stand", "hit", "double", "split", "play", "insurance", "close", "pay")


class Crew:
    """Does each request at once, and records it."""

    def __init__(self, seed: int = SEED) -> None:
        self.play = CrewMachine(PLAYBOOK, seed)
        self.mood = Mood(seed, 0, PLAYBOOK)
        self.seat = self.mood.bets()[0].seat
        self.number = self.count = 0
        self.deck = iter(f"{rank}{suit}" for rank in "23456789TJQK" for suit in "hd" * 4)

    def see(self, notice: str, **fields: Any) -> None:
        self.play.notice({"notice": notice, **fields})

    def show(self, prompt: str, *keys: str, permit: int = 0) -> None:
        self.number += 1
        self.see("prompt", text=prompt, number=self.number)
        self.see("keys", keys=list(keys))
        self.see("permit", up_to=self.count + permit)

    def light(self, *open_spots: tuple[int, int]) -> None:
        lamps = [Lamp.NO_BETS] * LAMPS
        for seat, spot in open_spots:
            lamps[SPOTS_PER_SEAT * (seat - 1) + spot] = Lamp.OPEN
        self.see("lamps", lamps=lamps, safe=False)

    def act(self) -> DeviceRequest | None:
        """Its next act."""
        if (ask := self.play.next()) is None:
            return None
        self.play.sent(ask)
        self.play.completed(ask, {"ok": True})
        if ask.request["do"] == "pull":
            self.count += 1
            self.see("card", count=self.count, card=next(self.deck))
        return ask

    def acts(self) -> list[str]:
        """All its acts until it waits, in short form."""
        done = []
        while ask := self.act():
            done.append(ask.request.get("action", ask.request["do"]))
        return done

    def closed(self) -> None:
        """Up to the end of betting."""
        self.show("Place your bets")
        bets = len(self.mood.bets())
        assert self.acts() == ["clear", *["put"] * bets]
        self.show(f"Place your bets: {bets} wagers", "close")
        assert self.acts() == ["close"]

    def dealt(self) -> None:
        """Up to the end of the deal, each seat with two cards of one rank or not, as the deck has it."""
        self.closed()
        cards = 2 * (1 + len({bet.seat for bet in self.mood.bets()}))
        self.show(f"Deal {cards} cards", permit=cards)
        assert self.acts() == ["pull"] * cards

    def wanted(self) -> int:
        """Late wagers after the deal."""
        return sum(len(self.mood.late(seat, 1)) for seat in {bet.seat for bet in self.mood.bets()})


def wanting(late: bool) -> Crew:
    """A crew after the deal in which somebody wants a late wager, or nobody does, and nobody closes early."""
    for seed in range(100):
        crew = Crew(seed)
        if (crew.wanted() > 0) == late and not crew.mood.has("close", crew.seat, 1):
            crew.dealt()
            return crew
    raise AssertionError("no seed is like that")


def window(crew: Crew, placed: int = 0) -> str:
    seats = ", ".join(str(seat) for seat in sorted({bet.seat for bet in crew.mood.bets()}))
    count = f" ({placed} placed)" if placed else ""
    return f"Late open: seats {seats}{count}. Seat {crew.seat} has 2: hit or stand"


class TestWindows:
    def test_chips_wait_for_the_lamp_and_the_hand_for_the_chips(self) -> None:
        crew = wanting(late=True)
        crew.show(window(crew), *EVERY_KEY, permit=1)
        assert crew.acts() == []
        crew.light(*((seat, LATE) for seat in range(1, 8)))
        assert crew.acts() == ["put"] * crew.wanted()
        crew.show(window(crew, crew.wanted()), *EVERY_KEY, permit=1)
        assert crew.acts() != []
        assert sum(":late=" in token for token in crew.play.round.script) == crew.wanted()

    def test_nobody_waits_where_nobody_wants_anything(self) -> None:
        crew = wanting(late=False)
        crew.show(window(crew), *EVERY_KEY, permit=1)
        assert crew.acts() != []

    def test_who_waited_for_long_plays_without_the_wager(self) -> None:
        crew = wanting(late=True)
        crew.show(window(crew), *EVERY_KEY, permit=1)
        assert crew.acts() == []
        crew.play.retry()
        assert crew.acts() != []
        assert not any(":late=" in token for token in crew.play.round.script)

    def test_a_window_that_nobody_can_act_in_is_closed(self) -> None:
        crew = wanting(late=False)
        crew.show(f"Late open: seat {crew.seat}. Close when done", "close")
        assert crew.acts() == ["close"]


class TestHands:
    def test_a_prompt_that_is_behind_the_cards_is_not_answered(self) -> None:
        crew = wanting(late=False)
        crew.show(f"Seat {crew.seat} has 3: hit or stand", "hit", "stand", permit=1)
        assert crew.acts() == []
        crew.show(f"No natural. Seat {crew.seat} has 2: hit or stand", *EVERY_KEY, permit=1)
        assert crew.acts() != []

    def test_a_key_that_is_not_lit_yet_is_waited_for(self) -> None:
        crew = wanting(late=False)
        crew.play.round.hands[crew.seat] = [["8h", "8d"]]
        crew.show(f"Seat {crew.seat} has 2: hit, stand or split", permit=1)
        assert "split" not in crew.acts()
        crew.see("keys", keys=["hit", "split", "stand", "play"])
        assert crew.acts()[0] in {"split", "play"}


class TestAKey:
    """A key is recorded when another prompt shows that the table took it."""

    def crew(self) -> Crew:
        crew = wanting(late=False)
        crew.play.round.hands[crew.seat] = [["8h", "9h", "Th"]]
        self.prompt = f"Seat {crew.seat} has 3: hit or stand"
        crew.show(self.prompt, "stand")
        assert crew.acts() == ["stand"]
        return crew

    def said(self, crew: Crew) -> int:
        return crew.play.round.script.count(f"{crew.seat}:stand")

    @pytest.mark.parametrize("prompt", ["", "Suspended: Missing: the shoe"])
    def test_no_key_is_pressed_when_there_is_nothing_to_do(self, prompt: str) -> None:
        crew = self.crew()
        crew.show(prompt)
        assert self.said(crew) == 0
        crew.show("Dealer has 12: draw", permit=1)
        assert self.said(crew) == 1

    def test_a_key_is_pressed_once_if_the_same_prompt_comes_back(self) -> None:
        crew = self.crew()
        crew.play.disconnected("console")
        crew.show(self.prompt, "stand")
        assert (crew.acts(), self.said(crew)) == (["stand"], 0)
        crew.show("Pay seat 1", "pay")
        assert self.said(crew) == 1


class TestSomebodyElsesRound:
    @pytest.mark.parametrize(
        ("prompt", "keys", "done"),
        [
            ("Deal 3 cards", (), "pull"),
            ("Insurance: seat 1. Close when done", ("insurance", "close"), "close"),
            ("Late open: seats 1-3 (1 placed). Seat 1 has 12: hit or stand", ("close", "stand"), "stand"),
            ("Seat 4 hand 2 has soft 12: hit, stand or double", ("double", "stand"), "stand"),
            ("Seat 4 has 11: double or hit", ("double",), "pull"),
            ("Seat 4 has 11 and doubles: draw a card", ("stand",), "pull"),
            ("Dealer has 12: draw", (), "pull"),
            ("Pay seat 1, then seat 4", ("pay",), "pay"),
        ],
    )
    def test_is_ended_and_not_written_down(self, prompt: str, keys: tuple[str, ...], done: str) -> None:
        crew = Crew()
        crew.show(prompt, *keys, permit=1)
        assert crew.acts() == [done]
        crew.show("Place your bets: 2 wagers", "close")
        assert crew.acts() == ["clear"]
        assert (crew.play.rounds, crew.play.round.script) == ([], [])


@pytest.mark.parametrize("prompt", ["Burn 1 card", "Deal 4 cards"])
def test_a_round_that_is_void_before_the_crew_drew_a_card_is_a_round(prompt: str) -> None:
    crew = Crew()
    crew.closed()
    crew.show(prompt, permit=1)
    crew.show("Suspended: Missing: the shoe")
    crew.show(f"Place your bets: {len(crew.mood.bets())} wagers", "close")
    assert crew.acts() == ["clear"]
    assert [played.void for played in crew.play.rounds] == [True]


def test_a_claim_that_is_confirmed_does_not_make_another_prompt() -> None:
    crew = wanting(late=False)
    prompt = "Dealer has 12: draw"
    crew.show(announcement(1, 3, 50_000) + prompt, permit=2)
    assert crew.acts() == ["pull"]
    crew.show(prompt, permit=1)
    assert crew.acts() == []
