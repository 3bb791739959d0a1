"""What the commands `tableside floor ...` do."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from controller.commands.arguments import print_json
from controller.commands.configurations import floor_config
from controller.commands.exit_codes import failed, usage
from controller.commands.floor_register import chosen_journal, floor_register
from controller.commands.floor_sign_in import two_supervisors
from controller.commands.stderr_log import log_to_stderr
from controller.floor.day_file import JournalName
from controller.floor.projector import Admission
from controller.floor.register import Decision, DecisionKind, FloorRegister, KeptIncident
from controller.floor.store_file import StoreError

if TYPE_CHECKING:
    from controller.floor.authority.authority import Authority
    from controller.floor.settings import FloorConfig


def prepare(config: Path, *, as_json: bool, files: bool, replace_log: str, export: Path | None) -> None:
    if bool(replace_log) != bool(export):
        raise usage("--replace-log and --export are needed together")
    log_to_stderr()
    known = floor_config(config)
    if replace_log and export:
        _replace_log(known, replace_log, export, as_json=as_json)
    elif files:
        _prepare_files(known, as_json=as_json)
    else:
        _prepare_all(known, as_json=as_json)


def _prepare_files(config: "FloorConfig", *, as_json: bool) -> None:
    from controller.floor.authority.authority import AuthorityError
    from controller.floor.service.preparing import prepare_keys, server_folder
    from drivers.key_files import KeyFault

    try:
        public, folder = prepare_keys(config), server_folder(config)
    except (KeyFault, AuthorityError) as error:
        raise failed(str(error)) from None
    if as_json:
        print_json({"public": public, "servers": str(folder) if folder else None})
        return
    typer.echo(f"public key: {public}")
    if folder:
        typer.echo(f"files of the servers: {folder}")


def _prepare_all(config: "FloorConfig", *, as_json: bool) -> None:
    from controller.floor.authority.authority import AuthorityError
    from controller.floor.connection import ServersError
    from controller.floor.credentials import CredentialsError
    from controller.floor.service.preparing import prepare_floor
    from controller.floor.streams import StreamError
    from drivers.key_files import KeyFault

    try:
        done = prepare_floor(config)
    except (KeyFault, AuthorityError, StreamError, ServersError, CredentialsError) as error:
        raise failed(str(error)) from None
    if as_json:
        print_json(asdict(done))
        return
    typer.echo(f"public key: {done.public}")
    for stream in done.streams:
        typer.echo(f"stream {stream}: {'made' if stream in done.made else 'as it must be'}")


def _replace_log(config: "FloorConfig", level: str, export: Path, *, as_json: bool) -> None:
    from controller.floor.connection import ServersError
    from controller.floor.credentials import CredentialsError
    from controller.floor.service.preparing import replace_level_log
    from controller.floor.streams import StreamError

    try:
        count = replace_level_log(config, level, export)
    except (StreamError, ServersError, CredentialsError, OSError) as error:
        raise failed(str(error)) from None
    if as_json:
        print_json({"exported": count, "file": str(export)})
        return
    typer.echo(f"{export} has {count} entries; the log of {level} is empty")


def admit(config: Path, *, request: str, who: str, second: str, why: str) -> None:
    from controller.floor.admitting import RequestError, read_request

    known = floor_config(config)
    try:
        asked = read_request(request, known.property)
    except RequestError as error:
        raise usage(str(error)) from None
    authority = _authority(known)
    if authority and not asked.user:
        raise usage(
            "request: user is missing; needed: the key that tableside table uplink enroll makes and prints"
        )
    with floor_register(known) as register:
        if asked.name() in register.admissions():
            raise failed(
                f"{asked.table} {asked.epoch} is admitted already; to change it: tableside floor remove"
            )
        typer.echo(f"table {asked.table}, journal {asked.epoch}, from row {asked.first} on")
        typer.echo(f"signed with {asked.public}")
        typer.echo(f"directories sealed for {asked.sealing or 'no key: the table has none'}")
        if asked.user:
            typer.echo(f"signs in with {asked.user}")
        named = two_supervisors(known, who, second, why, "admit")
        if authority:
            with _authority_faults():
                path = authority.issue(asked.table, asked.user, int(time.time()))
            typer.echo(f"credentials: {path}, for tableside table uplink join at the table")
        now = round(time.time(), 3)
        register.decide(Decision("admit", asked.name(), asked.admission(), *named, why, now))
    typer.echo(f"the floor takes the journal {asked.epoch} of {asked.table}")


def remove(config: Path, *, table: str, who: str, second: str, why: str, epoch: str) -> None:
    known = floor_config(config)
    with floor_register(known) as register:
        admitted = register.admissions()
        name = chosen_journal(table, epoch, list(admitted))
        _decide(known, register, "remove", name, admitted[name], who, second, why)
    typer.echo(f"the floor takes no more rows of the journal {name.epoch} of {name.table}")


def revoke(config: Path, *, table: str, who: str, second: str, why: str) -> None:
    from controller.floor.service.preparing import write_accounts

    known = floor_config(config)
    authority = _authority(known)
    if authority is None:
        raise usage("authority is missing; needed: the folder of the keys of the servers")
    with _authority_faults():
        issued = authority.issued(table)
    with floor_register(known) as register:
        admitted = [one for one in register.decisions() if one.kind == "admit" and one.name.table == table]
        if not issued or not admitted:
            raise failed(f"table {table!r}: the floor has signed no credentials for it")
        _decide(known, register, "revoke", admitted[-1].name, admitted[-1].admission, who, second, why)
    with _authority_faults():
        authority.revoke(table, int(time.time()))
        path = write_accounts(authority)
    typer.echo(f"revoked: {', '.join(issued)}")
    typer.echo(f"copy {path} to all servers")
    _update_servers(known, authority)


def accept_gap(config: Path, *, table: str, who: str, second: str, why: str, epoch: str) -> None:
    known = floor_config(config)
    with floor_register(known) as register:
        gaps = {
            kept.incident.name: kept.incident for kept in register.incidents() if kept.incident.kind == "gap"
        }
        name = chosen_journal(table, epoch, list(gaps))
        gap, admission = gaps[name], register.admissions()[name]
        typer.echo(f"the rows {gap.row} to {gap.last} of {name.table} will be missing at the floor")
        accepted = Admission(gap.last + 1, gap.before, admission.public)
        _decide(known, register, "accept gap", name, accepted, who, second, why)
    typer.echo(f"the floor goes on with row {gap.last + 1} of {name.table}")


def incidents(config: Path, as_json: bool) -> None:
    with floor_register(floor_config(config)) as register:
        found = register.incidents()
    if as_json:
        print_json([_incident_json(kept) for kept in found])
    for kept in found if not as_json else ():
        incident, began = kept.incident, datetime.fromtimestamp(kept.began, UTC)
        typer.echo(
            f"{kept.number}: {incident.kind}, table {incident.name.table}, row {incident.row}, "
            f"since {began:%Y-%m-%d %H:%M:%S} UTC: {incident.why}. {incident.advice}."
        )
    raise typer.Exit(1 if found else 0)


def settle(config: Path, *, number: int, who: str, second: str, why: str) -> None:
    known = floor_config(config)
    with floor_register(known) as register:
        if number not in {kept.number for kept in register.incidents()}:
            raise failed(f"incident {number}: none is open under this number; see tableside floor incidents")
        named = two_supervisors(known, who, second, why, "settle")
        register.settle(number, f"{named[0]} and {named[1]}: {why}")
    typer.echo(f"incident {number} has ended")


def journal(config: Path, *, table: str, path: Path, epoch: str) -> None:
    from controller.floor.journal_copy import CopyError, write_journals
    from controller.floor.store import FloorArchive

    archive = FloorArchive(Path(floor_config(config).stores))
    try:
        name = chosen_journal(table, epoch, list(archive.heads()))
        runs = write_journals(path, archive.segments(name))
    except (CopyError, StoreError, OSError, sqlite3.Error) as error:
        raise failed(str(error)) from None
    for run in runs:
        if run.path:
            typer.echo(f"{run.path}: rows {run.first} to {run.last} of {name.table} {name.epoch}")
        if run.begin < run.first or not run.path:
            left = f"{run.begin} to {run.first - 1 if run.path else run.last}"
            typer.echo(f"rows {left} are in no file: a journal begins with the first row of a table's file")


def _authority(config: "FloorConfig") -> "Authority | None":
    """The keys of the servers; None for servers that admit everybody."""
    from controller.floor.authority.authority import Authority

    return Authority(Path(config.authority), config.property) if config.authority else None


@contextmanager
def _authority_faults() -> Iterator[None]:
    from controller.floor.authority.authority import AuthorityError

    try:
        yield
    except AuthorityError as error:
        raise failed(str(error)) from None


def _update_servers(config: "FloorConfig", authority: "Authority") -> None:
    """Raises typer.Exit if a server has not taken the account."""
    from controller.floor.authority.updating import update_servers
    from controller.floor.connection import ServersError
    from controller.floor.credentials import CredentialsError

    ca = Path(config.ca) if config.ca else None
    try:
        with _authority_faults():
            updated = update_servers(authority, config.servers, ca, int(time.time()))
    except (ServersError, CredentialsError) as error:
        raise failed(f"{error}; every server must reload the file") from None
    typer.echo(f"servers that know it: {', '.join(updated)}")
    if len(updated) < len(config.servers):
        reached = f"{len(updated)} of {len(config.servers)} servers know it"
        raise failed(f"{reached}; the others must reload the file")


def _decide(
    config: "FloorConfig",
    register: FloorRegister,
    kind: DecisionKind,
    name: JournalName,
    admission: Admission,
    who: str,
    second: str,
    why: str,
) -> None:
    named = two_supervisors(config, who, second, why, kind)
    register.decide(Decision(kind, name, admission, *named, why, round(time.time(), 3)))


def _incident_json(kept: KeptIncident) -> dict[str, object]:
    incident = kept.incident
    return {
        "number": kept.number,
        "kind": incident.kind,
        "table": incident.name.table,
        "epoch": incident.name.epoch,
        "row": incident.row,
        "why": incident.why,
        "todo": incident.advice,
        "began": kept.began,
        "at": kept.at,
        "count": kept.count,
    }
