"""A round of each game in which as much happens as possible: windows, splits, doubles, late wagers, a jackpot
that is won, unexpected and unread cards, and a supervisor's decision."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from controller.games import open_game
from controller.table.record.events import Started
from tests.system.drill.hands import WrittenRound
from tests.system.drill.world import SERIALS

BURN: Final = 1
SPARE: Final = ("Kc", "Kd", "Kh", "Ks", "2c", "2d")


@dataclass(frozen=True, slots=True)
class Programme:
    """The rounds of a table, from a shoe with these cards."""

    game: str
    rounds: tuple[WrittenRound, ...]
    options: Mapping[str, object] = field(default_factory=dict)

    @property
    def started(self) -> Started:
        """What its daemon begins with."""
        return Started("drill", self.game, 7, {"burn_cards": BURN, **self.options}, SERIALS, claims=True)

    @property
    def decks(self) -> int:
        """As many as the game usually has."""
        return open_game(self.game, self.started.options).options.decks

    @property
    def stack(self) -> tuple[str, ...]:
        """A burned card, all cards of the rounds, and some that stay in the shoe."""
        dealt = (card for written in self.rounds for card in written.cards)
        return ("9c", *dealt, *SPARE)


def _round(wagers: Mapping[int, Mapping[str, int]], script: str) -> WrittenRound:
    return WrittenRound(wagers, tuple(script.split()))


SHORT: Final = Programme("easy-jack", (_round({1: {"main": 1000}}, "6s 9h 1:hit 4d 1:stand"),))
EASY_JACK: Final = _round(
    {1: {"main": 500}, 2: {"main": 200, "dealer-bust": 100}, 4: {"main": 400}},
    "5s Jh 4c 3s ?3d 1:hit 2h 1:stand 2:stand 3c 4:stand 2d 9d !8c",
)
EZ_BUST: Final = _round(
    {1: {"main": 1000}, 5: {"main": 500}},
    "8s 9h 6h 8d 2d Tc 1:ez-bust=100 5:ez-bust=50 1:split 1:ez-bust=200 8c 1:split 1:ez-bust=300 8h 1:stand"
    " Ts 1:stand 3s 1:double=500 ?9s 5:double=500 Td 9c !4c",
)
NO_BUST: Final = _round(
    {2: {"main": 1000, "buster": 500}, 5: {"main": 2000, "buster": 1000}},
    "8h Kd As 8c 6d 5h 2:insurance 5:insurance=1000 2:split 3c 2:double 9d ?Tc 2:stand 5:hit 8s Td 9c !2h",
)
PURE_21_5: Final = _round(
    {1: {"main": 1000, "buster": 100}, 3: {"main": 500}, 7: {"main": 2000, "buster": 2000}},
    "9h Ah 7h As 4c Kh 7c 5c 1:insurance 7:insurance 1:hit ?Th 7:split 8h 7:hit Td 4d 7:double=600 Tc 8s Kc"
    " !2h",
)
QUICK_PAY: Final = _round(
    {2: {"bet": 5000, "surrender-or-play": 5000}, 4: {"bet": 700, "surrender-or-play": 700}},
    "6h Th 9s 6d 9d Ts 2:hedge-19=800 2:hedge-20=200 4:hedge-18=200 2:split ?6s 2:split 3s 2:double 5d 4c"
    " 2:stand 2c 2:stand 4:quick-pay !7c",
)
JACKPOT: Final = _round(
    {1: {"main": 1000, "buster": 500, "blazing-7s": 100}, 2: {"main": 600, "blazing-7s": 100}},
    "7d 8s 7d 7d 8d Tc 1:stand 2:split 3s 2:double=500 ~9d@2.1.3Kd 8c 2:stand !2h",
)
INSURED: Final = _round(
    {1: {"main": 1000, "buster": 500, "blazing-7s": 100}, 2: {"main": 600, "buster": 300}},
    "7s Ts Ah 9d 9c 6c 2:insurance 1:insurance 1:stand 2:surrender 2d",
)
AWARDS: Final = {
    "777 diamonds": "100%",
    "777 suited": "50%",
    "777 one colour": "10%",
    "777": "300 for 1",
    "two 7s": "30 for 1",
    "one 7": "3 for 1",
}
RICH: Final[Mapping[str, Programme]] = {
    "easy-jack": Programme("easy-jack", (EASY_JACK,)),
    "ez-bust": Programme("ez-bust", (EZ_BUST,)),
    "no-bust-21st-century": Programme("no-bust-21st-century", (NO_BUST,)),
    "pure-21-5": Programme("pure-21-5", (PURE_21_5,)),
    "quick-pay": Programme("quick-pay", (QUICK_PAY,)),
    "blackjack-x": Programme("blackjack-x", (JACKPOT, INSURED), {"blazing_7s": AWARDS}),
}
