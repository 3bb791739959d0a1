"""What the commands of the rules show to people."""

from collections.abc import Iterable, Mapping

from rich.table import Table

from controller.games.game import Game
from controller.money import text
from controller.odds.tally import BetTally
from controller.round.settle import ScriptResult

LINE = ("seat", "hand", "wager", "amount", "outcome", "pays", "paid", "reason")
MONEY = frozenset({"amount", "paid"})


def answer_table(answered: ScriptResult) -> Table | str:
    """A settled round as a table, a refused one as a sentence."""
    if "error" in answered:
        error = answered["error"]
        place = "" if error["at"] is None else f" at {error['at']} {error['token'] or ''}".rstrip()
        return f"{_name(answered)}refused{place}: {error['reason']}"
    dealer = answered["dealer"]
    title = f"{_name(answered)}dealer {' '.join(dealer['cards'])} = {dealer['total']}"
    return settlement_table(title, answered["settlements"])


def settlement_table(title: str, lines: Iterable[Mapping[str, object]]) -> Table:
    """Settlement lines as an answer has them."""
    table = Table(title=title)
    for column in LINE:
        table.add_column(column, justify="right" if column in MONEY else "left")
    for line in lines:
        table.add_row(*(_cell(column, line[column]) for column in LINE))
    return table


def tally_table(game: Game, rounds: int, seed: int, tallies: tuple[BetTally, ...]) -> Table:
    """What each wager was worth."""
    table = Table(title=f"{game.title}: {rounds:,} rounds, seed {seed}")
    for column in ("bet", "up-card", "rounds", "house edge", "standard error"):
        table.add_column(column, justify="left" if column in ("bet", "up-card") else "right")
    for tally in tallies:
        edge, error = f"{tally.house_edge:.4%}", f"{tally.standard_error:.4%}"
        table.add_row(tally.bet, tally.up_card, f"{tally.count:,}", edge, error)
    return table


def _name(answered: ScriptResult) -> str:
    return "" if answered["id"] is None else f"{answered['id']}: "


def _cell(column: str, value: object) -> str:
    if column in MONEY:
        return text(value) if isinstance(value, int) else "unknown"
    return "" if value is None else str(value)
