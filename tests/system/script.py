"""One round as a script: who does what at which prompt. The cards lie stacked in the shoe."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from controller.table.record.views import RoundView, TableView
from tests.fixtures.process_table import ProcessTable

CARDS = "9c 4h 7s 3d 5c 2s 9d"
"""A burned card; seats 1 and 3; the dealer, face down; seat 1 hits and stands on 9, seat 3 stands; the dealer
draws twice and busts with 14."""
SPARE = "Kc Kd Kh Ks"
"""Left in the shoe."""
LINES = (
    (1, "main", 500, "win", "1:1", 500, "dealer busts with 14"),
    (3, "main", 1000, "win", "1:1", 1000, "dealer busts with 14"),
    (3, "dealer-bust", 200, "win", "4:1", 800, "dealer busts with 3 cards"),
)
"""The settlement of the round."""


@dataclass(frozen=True, slots=True)
class Step:
    """At this prompt somebody makes this request to a device."""

    phase: str
    prompt: str
    device: str
    do: str
    fields: Mapping[str, Any] = field(default_factory=dict)

    @property
    def request(self) -> dict[str, Any]:
        """In the form of `Hand.ask`."""
        return {"do": self.do, **self.fields}


def _bet(prompt: str, seat: int, spot: int, cents: int) -> Step:
    return Step("betting", prompt, "sensors", "put", {"seat": seat, "spot": spot, "cents": cents})


def _press(phase: str, prompt: str, action: str, seat: int = 0) -> Step:
    return Step(phase, prompt, "console", "press", {"action": action, "seat": seat})


def _pull(phase: str, prompt: str) -> Step:
    return Step(phase, prompt, "shoe", "pull")


ROUND = (
    _bet("Place your bets", 1, 0, 500),
    _bet("Place your bets: 1 wager", 3, 0, 1000),
    _bet("Place your bets: 2 wagers", 3, 1, 200),
    _press("betting", "Place your bets: 3 wagers", "close"),
    _pull("burning", "Burn 1 card"),
    _pull("dealing", "Deal 3 cards"),
    _pull("dealing", "Deal 2 cards"),
    _pull("dealing", "Deal 1 card"),
    _pull("playing", "Seat 1 has 4: hit or stand"),
    _press("playing", "Seat 1 has 9: hit or stand", "stand", 1),
    _press("playing", "Seat 3 has 7: hit or stand", "stand", 3),
    _pull("drawing", "Dealer has 3: draw"),
    _pull("drawing", "Dealer has 5: draw"),
    _press("paying", "Pay seat 1, then seat 3", "pay"),
)
LAST = {step.phase: place for place, step in enumerate(ROUND)}
"""The last step of each phase."""


def lay_out(house: ProcessTable, cards: str = f"{CARDS} {SPARE}") -> TableView:
    """Takes the chips off the table, and stacks these cards in the shoe; the view at the start of the
    round."""
    house.hands["sensors"].ask("clear")
    house.until(lambda view: view.prompt in {"Place your bets", "Load the shoe"})
    house.hands["shoe"].ask("load", cards=cards, decks=8)
    house.until(lambda view: view.shoe.cards_out == 0 and view.prompt == "Place your bets")
    return house.until_settled()


def play(
    house: ProcessTable,
    before: Callable[[int], object] = lambda _step: None,
    steps: range = range(len(ROUND)),
) -> None:
    """Does these steps; `before` is called with the number of each when its prompt is shown."""
    for number in steps:
        at(house, number)
        before(number)
        do(house, ROUND[number])


def do(house: ProcessTable, step: Step) -> None:
    """Does what is due at the prompt of this step."""
    house.hands[step.device].ask_when_permitted(**step.request)


def at(house: ProcessTable, number: int) -> TableView:
    """The view when the prompt of this step is shown, on the page and on the devices."""
    house.until(lambda view: view.prompt == ROUND[number].prompt)
    return house.until_settled()


def ended(house: ProcessTable, number: int) -> RoundView:
    """The round with this number, once it has ended."""
    return house.until(lambda view: view.rounds and view.rounds[0].number >= number).rounds[0]


def lines(ended: RoundView) -> tuple[tuple[Any, ...], ...]:
    """The settlement in the form of LINES."""
    return tuple(
        (line.seat, line.wager, line.amount, line.outcome, line.pays, line.paid, line.reason)
        for line in ended.lines
    )


def deal_up_to(house: ProcessTable, step: int) -> int:
    """Plays until the prompt of this step is shown; returns the number of the round."""
    number = lay_out(house).round
    play(house, steps=range(step))
    at(house, step)
    return number


def play_to_the_end(house: ProcessTable, number: int, step: int) -> None:
    """Plays the round on from this step, to the settlement of the script."""
    play(house, steps=range(step, len(ROUND)))
    assert lines(ended(house, number)) == LINES
