"""Runs in the environment of the peers: prints what they measure as JSON, as `Peers` reads it.

In blackjack the player draws to 16 or less, in every project. In PokerKit six players check or call until the
cards are shown.
"""

import json
import logging
import sys
from collections.abc import Callable
from importlib.metadata import version
from random import Random
from time import process_time

import gymnasium
import pyspiel
import rlcard
from pokerkit import Automation, NoLimitTexasHoldem

from benchmarks.peers import pinball

STANDS_ON = 17
SEED = 1
ROUNDS = 5000
HANDS = 200
TIMES = 1000
HIT, STAND = 1, 0
"""The actions of gymnasium."""
SPIEL_HIT, SPIEL_STAND = 0, 1
PLAYERS = 6


def play_gymnasium(rounds: int) -> None:
    env = gymnasium.make("Blackjack-v1").unwrapped
    for number in range(rounds):
        (total, _up, _ace), _ = env.reset(seed=None if number else SEED)
        over = False
        while not over:
            (total, _up, _ace), _reward, over, _cut, _ = env.step(HIT if total < STANDS_ON else STAND)


def play_open_spiel(rounds: int) -> None:
    game, random = pyspiel.load_game("blackjack"), Random(SEED)
    for _ in range(rounds):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(random.choice(state.legal_actions()))
            else:
                total = state.get_best_player_total(state.current_player())
                state.apply_action(SPIEL_HIT if total < STANDS_ON else SPIEL_STAND)


def play_rlcard(rounds: int) -> None:
    env = rlcard.make("blackjack", config={"seed": SEED})
    for _ in range(rounds):
        state, _ = env.reset()
        while not env.is_over():
            state, _ = env.step(HIT_OR_STAND[state["obs"][0] < STANDS_ON], raw_action=True)


HIT_OR_STAND = {True: "hit", False: "stand"}


def play_pokerkit(hands: int) -> None:
    game = NoLimitTexasHoldem(tuple(Automation), True, 0, (1, 2), 2)
    for _ in range(hands):
        state = game((200,) * PLAYERS, PLAYERS)
        while state.status:
            state.check_or_call()


PLAYED: dict[str, tuple[str, Callable[[int], None], int]] = {
    "gymnasium": ("Blackjack-v1, no splits, no doubles, no shoe", play_gymnasium, ROUNDS),
    "open_spiel": ("blackjack in C++, no splits, no doubles", play_open_spiel, ROUNDS),
    "rlcard": ("blackjack, no splits, no doubles", play_rlcard, ROUNDS),
    "pokerkit": ("hold'em for six, checked to the end", play_pokerkit, HANDS),
}
"""By distribution: what is played, by what, and how many rounds."""


def main() -> None:
    """Prints rounds a cpu-second, and the seconds of single steps of Mission Pinball."""
    logging.disable(logging.CRITICAL)
    speeds = {}
    for name, (what, play, rounds) in PLAYED.items():
        play(rounds // 10)
        begun = process_time()
        play(rounds)
        speed = rounds / (process_time() - begun)
        speeds[name] = {"version": version(name), "what": what, "rounds_per_cpu_second": speed}
    steps = {"version": version("mpf"), "seconds": pinball.measure(TIMES)}
    json.dump({"played": speeds, "mpf": steps}, sys.stdout)


if __name__ == "__main__":
    main()
