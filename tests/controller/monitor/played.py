"""Tables as they look in the middle of real rounds: several hands a seat, windows, late wagers, a jackpot."""

from collections.abc import Mapping
from dataclasses import replace

from controller.jackpot import Step
from controller.table.events import ClaimStep
from controller.table.picture import view
from controller.table.rules import Progressive
from controller.table.view import TableView
from tests.controller.monitor.samples import DEVICES
from tests.controller.table.script import Script
from tests.controller.table.telling import Told

SPLITS = (
    "1:main=1000 2:main=2500 3:main=500 5:main=10000 7:main=0 close"
    " 9h 8h As 5h Tc 6d 8c 8s Kd 6c 7d Qh"  # seat 3 has a natural
    " 1:ez-bust=500 2:ez-bust=1000 7:ez-bust=0 1:stand"
    " 2:split 2:ez-bust=2000 8d 2:split 3h 2:double=1500 9s 8c 2:split Ts 2:stand 3c 2:double Kh 7s"
)
"""Seat 2 plays the last of four hands."""
INSURED = "1:main=1000 2:main=2500 5:main=600 close 9h Ks 8c As 8h Ah 7d Qh 1:insurance 5:insurance=200"
HEDGED = (
    "1:bet=500 1:surrender-or-play=500 2:bet=2500 2:surrender-or-play=2500 4:bet=0 4:surrender-or-play=0"
    " 6:bet=1000 6:surrender-or-play=1000 close 9h Th 8d As 6c 9c 9d 8h 3h Kd 2:hedge-18=300 2:hedge-21=100"
    " 6:hedge-20=500 1:play 1:double=600 7h"
)
JACKPOT = (
    "1:main=1000 3:main=500 4:main=2500 2:main=700 1:blazing-7s=100 3:blazing-7s=100 4:blazing-7s=100"
    " 4:buster=500 1:buster=1000 close 7s As 7c 8d 7s 7s Ks 9c 8d 9h"
    " 1:stand 3:stand 4:split Th 4:stand 5h 4:double 4d 5d"
)
"""Seat 1 has the two sevens."""
PAID = f"{JACKPOT} pay"


def played(game: str, tokens: str, **options: object) -> TableView:
    """What is to be seen after these tokens."""
    told = Told()
    told.script = Script(game, options={"burn_cards": 0, **options}, bank="third party")
    told.begin()
    told.play(tokens)
    return view("Table 7", told.state, DEVICES)


def claimed() -> TableView:
    """One claim of each state; new parameters wait."""
    told = Told("blackjack-x")
    fed = Progressive(2_000_000, "12.5%", "2.5%", limit=5_000_000)
    told.script.jackpots = {"blazing-7s": fed}
    told.restart()
    for seat, suit, steps in zip((1, 1, 1, 1, 2, 3, 4), "dhshdcs", CLAIMS, strict=True):
        told.play(f"{seat}:main=1000 {seat}:blazing-7s=100 7:main=500 7:blazing-7s=100 close")
        told.play(f"7{suit} 9c 7{suit} 7{suit} 8c Kh {seat}:stand 7:stand pay")
        told.play(f"{seat}:main= {seat}:blazing-7s=")
        number = told.state.register.opened
        told.tell(*(ClaimStep(number, step, name, "seen by the floor") for step, name in steps))
    told.script.jackpots = {"blazing-7s": replace(fed, seed=1_500_000, reserve="5%")}
    told.restart()
    return view("Table 7", told.state, DEVICES)


CREW: tuple[tuple[Step, str], ...] = (
    ("confirm", "D. Moreau"), ("verify", "A. Smith"), ("second", "B. Okafor"), ("pay", "C. Lindqvist"),
)  # fmt: skip
CLAIMS: tuple[tuple[tuple[Step, str], ...], ...] = (
    CREW, (("void", "A. Smith"),), (*CREW[:2], CREW[3]), CREW[:2], CREW[:2], CREW[:1], (),
)  # fmt: skip
"""The steps that each of them took; the first and the fifth are of all of it."""

PLAYED: Mapping[str, TableView] = {
    "claims": claimed(),
    "four hands": played("ez-bust", SPLITS),
    "window at a split": played("ez-bust", SPLITS.rpartition("2:split")[0] + "2:split"),
    "insurance": played("ez-bust", INSURED, even_money=True),
    "hedge": played("quick-pay", HEDGED),
    "jackpot": played("blackjack-x", JACKPOT),
    "after a jackpot": played("blackjack-x", PAID),
}
