"""What `tableside journal replay` prints: tables, or the steps in their own time."""

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from rich.console import Console
from rich.table import Table

from controller.games.spots import spot_title
from controller.money import text
from controller.past.replay.account import RoundAccount
from controller.past.replay.steps import ReplayStep
from controller.past.replay.verdict import as_shown

SETTLEMENT_COLUMNS = ("seat", "hand", "wager", "amount", "outcome", "pays", "paid", "reason")
MONEY = frozenset({"amount", "paid"})
PAPER = 120
"""The width of a printed page, in columns."""
AGREES = "The rules settle this round the same."
DIFFERS = "The rules do not agree:"
AGREES_VOID = "The round is void: every wager was given back."


def as_text(account: RoundAccount) -> str:
    """The account as plain text of a fixed width."""
    paper = io.StringIO()
    print_account(Console(file=paper, width=PAPER, color_system=None, markup=False, highlight=False), account)
    return paper.getvalue()


def print_account(console: Console, account: RoundAccount) -> None:
    """Print steps, settlement and remarks."""
    console.print(_steps_or_title(account), lines_table(account), *remarks(account), "", sep="\n")


def _steps_or_title(account: RoundAccount) -> Table | str:
    ended_round = account.round
    return (
        f"round {ended_round.number}, put right {_date(ended_round.at)}:"
        if ended_round.corrected
        else steps_table(account)
    )


def steps_table(account: RoundAccount) -> Table:
    ended_round = account.round
    shown = ended_round.ended.round
    table = Table(
        title=f"round {ended_round.number}, {_date(ended_round.at)}: {shown.outcome}{_bank(shown.bank)}"
    )
    for heading in ("time", "due", "came", "gave"):
        table.add_column(heading, overflow="fold")
    for step in account.steps:
        table.add_row(time_of(step.at), step.due, step.came, "\n".join(step.gave))
    return table


def lines_table(account: RoundAccount) -> Table:
    return settlement_table("settlement", as_shown(account.round.ended.round)["settlements"])


def remarks(account: RoundAccount) -> Iterator[str]:
    """Corrections, and whether the rules agree."""
    yield from account.round.ended.round.corrections
    if account.unplayed:
        yield f"{account.unplayed}."
    yield from account.plugin_changes
    if account.verdict.agrees:
        yield AGREES_VOID if account.round.ended.round.outcome == "void" else AGREES
    else:
        yield DIFFERS
        yield from (f"- {sentence}" for sentence in account.verdict.differs)
    if account.unwritten:
        yield f"It is not a script that settle can read: {account.unwritten}."


def time_of(at: float) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%H:%M:%S}"


def _bank(seat: int | None) -> str:
    """Empty if the house banks."""
    return "" if seat is None else f", banked by seat {seat}" if seat else ", banked by the third party"


def _date(at: float) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC"


Sleep = Callable[[float], object]
"""Called with seconds."""


def print_in_time(console: Console, account: RoundAccount, speed: float, sleep: Sleep) -> None:
    """Print each step at its time, `speed` times faster; then the settlement."""
    for step in paced(account.steps, speed, sleep):
        console.print(f"{time_of(step.at)}  {step.due}: {step.came}", soft_wrap=True)
        for gave in step.gave:
            console.print(f"{' ' * 10}{gave}", soft_wrap=True)
    console.print(lines_table(account), *remarks(account), sep="\n")


def paced(steps: Sequence[ReplayStep], speed: float, sleep: Sleep) -> Iterator[ReplayStep]:
    """The steps, with a pause between each two. A clock that was set back causes no pause."""
    last = steps[0].at if steps else 0.0
    for step in steps:
        if step.at > last:
            sleep((step.at - last) / speed)
        last = step.at
        yield step


def settlement_table(title: str, lines: Iterable[Mapping[str, object]]) -> Table:
    """`lines` have the fields of SETTLEMENT_COLUMNS."""
    table = Table(title=title)
    for column in SETTLEMENT_COLUMNS:
        table.add_column(column, justify="right" if column in MONEY else "left")
    for line in lines:
        table.add_row(*(_cell(column, line[column]) for column in SETTLEMENT_COLUMNS))
    return table


def _cell(column: str, value: object) -> str:
    if column == "wager":
        return spot_title(str(value))
    if column in MONEY:
        return text(value) if isinstance(value, int) else "unknown"
    return "" if value is None else str(value)
