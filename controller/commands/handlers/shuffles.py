"""What `tableside journal shuffles` does."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from controller.commands.arguments import print_json
from controller.commands.exit_codes import failed
from controller.journal.errors import JournalError
from controller.journal.history import History
from controller.past.shuffles import LIMIT, DealtShoe, ShuffleTest, dealt_shoes, shuffle_tests


def handle(journal: Path, as_json: bool) -> None:
    try:
        found = list(dealt_shoes(History(journal).rows()))
    except JournalError as error:
        raise failed(str(error)) from None
    judged = shuffle_tests(found)
    if as_json:
        print_json({"shoes": [_shoe(order) for order in found], "tests": [_test(one) for one in judged]})
    else:
        Console(markup=False, highlight=False).print(_shoes(found), _tests(judged), sep="\n")


def _shoe(order: DealtShoe) -> dict[str, Any]:
    return {
        "at": order.at,
        "decks": order.decks,
        "cards": len(order.cards),
        "unread": order.cards.count(""),
        "judged": order.whole,
    }


def _test(judged: ShuffleTest) -> dict[str, Any]:
    statistic = judged.statistic
    return {
        "test": judged.name,
        "chi_squared": round(statistic.value, 3),
        "degrees": statistic.degrees,
        "chance": round(statistic.chance, 6),
        "fits": judged.fits,
    }


def _shoes(found: list[DealtShoe]) -> Table:
    table = Table(title=f"{len(found)} shoes that have ended")
    for heading in ("loaded", "decks", "cards", "unread", "judged"):
        table.add_column(heading, justify="left" if heading == "loaded" else "right")
    for order in found:
        shoe = _shoe(order)
        at = f"{datetime.fromtimestamp(order.at, UTC):%Y-%m-%d %H:%M} UTC"
        judged = "yes" if shoe["judged"] else "no"
        table.add_row(at, str(shoe["decks"]), str(shoe["cards"]), str(shoe["unread"]), judged)
    return table


def _tests(judged: tuple[ShuffleTest, ...]) -> Table:
    table = Table(title=f"chi-squared, limit {1 - LIMIT:.0%}")
    for heading in ("test", "chi-squared", "degrees", "by chance", ""):
        table.add_column(heading, overflow="fold")
    for one in judged:
        test = _test(one)
        verdict = "fits" if one.fits else "does not fit"
        table.add_row(
            one.question, f"{test['chi_squared']:.1f}", str(test["degrees"]), f"{test['chance']:.1%}", verdict
        )
    return table
