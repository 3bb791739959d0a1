"""The parts of the side bets' page: their pay tables."""

from controller.games import open_game
from controller.games.bets import blazing_7s, buster, hedge_table
from controller.games.bets.insurance import PAYS
from controller.games.points import UP_RANKS
from controller.odds.bet import Bet
from controller.odds.exact import bets
from controller.odds.side_bets import insurance
from controller.pages.markdown import RARE, percent, table

BUSTER_GAMES = ("no-bust-21st-century", "blackjack-x")
"""With 5 and with 8 decks."""
RULES = {False: "stands", True: "hits"}
INSURANCE_DECKS = (1, 2, 4, 5, 6, 8)


def buster_tables() -> str:
    """B1 to B7, and what they leave the house."""
    decks = (f"edge, {open_game(name).options.decks} decks" for name in BUSTER_GAMES)
    rows = ([f"`{name}`", *_buster_row(name), *_buster_edges(name)] for name in buster.TABLES)
    return table(("table", *buster.COUNTS, *decks), rows)


def _buster_row(name: buster.TableId) -> list[str]:
    special = buster.WITH_NATURAL.get(name, {})
    return [
        f"{pays}, with a natural {special[count]}" if count in special else str(pays)
        for count, pays in zip(buster.COUNTS, buster.TABLES[name], strict=True)
    ]


def _buster_edges(name: buster.TableId) -> list[str]:
    return [percent(_bet(game, {"buster": name}, buster.SPOT).house_edge) for game in BUSTER_GAMES]


def blazing_tables() -> str:
    """Tables 1 and 2, with the probabilities that they have in common."""
    found = {number: _blazing(number) for number in blazing_7s.TABLES}
    shares = {outcome.event: outcome.probability for outcome in found[1].outcomes}
    rows = (
        [event, *(paid[event] for paid in blazing_7s.TABLES.values()), percent(shares[event], RARE)]
        for event in blazing_7s.EVENTS
    )
    edges = ["house edge", *(percent(bet.house_edge) for bet in found.values()), ""]
    even = [
        "break-even jackpot",
        *(f"{float(bet.break_even_meter or 0):,.0f} stakes" for bet in found.values()),
        "",
    ]
    head = ("event", *(f"table {number}" for number in found), "probability")
    return table(head, [*rows, edges, even])


def _blazing(number: blazing_7s.TableId) -> Bet:
    return _bet("blackjack-x", {blazing_7s.OPTION: number}, blazing_7s.SPOT)


def hedge_tables() -> str:
    """What 18, 19, 20 and 21 pay to 1, for all decks and rules."""
    tables = hedge_table.HEDGE
    head = (f"{decks} deck{'s' * (decks > 1)}, {RULES[hits]}" for decks, hits in tables)
    rows = ([up, *(", ".join(map(str, pays[up])) for pays in tables.values())] for up in UP_RANKS)
    return table(("up-card", *head), rows)


def insurance_edges() -> str:
    """By decks, with no card known but the ace."""
    rows = ((str(decks), percent(insurance(decks, PAYS).house_edge)) for decks in INSURANCE_DECKS)
    return table(("decks", "house edge"), rows)


def _bet(game: str, options: dict[str, object], name: str) -> Bet:
    return next(bet for bet in bets(open_game(game, options)) if bet.bet == name)
