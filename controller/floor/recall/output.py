"""Found rounds as JSON and as CSV."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, Final

from controller.floor.recall.search import FoundRound, FoundRounds
from controller.past.export.cells import Cell, csv_line, money
from controller.past.export.lines import iso_time

HEADINGS: Final = (
    "table",
    "journal",
    "round",
    "ended",
    "game",
    "dealer",
    "outcome",
    "seats",
    "currency",
    "wagered",
    "paid",
    "won most",
    "cards",
    "first row",
    "last row",
)


def rounds_json(found: FoundRounds) -> dict[str, Any]:
    """Money in minor units of the currency of each round, with `minor_digits` after the decimal point; times
    in seconds of Unix time. `before`: empty if there are no older rounds."""
    return {
        "rounds": [_round_json(one) for one in found.rounds],
        "before": str(found.before) if found.before else "",
    }


def rounds_csv(rounds: Iterable[FoundRound]) -> bytes:
    """A line for each round, quoted so that no text becomes a formula."""
    return b"".join((csv_line(HEADINGS), *(csv_line(_cells(one)) for one in rounds)))


def _round_json(one: FoundRound) -> dict[str, Any]:
    fields = asdict(one.round)
    played = fields.pop("played")
    outcome = {"outcome": played.pop("outcome").split()}
    digits = {"minor_digits": one.round.money.digits}
    return {"table": one.table, "epoch": one.epoch, **fields, **digits, **outcome, **played}


def _cells(one: FoundRound) -> tuple[Cell, ...]:
    found, played, currency = one.round, one.round.played, one.round.money
    of_round = one.table, one.epoch, found.number, iso_time(found.at), found.game, found.dealer
    amounts = (money(cents, currency) for cents in (played.wagered, played.paid, played.won_most))
    return (
        *of_round,
        played.outcome,
        " ".join(played.seats),
        currency.code,
        *amounts,
        " ".join(one.cards),
        found.first,
        found.last,
    )
