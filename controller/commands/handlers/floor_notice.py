"""What the commands `tableside floor notice` and `tableside floor notices` do."""

import sqlite3
import time
from dataclasses import asdict
from pathlib import Path

import typer

from controller.access.errors import AccessError
from controller.access.people import Person
from controller.commands.arguments import print_json
from controller.commands.configurations import floor_config
from controller.commands.exit_codes import failed, usage
from controller.commands.local_sign_in import one_person
from controller.commands.persons import persons
from controller.floor.notices.desk import NoticeRules, made_notice
from controller.floor.notices.notice import NoticeRefused, NoticeWish
from controller.floor.notices.register import NoticeRegister
from controller.floor.register import FloorRegister
from controller.floor.settings import FloorConfig
from controller.floor.store_file import StoreError


def notice_command(
    config: Path,
    *,
    table: str,
    kind: str,
    begins: str,
    minutes: int,
    doers: str,
    who: str,
    why: str,
    software: str,
    asset: str,
) -> None:
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


def notices_command(config: Path, as_json: bool) -> None:
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


def _tables(config: FloorConfig) -> set[str]:
    """Those of the pits, and those whose journals are admitted."""
    named = {table for tables in config.pits.values() for table in tables}
    with FloorRegister(Path(config.stores), time.time) as register:
        return named | {name.table for name in register.admissions()}
