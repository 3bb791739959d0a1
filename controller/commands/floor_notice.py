"""The commands `tableside floor notice` and `tableside floor notices`."""

from typing import Annotated

import typer

from controller.commands.arguments import AsJson, Who, Why
from controller.commands.config_file import FloorFile

Table = Annotated[str, typer.Argument(metavar="TABLE", help="The name of the table at the floor.")]


def notice_command(
    config: FloorFile,
    table: Table,
    kind: Annotated[str, typer.Option("--kind", metavar="KIND", help="test or installation.")],
    begins: Annotated[
        str, typer.Option(metavar="TIME", help='By the clock of the house, as "2026-11-27 09:00".')
    ],
    minutes: Annotated[int, typer.Option(metavar="N", help="How long it takes.")],
    doers: Annotated[str, typer.Option("--persons", metavar="NAMES", help="Who does it.")],
    who: Who,
    why: Why,
    software: Annotated[
        str, typer.Option(metavar="VERSION", help="The version that an installation brings.")
    ] = "",
    asset: Annotated[
        str, typer.Option(metavar="NUMBER", help="The asset number; the table's name without it.")
    ] = "",
) -> None:
    """Announce a test or an installation of software on the live floor.

    A supervisor types their password. It must begin later than the hours of
    `notice` in the configuration. It counts once the service has written it
    into the floor's own journal.

    Example: tableside floor notice bj-1 --kind test --minutes 120
    --begins "2026-11-27 09:00" --persons "Cy Tech" --why "lab test"
    --who "Ann Lee" --config floor.toml
    """
    from controller.commands.handlers import floor_notice as handlers

    handlers.notice_command(
        config,
        table=table,
        kind=kind,
        begins=begins,
        minutes=minutes,
        doers=doers,
        who=who,
        why=why,
        software=software,
        asset=asset,
    )


def notices_command(config: FloorFile, as_json: AsJson = False) -> None:
    """List the notices of tests and installations, the one that begins last first.

    Example: tableside floor notices --config floor.toml
    """
    from controller.commands.handlers import floor_notice as handlers

    handlers.notices_command(config, as_json)
