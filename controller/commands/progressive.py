"""The commands `tableside jackpots`, `tableside claim` and `tableside meter`.

Jackpots as a running table shows them, or as its journal tells of them: nothing is changed.

What `tableside jackpots` shows to people.
"""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from controller.commands.exit_codes import failed, usage
from controller.commands.options import TABLE, ConfigFile
from controller.commands.supervisor_client import Fields, OnlyPreview, Token, Who, Why, preview_and_send
from controller.config.reading import Config, ConfigError, read
from controller.jackpot import UNITS, Unbalanced
from controller.journal.chain import JournalRow
from controller.journal.errors import JournalError
from controller.journal.history import live_file, open_checked
from controller.journal.journal import SELECT, row_of
from controller.money import text
from controller.monitor.client import TableAbsentError, TableAnswerError, fetch
from controller.table.errors import TableError
from controller.table.record.codec import INPUTS, SNAPSHOT, read_input, read_snapshot
from controller.table.record.events import Started
from controller.table.record.views import BooksView, ClaimView, FedView, MeterView
from controller.table.state.snapshot import restore_snapshot
from controller.table.state.table_state import TableState
from controller.table.state_machine import apply
from controller.table.state_machine import begin as begun
from controller.table.view import build

BEGIN = "SELECT max(row) FROM journal WHERE kind = ?"
SINCE = f"{SELECT}WHERE row >= ? ORDER BY row"


@dataclass(frozen=True, slots=True)
class JackpotStatus:
    """All jackpots and the claims that are known of, the newest first; `source` is where that is from."""

    source: str
    meters: tuple[MeterView, ...]
    claims: tuple[ClaimView, ...]

    def json(self) -> str:
        """As one JSON object on a line."""
        return json.dumps(asdict(self))


def jackpot_status(config: Config) -> JackpotStatus:
    """From the table itself where it answers, else from its journal. Raises JournalError."""
    try:
        view = fetch(config.web.host, config.web.port)
    except (TableAbsentError, TableAnswerError):
        return _from_journal(Path(config.journal.path))
    if view.table != config.table.name:
        return _from_journal(Path(config.journal.path))
    return JackpotStatus(f"table {view.table}", view.meters, view.claims)


def _from_journal(path: Path) -> JackpotStatus:
    try:
        with closing(open_checked(live_file(path))) as database:
            (begin,) = database.execute(BEGIN, (SNAPSHOT,)).fetchone()
            state = _state(map(row_of, database.execute(SINCE, (begin or 0,))))
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"journal {path} cannot be read: {error}") from error
    except (KeyError, TypeError, ValueError, Unbalanced, TableError) as error:
        raise JournalError(f"journal {path} cannot be replayed: {error!r}") from error
    if state is None:
        raise JournalError(f"journal {path} tells of no table yet")
    return JackpotStatus(f"journal {path}", build.meters(state), build.claims(state))


def _state(entries: Iterator[JournalRow]) -> TableState | None:
    state = None
    for entry in entries:
        if entry.content.kind == SNAPSHOT:
            state = restore_snapshot(read_snapshot(entry.content))
        elif entry.content.kind in INPUTS:
            event = read_input(entry.content)
            state = state or (begun(event) if isinstance(event, Started) else None)
            if state is not None:
                apply(state, event, entry.content.at)
    return state


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


def tables(found: JackpotStatus) -> Iterator[Table]:
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
    for name, value in _parameters(meter.now):
        table.add_row(name, value)
    for name, value in _parameters(meter.pending) if meter.pending else ():
        table.add_row(f"pending {name}", value)
    return table


def _parameters(fed: FedView) -> Iterator[tuple[str, str]]:
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


Other = Annotated[str, typer.Option("--second", metavar="NAME", help="Another person.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object.")]

_AMOUNT = re.compile(r"([0-9]{1,10})\.([0-9]{2})")


def register(app: typer.Typer) -> None:
    """Adds the commands to `app`."""
    app.command("jackpots", rich_help_panel=TABLE)(jackpots_command)
    app.command("claim", rich_help_panel=TABLE)(claim_command)
    app.command("meter", rich_help_panel=TABLE)(meter_command)


def jackpots_command(config: ConfigFile, as_json: AsJson = False) -> None:
    """Show the jackpots of a table with their books, parameters, claims and last hits.

    The running table is asked; where none answers, its journal is read.

    Example: tableside jackpots --config table.toml
    """
    try:
        found = jackpot_status(read(config))
    except ConfigError as error:
        raise usage(*error.faults) from None
    except JournalError as error:
        raise failed(str(error)) from None
    if as_json:
        typer.echo(found.json())
    else:
        _print(found)


def claim_command(
    step: Annotated[str, typer.Argument(metavar="STEP", help="confirm, verify, second, pay or void.")],
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="The claim's number.")],
    config: ConfigFile,
    who: Who,
    why: Why,
    token: Token = None,
    preview: OnlyPreview = False,
) -> None:
    """Take the claim of a won jackpot one step on.

    confirm: the dealer has seen the hand.
    verify: a supervisor has, another person than the dealer.
    second: so has a third person; only large claims need it.
    pay: it is paid by hand.
    void: it is not paid, the jackpot has it again.

    Example: tableside claim verify 1 --config table.toml --who "A. Smith" --why "seen"
    """
    fields: Fields = {"step": step, "claim": number, "who": who, "why": why, "token": token}
    preview_and_send(config, fields, _show, only_preview=preview)


def meter_command(
    spot: Annotated[str, typer.Argument(metavar="SPOT", help="The jackpot's spot, as blazing-7s.")],
    amount: Annotated[str, typer.Argument(metavar="AMOUNT", help="What it is to show, as 10250.00.")],
    config: ConfigFile,
    who: Who,
    second: Other,
    why: Why,
    token: Token = None,
    preview: OnlyPreview = False,
) -> None:
    """Correct what a jackpot's meter shows, between rounds, in the names of two persons.

    Example: tableside meter blazing-7s 99.00 --config table.toml --who Smith --second Jones --why recount
    """
    fields: Fields = {
        "meter": spot,
        "cents": _cents(amount),
        "who": who,
        "second": second,
        "why": why,
        "token": token,
    }
    preview_and_send(config, fields, _show, only_preview=preview)


def _cents(amount: str) -> int:
    found = _AMOUNT.fullmatch(amount)
    if not found:
        raise usage(f"AMOUNT = {amount!r}: not allowed; allowed: an amount with two decimals, as 10250.00")
    return int(found[1] + found[2])


def _show(preview: Fields) -> None:
    for sentence in preview["preview"]:
        typer.echo(sentence)
    for change in preview["changes"]:
        typer.echo(f"{change['about']}: {change['before']} -> {change['after']}")
    typer.echo(f"Token: {preview['token']}")


def _print(status: JackpotStatus) -> None:
    console = Console()
    typer.echo(f"From {status.source}")
    for table in tables(status):
        console.print(table)
    for meter in status.meters:
        typer.echo(f"{meter.spot}: {equation(meter.books)}")
    if not status.meters:
        typer.echo("There is no jackpot.")
