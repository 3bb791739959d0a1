"""The commands `tableside floor ...` that ask for what is stored."""

from pathlib import Path
from typing import Annotated

import typer

from controller.commands import choices
from controller.commands.arguments import AsJson
from controller.commands.config_file import FloorFile

OneDay = Annotated[str, typer.Option("--day", metavar="DAY", help="One gaming day; all of them without.")]
OneTable = Annotated[str, typer.Option("--table", metavar="TABLE", help="One table; all of them without.")]
OwnJournal = Annotated[
    Path | None,
    typer.Option("--journal", metavar="FILE", help="A table's own journal to compare with what is stored."),
]
ProgressiveJournal = Annotated[
    Path | None,
    typer.Option("--progressive", metavar="FILE", help="The journal of a linked progressive to check too."),
]
Pit = Annotated[str, typer.Option("--pit", metavar="PIT", help="The tables of one pit.")]
PeriodName = Annotated[
    str, typer.Option("--period", metavar="PERIOD", help='A gaming day, or a shift as "2026-11-20 14:00".')
]
GamingDay = Annotated[str, typer.Argument(metavar="DAY", help="The gaming day, as 2026-11-20.")]


def rebuild_command(config: FloorFile, day: GamingDay, as_json: AsJson = False) -> None:
    """Derive rounds, actions, events, hits and readings of a day again from its rows.

    The service may run meanwhile.

    Example: tableside floor rebuild 2026-11-20 --config floor.toml
    """
    from controller.commands.handlers import floor_stored as handlers

    handlers.rebuild_command(config, day, as_json)


def verify_command(
    config: FloorFile,
    day: OneDay = "",
    table: OneTable = "",
    journal: OwnJournal = None,
    progressive: ProgressiveJournal = None,
    as_json: AsJson = False,
) -> None:
    """Check everything that the floor has stored, again from the rows. Status 1: something is wrong.

    Chains over all days, signatures, heads, anchors, and what was derived. The
    service may run meanwhile.

    Example: tableside floor verify --day 2026-11-20 --config floor.toml
    """
    from controller.commands.handlers import floor_stored as handlers

    handlers.verify_command(
        config, day=day, table=table, journal=journal, progressive=progressive, as_json=as_json
    )


def search_command(
    config: FloorFile,
    table: OneTable = "",
    pit: Pit = "",
    period: PeriodName = "",
    number: Annotated[str, typer.Option("--round", metavar="N", help="The number of the round.")] = "",
    seat: Annotated[str, typer.Option(metavar="N", help="A seat with a wager.")] = "",
    wager: Annotated[str, typer.Option(metavar="NAME", help="A kind of wager, as blazing-7s.")] = "",
    above: Annotated[str, typer.Option(metavar="AMOUNT", help="One wager won more than this.")] = "",
    outcome: Annotated[str, typer.Option(metavar="WORD", help=f"{', '.join(choices.OUTCOMES)}.")] = "",
    cards: Annotated[str, typer.Option(metavar="CARDS", help='Cards on the table, as "7s 7d K".')] = "",
    dealer: Annotated[str, typer.Option(metavar="NAME", help="Part of the dealer's name.")] = "",
    person: Annotated[str, typer.Option(metavar="NAME", help="Part of the decision maker's name.")] = "",
    act: Annotated[str, typer.Option(metavar="TEXT", help="Part of what a person did in the round.")] = "",
    game: Annotated[str, typer.Option(metavar="GAME", help="The id of a game.")] = "",
    most: Annotated[int, typer.Option("--most", min=1, help="Rounds at most.")] = 50,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    as_json: AsJson = False,
) -> None:
    """Find rounds at all tables, newest first.

    Example: tableside floor search --period 2026-11-20 --cards "7s 7d" --above 1000 --config floor.toml
    """
    from controller.commands.handlers import floor_stored as handlers

    handlers.search_command(
        config,
        table=table,
        pit=pit,
        period=period,
        number=number,
        seat=seat,
        wager=wager,
        above=above,
        outcome=outcome,
        cards=cards,
        dealer=dealer,
        person=person,
        act=act,
        game=game,
        most=most,
        csv=csv,
        as_json=as_json,
    )
