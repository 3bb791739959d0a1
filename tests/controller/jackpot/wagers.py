"""Many wagers on Blazing 7s compared with a ledger: `python -m tests.controller.jackpot.wagers`.

Every wager is compared to the last unit, and so is every step of a claim. Cards come as from eight decks;
some hits are forced, because too few would come by chance.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random

from tests.controller.jackpot.fire import Fire
from tests.controller.jackpot.hits import percent, play
from tests.controller.jackpot.interleaved import interleave

SEATS = 7
SEVENS = 32
"""The first of 416 cards are 7s, four of each suit."""
SUITS = "shdc"
BETWEEN = 400
"""Wagers between two forced hits, on average."""


def run(wagers: int, seed: int) -> Counter[str]:
    """Plays at least this many wagers; returns how often each thing happened. Raises Differs."""
    fire, chance = Fire(seed), Random(seed)
    while fire.count["wagers"] < wagers:
        fed, hit = _quiet(chance)
        fire.feed(fed)
        if hit:
            fire.count["hits by the cards"] += 1
        play(fire, *(hit or _forced(chance)))
        _between(fire, chance)
    fire.finish()
    fire.crash()
    return fire.count


def _quiet(chance: Random) -> tuple[int, tuple[list[int], dict[int, str], str] | None]:
    """Wagers that win no share, and the round of the first ones that do, if that comes soon."""
    fed, most = 0, int(chance.expovariate(1 / BETWEEN))
    while fed < most:
        count = chance.randint(1, SEATS)
        up, *cards = chance.sample(range(416), 1 + 2 * count)
        if up < SEVENS and (pairs := _pairs(cards, up)):
            return fed, (list(range(1, count + 1)), pairs, SUITS[up % 4])
        fed += count
    return fed, None


def _pairs(cards: list[int], up: int) -> dict[int, str]:
    """The seats with two 7s that win a share."""
    found = {}
    for seat, (one, two) in enumerate(zip(cards[::2], cards[1::2], strict=True), 1):
        suits = SUITS[one % 4] + SUITS[two % 4]
        if max(one, two) < SEVENS and percent(suits, SUITS[up % 4]):
            found[seat] = suits
    return found


def _forced(chance: Random) -> tuple[list[int], dict[int, str], str]:
    """A round with up to three pairs of 7s; most of them win a share."""
    seats, suit = chance.sample(range(1, SEATS + 1), chance.randint(1, SEATS)), chance.choice(SUITS)
    lucky = chance.sample(seats, min(len(seats), chance.randint(1, 3)))
    return seats, {seat: suit + chance.choice((suit, suit, suit, "c")) for seat in lucky}, suit


def _between(fire: Fire, chance: Random) -> None:
    """What persons and plugs do between two rounds."""
    for _ in range(chance.randint(0, 8)):
        fire.step()
    for act, often in ((fire.correct, 0.1), (fire.change, 0.1), (fire.crash, 0.3)):
        if chance.random() < often:
            act()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wagers", type=int, default=10_000_000)
    parser.add_argument("--interleavings", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    _timed("wagers", partial(run, chosen.wagers, chosen.seed))
    _timed("interleavings", partial(interleave, chosen.interleavings, chosen.seed))


def _timed(name: str, work: Callable[[], Counter[str]]) -> None:
    begun = time.monotonic()
    figures = ", ".join(f"{what} {count:,}" for what, count in sorted(work().items()))
    print(f"{name}: {figures}; {time.monotonic() - begun:.0f} s; differences 0", flush=True)


if __name__ == "__main__":
    main()
