"""What `tableside jackpots` shows to people."""

from collections.abc import Iterator

from rich.table import Table

from controller.jackpot import UNITS
from controller.money import text
from controller.progressive.standing import Standing
from controller.table.jackpot_view import BooksView, ClaimView, FedView, MeterView

CLAIM = (
    "claim",
    "round",
    "seat",
    "cards",
    "share",
    "amount",
    "state",
    "dealer",
    "supervisor",
    "second",
    "by",
)


def tables(found: Standing) -> Iterator[Table]:
    """One for each jackpot, one for its claims."""
    for meter in found.meters:
        yield _meter(meter)
        if claims := [claim for claim in found.claims if claim.spot == meter.spot]:
            yield _claims(meter.spot, claims)


def exact(units: int) -> str:
    """Units of 1/10,000 cent to the last one: 1_234_500 is "1.234500"."""
    whole, part = divmod(units, 100 * UNITS)
    return f"{whole}.{part:06}"


def equation(books: BooksView) -> str:
    """The invariant with its figures."""
    there = " + ".join(
        f"{part} {exact(getattr(books, part))}"
        for part in ("display", "locked", "reserve", "overflow", "paid")
    )
    return f"contributions {exact(books.contributions)} + seeds {exact(books.seeds)} = {there}"


def _meter(meter: MeterView) -> Table:
    books, table = meter.books, Table(title=f"{meter.spot}: {text(meter.cents)} ({meter.state})")
    table.add_column("meter")
    table.add_column("", justify="right")
    for part in ("display", "locked", "reserve", "overflow", "paid", "contributions", "seeds", "wins"):
        table.add_row(part, exact(getattr(books, part)))
    for name, count in (("hits", books.hits), ("wagers", books.wagers)):
        table.add_row(name, f"{count:,}")
    table.add_row("wagered", text(books.wagered))
    for name, told in _fed(meter.now):
        table.add_row(name, told)
    for name, told in _fed(meter.pending) if meter.pending else ():
        table.add_row(f"pending {name}", told)
    return table


def _fed(fed: FedView) -> Iterator[tuple[str, str]]:
    yield "base", text(fed.reset)
    yield "rate", f"{fed.contribution}, reserve {fed.reserve}"
    yield "limit", "none" if fed.limit is None else text(fed.limit)
    yield "threshold of a round", "none" if fed.threshold is None else text(fed.threshold)


def _claims(spot: str, claims: list[ClaimView]) -> Table:
    table = Table(title=f"{spot}: claims and last hits")
    for column in CLAIM:
        table.add_column(column, justify="right" if column == "amount" else "left")
    for claim in claims:
        table.add_row(
            str(claim.number), str(claim.round), str(claim.seat), " ".join(claim.cards), claim.share,
            text(claim.cents), claim.state, claim.dealer, claim.supervisor, claim.second,
            claim.payer or claim.voided_by,
        )  # fmt: skip
    return table
