"""What `tableside journal replay` does."""

import json
import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import typer
from rich.console import Console

from controller.commands.arguments import print_json
from controller.commands.config_file import journal_config
from controller.commands.configurations import configured_journal
from controller.commands.exit_codes import failed, usage
from controller.commands.journal_money import use_currency_of
from controller.journal.errors import JournalError
from controller.journal.history import History
from controller.past.replay.account import RoundAccount, account_json, account_of, script_of
from controller.past.replay.output import print_account, print_in_time
from controller.past.replay.rounds import EndedRound, ended_rounds
from controller.process.faults import FAILED


def handle(
    which: list[str] | None, *, config: Path | None, as_script: bool, as_json: bool, speed: float | None
) -> None:
    show = _printer(as_script, as_json, speed)
    path, number = _chosen(which or [], config)
    use_currency_of(path)
    if speed is not None and number is None:
        raise usage("--speed needs the number of a round")
    agree = True
    for ended_round in _wanted(path, number):
        account_ = account_of(ended_round)
        show(account_)
        agree = agree and account_.verdict.agrees
    raise typer.Exit(0 if agree else FAILED)


def _printer(as_script: bool, as_json: bool, speed: float | None) -> Callable[[RoundAccount], None]:
    """The function that prints a round. Raises typer.Exit after printing an error if options contradict each
    other."""
    if as_script + as_json + (speed is not None) > 1:
        raise usage("--script, --json and --speed are not allowed together; allowed: one of them")
    if speed is None:
        return _print_script if as_script else _print_json if as_json else _print_tables
    if not 0 < speed < math.inf:
        raise usage(f"--speed {speed} is not allowed; allowed: a number over 0, as 10 or 0.5")
    return lambda account_: _print_in_time(account_, speed)


def _chosen(which: list[str], config: Path | None) -> tuple[Path, int | None]:
    """The journal, and the number of the round, None if none is given. Raises typer.Exit after printing an
    error."""
    journal = Path(which[0]) if which and not config and not _is_round(which[0]) else None
    rest = which[1:] if journal else which
    if len(rest) > 1:
        raise usage(f"{' '.join(rest)} is not allowed; allowed: the number of one round")
    number = _number(rest[0]) if rest else None
    return journal or configured_journal(config or journal_config()), number


def _is_round(text: str) -> bool:
    """Whether this is the number of a round and not the file of a journal."""
    return text.isdecimal() and not Path(text).exists()


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text)):
        raise usage(f"round {text!r} is not allowed; allowed: a whole number from 1 on")
    return int(text)


def _wanted(path: Path, number: int | None) -> Iterator[EndedRound]:
    """Every round, or the one with this number. Raises typer.Exit after printing an error."""
    known: list[int] = []
    try:
        for ended_round in ended_rounds(History(path).rows()):
            known += [] if ended_round.corrected else [ended_round.number]
            if number in (None, ended_round.number):
                yield ended_round
    except JournalError as error:
        raise failed(str(error)) from None
    if number is not None and number not in known:
        raise failed(f"round {number} is not in {path}; {_existing_rounds(known)}")


def _existing_rounds(known: list[int]) -> str:
    if not known:
        return "no round has ended yet"
    return f"there are rounds {known[0]} to {known[-1]}" if len(known) > 1 else f"there is round {known[0]}"


def _print_script(account_: RoundAccount) -> None:
    if account_.unwritten:
        typer.echo(f"tableside: round {account_.round.number} is left out: {account_.unwritten}", err=True)
    else:
        typer.echo(json.dumps(script_of(account_)))


def _print_json(account_: RoundAccount) -> None:
    print_json(account_json(account_))


def _print_tables(account_: RoundAccount) -> None:
    print_account(_console(), account_)


def _print_in_time(account_: RoundAccount, speed: float) -> None:
    try:
        print_in_time(_console(), account_, speed, time.sleep)
    except KeyboardInterrupt:
        raise typer.Exit(0) from None


def _console() -> Console:
    return Console(markup=False, highlight=False)
