"""What every game must keep to, as tests that pytest runs for the game of a plug-in.

    from controller.plugin_kit import GameContract

    class TestPush22(GameContract):
        game = "push-22"

The plug-in must be installed, because its game is opened by its name. Each test plays rounds by chance; the
same numbers play the same rounds.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from fractions import Fraction
from math import sqrt
from typing import Any, ClassVar

from controller.demo.crew.playbook import Playbook, PlayerView, playbook
from controller.games import Game, Layout, Settlement, open_game
from controller.games.spots import long_spots
from controller.money import ratio
from controller.odds.bet import Bet
from controller.odds.exact import NoOdds, bets
from controller.odds.simulate import simulate
from controller.odds.tally import BetTally
from controller.plugin_kit.random_round import RandomRound
from controller.round import Round
from controller.round.settle import round_result, settle

MOST_PROMPT_BYTES = 120
"""What the dealer's console can show."""
STANDARD_ERRORS = 4


class GameContract:
    """`game`: the id. `options`: some that change rules are worth a class of their own."""

    game: ClassVar[str]
    options: ClassVar[Mapping[str, Any]] = {}
    rounds: ClassVar[int] = 200
    """Rounds of several seats that each test plays."""
    simulated_rounds: ClassVar[int] = 3000
    """Rounds of one seat that are compared with exact odds."""

    def test_the_game_opens_by_its_name(self) -> None:
        opened = self._open()
        assert opened.name == self.game, f"{opened.name} is opened as {self.game}"

    def test_the_names_of_spots_fit_a_seat(self) -> None:
        assert not (long := long_spots(self._open().spots)), long

    def test_each_round_asks_for_a_key_or_a_card_until_it_ends(self) -> None:
        for played in self._rounds():
            ended = played.play()
            assert not ended.unpaid, f"a round is over before seats {ended.unpaid} are paid"

    def test_each_prompt_fits_the_console(self) -> None:
        for played in self._rounds():
            for state in played.steps():
                length = len(state.due.text.encode())
                assert state.phase == "over" or length > 0, f"no prompt in the phase {state.phase}"
                assert length <= MOST_PROMPT_BYTES, f"{length} bytes of prompt: {state.due.text}"

    def test_settlements_conserve_money(self) -> None:
        for played in self._rounds():
            ended = played.play()
            wagers = Counter(
                (what.seat, what.hand, what.wager, what.amount)
                for what in ended.game.wagered(Layout(dict(ended.seats)))
            )
            lines = Counter((line.seat, line.hand, line.wager, line.amount) for line in ended.settlements)
            assert lines == wagers, f"wagers {wagers - lines} have no line, lines {lines - wagers} no wager"
            for line in ended.settlements:
                _check_line(line, ended.game)

    def test_a_round_as_a_script_settles_the_same(self) -> None:
        for played in self._rounds():
            ended = played.play()
            script = played.script()
            answer = settle(json.dumps(_as_line(asdict(script))))
            assert "error" not in answer, f"{script} is refused: {answer.get('error')}"
            lines, settled = round_result(ended)["settlements"], answer["settlements"]
            assert settled == lines, f"{script} is settled as {settled}, and was at the table as {lines}"

    def test_simulated_players_press_keys_that_the_round_accepts(self) -> None:
        book = playbook(self._open())
        for played in self._rounds():
            for state in played.steps():
                _check_advice(state, book)

    def test_simulated_play_costs_what_the_exact_odds_say(self) -> None:
        """Within four standard errors, for every bet that has exact odds."""
        opened = self._open()
        try:
            found = bets(opened)
        except NoOdds:
            found = ()
        tallies = simulate(opened, self.simulated_rounds, 1, processors=1).tallies
        assert {tally.bet for tally in tallies}, "no bet is settled"
        for tally in tallies:
            for bet in (one for one in found if one.bet == tally.bet and one.given == tally.given):
                _check_edge(bet, tally)

    def _open(self) -> Game:
        return open_game(self.game, self.options)

    def _rounds(self) -> Iterator[RandomRound]:
        opened = self._open()
        return (RandomRound(opened, seed) for seed in range(self.rounds))


def _as_line(script: dict[str, Any]) -> dict[str, Any]:
    """What a script has of a round that the table stored."""
    return {name: script[name] for name in ("game", "options", "wagers", "meters", "script")}


def _check_line(line: Settlement, game: Game) -> None:
    """What a line pays follows from its amount, its outcome and its ratio."""
    assert line.reason, f"{line} has no reason"
    assert line.amount is not None, f"{line} has no amount"
    assert line.paid is not None, f"{line} pays nobody knows what"
    if line.outcome == "push":
        assert (line.paid, line.pays) == (0, None), f"{line} is a push, and pays"
    elif line.outcome == "lose":
        assert line.pays is None, f"{line} is lost, and has a ratio"
        assert -line.amount <= line.paid <= 0, f"{line} takes more than the wager"
    else:
        assert line.pays is not None, f"{line} is won, and has no ratio"
        if not line.pays.endswith("%"):
            pays = ratio(line.pays)
            due = Fraction(line.amount * pays.win, pays.stake)
            assert line.paid + Fraction(line.rounding or 0) == due, f"{line} does not pay {due}"
            assert line.paid % game.options.chip == 0, f"{line} is not a multiple of the chip"


def _check_advice(state: Round, book: Playbook) -> None:
    """A player, who sees only cards, asks for a key of the hand in turn."""
    if state.phase != "playing" or state.turn is None or not state.advice:
        return
    seat = state.seats[state.turn.seat]
    hands = tuple(hand.cards for hand in seat.hands)
    plays_on = seat.hands[state.turn.hand].choice == "play"
    up = next((card for card in state.dealer.cards if card != "??"), "")
    asked = book.advise(PlayerView(hands, state.turn.hand, up, plays_on))
    assert asked in {*state.keys, "hit"}, f"advice {asked!r} for {hands}; allowed: {sorted(state.keys)}"


def _check_edge(bet: Bet, tally: BetTally) -> None:
    mean = -bet.house_edge
    variance = sum(one.probability * one.gain**2 for one in bet.outcomes) - mean**2
    error = sqrt(variance / tally.count)
    exact = float(bet.house_edge)
    near = abs(tally.house_edge - exact) <= STANDARD_ERRORS * error
    assert near, (
        f"{bet.bet} {dict(bet.given)}: exact edge {exact:.4%}, simulated {tally.house_edge:.4%}, "
        f"standard error {error:.4%}"
    )
