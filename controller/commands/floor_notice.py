"""The commands `tableside floor notice` and `tableside floor notices`."""

import sqlite3
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from controller.access.errors import AccessError
from controller.commands.arguments import AsJson, floor_config, print_json
from controller.commands.config_file import FloorFile
from controller.commands.exit_codes import failed, usage
from controller.commands.local_sign_in import one_person
from controller.commands.persons import Who, Why, persons
from controller.floor.store_file import StoreError

if TYPE_CHECKING:
    from controller.floor.settings import FloorConfig

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
    from controller.access.people import Person
    from controller.floor.notices.desk import NoticeRules, made_notice
    from controller.floor.notices.notice import NoticeRefused, NoticeWish
    from controller.floor.notices.register import NoticeRegister

    known, named = floor_config(config), persons(who, why)
    rules = NoticeRules(known.notice, known.calendar(), lambda: _tables(known))
    wish = NoticeWish(kind, table, doers, begins, minutes, why, asset, software)
    try:
        made_notice(wish, rules, Person(named.who, "supervisor"), time.time())
        person = one_person(Path(known.access.path), named.who, ("supervisor",))
        notice = made_notice(wish, rules, person, time.time())
        with NoticeRegister(Path(known.stores)) as register:
            register.add(notice)
    except NoticeRefused as refused:
        raise usage(str(refused)) from None
    except (AccessError, StoreError, OSError, sqlite3.Error) as error:
        raise failed(str(error)) from None
    typer.echo(f"{table}: {kind} from {known.calendar().format_time(notice.begins)}, {minutes} minutes")
    typer.echo("the service writes it into the floor's own journal; see tableside floor notices")


def notices_command(config: FloorFile, as_json: AsJson = False) -> None:
    """List the notices of tests and installations, the one that begins last first.

    Example: tableside floor notices --config floor.toml
    """
    from controller.floor.notices.register import NoticeRegister

    known = floor_config(config)
    try:
        with NoticeRegister(Path(known.stores)) as register:
            found = [(one, False) for one in register.waiting()]
            found += [(one, True) for one in register.recorded()]
    except (StoreError, OSError, sqlite3.Error) as error:
        raise failed(str(error)) from None
    if as_json:
        print_json([{**asdict(notice), "counts": counts} for notice, counts in found])
        return
    calendar = known.calendar()
    for notice, counts in found:
        state = "" if counts else "; waits for the floor's own journal"
        brings = f" of version {notice.software}" if notice.software else ""
        typer.echo(
            f"{calendar.format_time(notice.begins)}  {notice.table}  {notice.kind}{brings}, "
            f"{notice.minutes} minutes, {notice.persons}: {notice.why}; entered by {notice.who}{state}"
        )
    if not found:
        typer.echo("No notice has been entered.")


def _tables(config: "FloorConfig") -> set[str]:
    """Those of the pits, and those whose journals are admitted."""
    from controller.floor.register import FloorRegister

    named = {table for tables in config.pits.values() for table in tables}
    with FloorRegister(Path(config.stores), time.time) as register:
        return named | {name.table for name in register.admissions()}
