"""Tables as they look in each phase of a round of Easy Jack."""

from collections.abc import Mapping
from dataclasses import replace

from controller.table.view import (
    HIDDEN,
    DeviceView,
    HandView,
    LineView,
    PlayedHandView,
    RoundView,
    SeatView,
    ShoeView,
    SpotView,
    TableView,
)

EMPTY = HandView((), None, "")


def hand(cards: str, total: int | None = None, label: str = "") -> HandView:
    """A hand from cards in a row: "7h 4c"."""
    return HandView(tuple(cards.split()), total, label)


def seat(
    number: int,
    wagers: Mapping[str, int | None] | None = None,
    *hands: HandView,
    lamp: str = "latched",
    idle: str = "no bets",
    active: bool = False,
    net: int | None = None,
) -> SeatView:
    """A seat with the wagers on its two spots."""
    placed = wagers or {}
    spots = tuple(
        SpotView(spot, spot in placed, placed.get(spot), lamp if spot in placed else idle)
        for spot in ("main", "dealer-bust")
    )
    played = tuple(PlayedHandView(each.cards, each.total, each.label, placed.get("main")) for each in hands)
    return SeatView(number, active, spots, played, net)


def device(name: str, state: str = "running", detail: str = "", *, insecure: bool = True) -> DeviceView:
    """A device as a table has it."""
    return DeviceView(
        name, name, f"/run/tableside/{name}", state, detail, f"TS-{name[:2].upper()}-0007", "1.4.2", insecure,
        {"frames": 10_412, "retransmissions": 3},
    )  # fmt: skip


DEVICES = tuple(map(device, ("shoe", "shuffler", "sensors", "display", "console")))
SETTLED_LINES = (
    LineView(1, 1, "main", 2500, "win", "1:1", 2500, "dealer busts with 13"),
    LineView(1, 1, "dealer-bust", 500, "win", "4:1", 2000, "dealer busts with 3 cards"),
    LineView(2, 1, "main", 10_000, "lose", None, -10_000, "over 11"),
    LineView(4, 1, "main", 150_000, "win", "3:2", 225_000, "natural"),
    LineView(5, 1, "main", None, "win", "1:1", None, "dealer busts with 13"),
    LineView(7, 1, "main", 1250, "push", None, 0, "equal totals"),
)
SETTLED_SEATS = (
    seat(1, {"main": 2500, "dealer-bust": 500}, hand("7h 4c", 11, ""), lamp="win", net=4500),
    seat(2, {"main": 10_000}, hand("6d 3s 9h", 18, "bust"), lamp="off", net=-10_000),
    seat(3, idle="off"),
    seat(4, {"main": 150_000}, hand("As", 11, "natural"), lamp="win", net=225_000),
    seat(5, {"main": None}, hand("2c 3d 2h Ac 2s", 10, "stands"), lamp="win"),
    seat(6, idle="off"),
    seat(7, {"main": 1250}, hand("Tc", 10, "stands"), lamp="off", net=0),
)
PAST = RoundView(41, "settled", hand("6s Td", 16, "bust"), SETTLED_SEATS, SETTLED_LINES)
ROUNDS = (
    PAST,
    replace(PAST, number=40, dealer=hand("9c", 9, "stands")),
    replace(PAST, number=39, outcome="void", dealer=hand(HIDDEN, None, ""), lines=()),
    replace(PAST, number=38, dealer=hand("2c 3s 2d 8h", 15, "bust")),
)

BETTING = TableView(
    table="Table 7",
    game="Easy Jack",
    round=42,
    phase="betting",
    prompt="Place your bets: 3 wagers",
    prompt_seat=0,
    keys=("close",),
    suspended=(),
    alerts=(),
    dealer=EMPTY,
    seats=(
        seat(1, {"main": 2500, "dealer-bust": 500}, lamp="open", idle="open"),
        *(seat(number, lamp="open", idle="open") for number in (2, 3)),
        seat(4, {"main": 150_000}, lamp="open", idle="open"),
        *(seat(number, lamp="open", idle="open") for number in (5, 6, 7)),
    ),
    lines=(),
    shoe=ShoeView(loaded=True, decks=8, cards_out=123, cut_card_out=False, shuffler="shuffling, 64 %"),
    display=("Table 7  Easy Jack", "Limits 10 to 2,000"),
    devices=DEVICES,
    rounds=ROUNDS,
)
DEALING = replace(
    BETTING,
    phase="dealing",
    prompt="Deal 3 cards",
    keys=(),
    dealer=hand(HIDDEN),
    seats=(
        seat(1, {"main": 2500, "dealer-bust": 500}, hand("7h", 7)),
        seat(2, {"main": 10_000}, hand("6d", 6)),
        seat(3),
        seat(4, {"main": 150_000}, EMPTY),
        seat(5, {"main": None}, EMPTY),
        seat(6),
        seat(7, {"main": 1250}, EMPTY),
    ),
)
PLAYING = replace(
    BETTING,
    phase="playing",
    prompt="Seat 2 has 9: hit or stand",
    prompt_seat=2,
    keys=("hit", "stand"),
    dealer=hand(HIDDEN),
    seats=(
        seat(1, {"main": 2500, "dealer-bust": 500}, hand("7h 4c", 11, "stands")),
        seat(2, {"main": 10_000}, hand("6d 3s", 9), active=True),
        seat(3),
        seat(4, {"main": 150_000}, hand("As", 11, "natural")),
        seat(5, {"main": None}, hand("2c 3d 2h Ac 2s", 10)),
        seat(6),
        seat(7, {"main": 1250}, hand("Tc", 10)),
    ),
)
SETTLED = replace(
    BETTING,
    phase="paying",
    prompt="Pay",
    keys=("pay",),
    dealer=hand("6s 2d 5h", 13, "bust"),
    seats=SETTLED_SEATS,
    lines=SETTLED_LINES,
    display=("Dealer busts with 13",),
)
SUSPENDED = replace(
    PLAYING,
    suspended=(
        "The shoe is missing: its port /run/tableside/shoe was unplugged.",
        "The console is refused: it is a display, not a console.",
    ),
    alerts=("Seat 3 dealer-bust: a wager was placed after betting closed.",),
    keys=(),
    shoe=replace(BETTING.shoe, cut_card_out=True),
    devices=(
        device("shoe", "backing off", "unplugged; tried again in 4 s"),
        *DEVICES[1:3],
        device("display", "catching up", insecure=False),
        device("console", "refused", "IDENTITY: serial number TS-DI-0003 answers, TS-CO-0007 is configured"),
    ),
)
STARTING = replace(
    BETTING,
    round=0,
    phase="waiting",
    prompt="Load the shoe",
    keys=(),
    seats=tuple(seat(number, idle="off") for number in range(1, 8)),
    shoe=ShoeView(loaded=False, decks=8, cards_out=0, cut_card_out=False, shuffler=""),
    display=(),
    devices=(device("shoe", "waiting", "no such port; tried every second"), *DEVICES[1:]),
    rounds=(),
)
VOID = replace(BETTING, phase="void", prompt="Round 42 is void: return every wager", keys=("pay",))

STATES: Mapping[str, TableView] = {
    "starting": STARTING,
    "betting": BETTING,
    "dealing": DEALING,
    "playing": PLAYING,
    "settled": SETTLED,
    "suspended": SUSPENDED,
    "void": VOID,
}
