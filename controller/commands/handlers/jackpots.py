"""What `tableside table jackpots` does."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from controller.commands.arguments import print_json
from controller.commands.configurations import read_config
from controller.commands.exit_codes import failed
from controller.config import Config
from controller.currency import Currency, currency_in_use, use
from controller.games.spots import spot_title
from controller.jackpot import UNITS, Books, Meter, Unbalanced
from controller.journal.chain import JournalRow
from controller.journal.errors import JournalError
from controller.journal.history import History
from controller.money import text
from controller.monitor.client import TableAbsentError, TableAnswerError, fetch
from controller.table.errors import TableError
from controller.table.record.codec import read_input, read_record
from controller.table.record.events import Started
from controller.table.record.kinds import INPUTS, SNAPSHOT
from controller.table.record.notes import ClaimMoved, MeterMoved
from controller.table.record.sealed import readable, seal_in
from controller.table.record.views import BooksView, ClaimView, FedView, MeterView
from controller.table.state.snapshot import read_snapshot, restore_snapshot
from controller.table.state.table_state import TableState
from controller.table.state_machine import apply
from controller.table.state_machine import begin as begun
from controller.table.view import build

FOLLOWED = frozenset({"meter", "claim"})
"""The kinds of the notes that say how jackpots moved."""


@dataclass(frozen=True, slots=True)
class JackpotStatus:
    """All jackpots and their known claims, newest first. `source` names the table or the journal."""

    source: str
    currency: str
    minor_digits: int
    meters: tuple[MeterView, ...]
    claims: tuple[ClaimView, ...]


def jackpot_status(config: Config) -> JackpotStatus:
    """The jackpots as the running table reports them; if it does not answer, as in its journal. Raises
    JournalError if the journal cannot be read."""
    try:
        view = fetch(config.web.host, config.web.port)
    except (TableAbsentError, TableAnswerError):
        return _from_journal(Path(config.journal.path))
    if view.table != config.table.name:
        return _from_journal(Path(config.journal.path))
    return JackpotStatus(f"table {view.table}", view.currency, view.minor_digits, view.meters, view.claims)


def _from_journal(path: Path) -> JackpotStatus:
    history = History(path)
    try:
        state = _state([*history.rows(_last_snapshot(history) or 1)])
    except (KeyError, TypeError, ValueError, Unbalanced, TableError) as error:
        raise JournalError(f"journal {path} cannot be replayed: {error!r}") from error
    if state is None:
        raise JournalError(f"journal {path} tells of no table yet")
    money = state.coming.money
    return JackpotStatus(
        f"journal {path}", money.code, money.digits, build.meters(state), build.claims(state)
    )


def _last_snapshot(history: History) -> int:
    """The row of the last snapshot in the newest file; 0 if there is none, which can happen in the first file
    of a journal."""
    for file in history.files()[-1:]:
        with history.open(file) as reader:
            return reader.last_of(SNAPSHOT)
    return 0


def _state(entries: Sequence[JournalRow]) -> TableState | None:
    """The state as far as the jackpots go. Behind a card that is still sealed, inputs cannot be applied: the
    notes say how meters and claims moved."""
    state, sealed = None, False
    for entry in readable(entries):
        sealed = sealed or seal_in(entry) is not None
        if entry.content.kind == SNAPSHOT:
            kept = read_snapshot(entry.content)
            state = restore_snapshot(kept)
            sealed = any(
                row and not stray.card for stray, row in zip(kept.strays, kept.sealed_strays, strict=False)
            )
        elif sealed and state is not None:
            _follow(state, entry)
        elif entry.content.kind in INPUTS:
            event = read_input(entry.content)
            state = state or (begun(event) if isinstance(event, Started) else None)
            if state is not None:
                apply(state, event, entry.content.at)
    return state


def _follow(state: TableState, entry: JournalRow) -> None:
    """Move a meter or a claim as a note says."""
    if entry.content.kind not in FOLLOWED:
        return
    match read_record(entry.content):
        case MeterMoved(spot=spot, books=Books() as books):
            meter = state.meters[spot]
            state.meters[spot] = Meter(meter.parameters, books, meter.pending)
        case ClaimMoved(claim):
            is_new = claim.number > state.register.opened
            state.register = state.register.add(claim) if is_new else state.register.put(claim)


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
    """A table for each jackpot, followed by one for its claims, if it has any."""
    for meter in found.meters:
        yield _meter(meter)
        if claims := [claim for claim in found.claims if claim.spot == meter.spot]:
            yield _claims(meter.spot, claims)


def exact(units: int) -> str:
    """An amount in units of 1/10,000 of a minor unit as exact text: 1_234_500 is "1.234500" with
    hundredths."""
    currency = currency_in_use()
    whole, part = divmod(units, currency.unit * UNITS)
    return f"{whole}.{part:0{currency.digits + len(str(UNITS)) - 1}}"


def equation(books: BooksView) -> str:
    """The invariant of the books with its figures."""
    there = " + ".join(
        f"{part} {exact(getattr(books, part))}"
        for part in ("display", "locked", "reserve", "overflow", "paid")
    )
    return f"contributions {exact(books.contributions)} + seeds {exact(books.seeds)} = {there}"


def _meter(meter: MeterView) -> Table:
    books, table = meter.books, Table(title=f"{spot_title(meter.spot)}: {text(meter.cents)} ({meter.state})")
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
    table = Table(title=f"{spot_title(spot)}: claims and last hits")
    for column in CLAIM:
        table.add_column(column, justify="right" if column == "amount" else "left")
    for claim in claims:
        table.add_row(
            str(claim.number),
            str(claim.round),
            str(claim.seat),
            " ".join(claim.cards),
            claim.share,
            text(claim.cents),
            claim.state,
            claim.dealer,
            claim.supervisor,
            claim.second,
            claim.payer or claim.voided_by,
        )
    return table


def handle(config: Path, as_json: bool) -> None:
    try:
        found = jackpot_status(read_config(config))
    except JournalError as error:
        raise failed(str(error)) from None
    use(Currency(found.currency, found.minor_digits))
    if as_json:
        print_json(asdict(found))
    else:
        _print(found)


def _print(status: JackpotStatus) -> None:
    console = Console()
    typer.echo(f"From {status.source}")
    for table in tables(status):
        console.print(table)
    for meter in status.meters:
        typer.echo(f"{spot_title(meter.spot)}: {equation(meter.books)}")
    if not status.meters:
        typer.echo("There is no jackpot.")
