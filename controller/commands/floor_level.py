"""The commands `tableside floor level LEVEL ...`."""

from typing import Annotated

import typer

from controller.commands.arguments import AsJson, OtherPerson, Who, Why
from controller.commands.config_file import FloorFile

HELP = """Show a level of a linked progressive, and decide about it.

Example: tableside floor level sevens show --config floor.toml
"""
level = typer.Typer(help=HELP, no_args_is_help=True)

TableName = Annotated[str, typer.Argument(metavar="TABLE", help="The name of the table at the level.")]
EpochName = Annotated[
    str, typer.Option("--epoch", metavar="EPOCH", help="Which journal of the table, if it had several.")
]
ActId = Annotated[
    str, typer.Option("--id", metavar="ID", help="Send an act again that had no answer: it counts once.")
]
Amount = Annotated[str, typer.Option(metavar="AMOUNT", help="As 500.00.")]
NoAmount = Annotated[str, typer.Option(metavar="AMOUNT", help="As 500.00, or none.")]
CurrencyName = Annotated[
    str, typer.Option(metavar="CODE", help="Of all amounts of the level, as USD; it never changes.")
]
Share = Annotated[str, typer.Option(metavar="SHARE", help="Of each stake, as 15%.")]


@level.callback()
def name_level(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="LEVEL", help="The name of the level.")],
) -> None:
    """Keep the name for the command that follows."""
    context.obj = name


@level.command()
def show(context: typer.Context, config: FloorFile, as_json: AsJson = False) -> None:
    """Show amount, parameters, tables, open claims and the last acts of a level.

    The command reads the log from its first entry, and listens for the amount
    for two seconds. Status 1: the log cannot be followed to its end.

    Example: tableside floor level sevens show --config floor.toml
    """
    from controller.commands.handlers import floor_level as handlers

    handlers.show(context, config, as_json)


@level.command()
def admit(
    context: typer.Context,
    config: FloorFile,
    table: TableName,
    who: Who,
    second: OtherPerson,
    why: Why,
    epoch: EpochName = "",
    request: Annotated[
        str, typer.Option("--request", metavar="REQUEST", help="The table's request: JSON, or its file.")
    ] = "",
    act: ActId = "",
) -> None:
    """Let a table contribute and win, with a journal that the floor stores.

    A new journal of the table replaces its old one; a new key needs this, too.
    At a hub, --request names the request of the table, as its floor has it.

    Example: tableside floor level sevens admit bj-1 --config f.toml --who Ann --second Bo --why new
    """
    from controller.commands.handlers import floor_level as handlers

    handlers.admit(
        context, config, table=table, who=who, second=second, why=why, epoch=epoch, request=request, act=act
    )


@level.command()
def remove(
    context: typer.Context,
    config: FloorFile,
    table: TableName,
    who: Who,
    second: OtherPerson,
    why: Why,
    epoch: EpochName = "",
    act: ActId = "",
) -> None:
    """Let a table contribute and win no more.

    Its open claims stay open at the level until it is admitted again.

    Example: tableside floor level sevens remove bj-1 --config f.toml --who Ann --second Bo --why sold
    """
    from controller.commands.handlers import floor_level as handlers

    handlers.remove(context, config, table=table, who=who, second=second, why=why, epoch=epoch, act=act)


@level.command()
def parameters(
    context: typer.Context,
    config: FloorFile,
    who: Who,
    second: OtherPerson,
    why: Why,
    currency: CurrencyName = "",
    seed: Amount = "",
    contribution: Share = "",
    reserve: Share = "",
    reset: NoAmount = "",
    limit: NoAmount = "",
    threshold: NoAmount = "",
    act: ActId = "",
) -> None:
    """Set the parameters of a level; those that are not named stay.

    The first ones open the level; they need currency, seed, contribution and
    reserve. Later ones wait until the level is won, once a wager contributed.

    Example: tableside floor level sevens parameters --limit 900.00 --config f.toml --who A --second B --why x
    """
    from controller.commands.handlers import floor_level as handlers

    typed = {
        "currency": currency,
        "seed": seed,
        "contribution": contribution,
        "reserve": reserve,
        "reset": reset,
        "limit": limit,
        "threshold": threshold,
    }
    handlers.parameters(context, config, who=who, second=second, why=why, typed=typed, act=act)


@level.command()
def correction(
    context: typer.Context,
    config: FloorFile,
    amount: Annotated[str, typer.Argument(metavar="AMOUNT", help="What the level must show, as 10250.00.")],
    who: Who,
    second: OtherPerson,
    why: Why,
    act: ActId = "",
) -> None:
    """Correct what a level shows.

    Example: tableside floor level sevens correction 812.50 --config f.toml --who Ann --second Bo --why audit
    """
    from controller.commands.handlers import floor_level as handlers

    handlers.correction(context, config, amount=amount, who=who, second=second, why=why, act=act)


@level.command()
def settle(
    context: typer.Context,
    config: FloorFile,
    table: TableName,
    who: Who,
    second: OtherPerson,
    why: Why,
    reading: Annotated[
        str, typer.Option(metavar="JSON", help="Other meters than those with which its meter fell.")
    ] = "",
    act: ActId = "",
) -> None:
    """Let a table count on after its meter fell.

    It counts on from the meters that it has sent; nothing between its last
    good reading and these contributes.

    Example: tableside floor level sevens settle bj-1 --config f.toml --who Ann --second Bo --why "new disk"
    """
    from controller.commands.handlers import floor_level as handlers

    handlers.settle(context, config, table=table, who=who, second=second, why=why, reading=reading, act=act)


@level.command()
def resolve(
    context: typer.Context,
    config: FloorFile,
    take: Annotated[str, typer.Argument(metavar="HISTORY", help="The history that holds: log or journal.")],
    who: Who,
    second: OtherPerson,
    why: Why,
    act: ActId = "",
) -> None:
    """Choose which history holds, for a level that stands still.

    log: inoperable instances set their journals aside, and write them again.
    journal: begin the log anew first, with tableside floor prepare.

    Example: tableside floor level sevens resolve log --config f.toml --who Ann --second Bo --why restored
    """
    from controller.commands.handlers import floor_level as handlers

    handlers.resolve(context, config, take=take, who=who, second=second, why=why, act=act)
