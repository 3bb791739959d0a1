"""The commands `tableside jackpots`, `tableside claim` and `tableside meter`."""

import re
from typing import Annotated

import typer
from rich.console import Console

from controller.config import ConfigError, read
from controller.config_file import ConfigFile
from controller.endings import failed, usage
from controller.help_panels import TABLE
from controller.journal.errors import JournalError
from controller.progressive.standing import Standing, standing
from controller.progressive.tables import equation, tables
from controller.supervisor import OnlyPreview, Token, Told, Who, Why, act

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
        found = standing(read(config))
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
    told: Told = {"step": step, "claim": number, "who": who, "why": why, "token": token}
    act(config, told, _show, only_preview=preview)


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
    told: Told = {
        "meter": spot,
        "cents": _cents(amount),
        "who": who,
        "second": second,
        "why": why,
        "token": token,
    }
    act(config, told, _show, only_preview=preview)


def _cents(amount: str) -> int:
    found = _AMOUNT.fullmatch(amount)
    if not found:
        raise usage(f"AMOUNT = {amount!r}: not allowed; allowed: an amount with two decimals, as 10250.00")
    return int(found[1] + found[2])


def _show(seen: Told) -> None:
    for sentence in seen["preview"]:
        typer.echo(sentence)
    for change in seen["changes"]:
        typer.echo(f"{change['about']}: {change['before']} -> {change['after']}")
    typer.echo(f"Token: {seen['token']}")


def _print(found: Standing) -> None:
    console = Console()
    typer.echo(f"From {found.source}")
    for table in tables(found):
        console.print(table)
    for meter in found.meters:
        typer.echo(f"{meter.spot}: {equation(meter.books)}")
    if not found.meters:
        typer.echo("There is no jackpot.")
