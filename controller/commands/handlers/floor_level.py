"""What the commands `tableside floor level LEVEL ...` do."""

import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import typer

from controller.commands.arguments import print_json
from controller.commands.configurations import floor_config
from controller.commands.exit_codes import failed, usage
from controller.commands.floor_register import chosen_journal, floor_register
from controller.commands.floor_sign_in import two_supervisors
from controller.commands.persons import persons
from controller.commands.stderr_log import log_to_stderr
from controller.currency import use

if TYPE_CHECKING:
    from controller.floor.levels.acts import LevelAct
    from controller.floor.levels.desk import LevelDesk
    from controller.floor.levels.history import LevelHistory
    from controller.floor.settings import FloorConfig
    from controller.jackpot.linked.messages import AdminMessage, Admission
    from controller.jackpot.linked.wire import Part


def show(context: typer.Context, config: Path, as_json: bool) -> None:
    from controller.floor.levels.output import lines, picture_json

    log_to_stderr()
    known = floor_config(config)
    with _faults():
        found = _desk(known, context.obj).picture()
    use(found.history.state.money)
    if as_json:
        print_json(picture_json(found))
    else:
        for line in lines(found, known.calendar()):
            typer.echo(line)
    raise typer.Exit(1 if found.history.fault else 0)


def admit(
    context: typer.Context,
    config: Path,
    *,
    table: str,
    who: str,
    second: str,
    why: str,
    epoch: str,
    request: str,
    act: str,
) -> None:
    from controller.jackpot.linked.messages import Admit

    known = floor_config(config)
    value = _requested(known, request, table) if request else _stored(known, table, epoch)
    _decide(known, context.obj, Admit, lambda _found: value, _Persons(who, second, why, act))


def remove(
    context: typer.Context, config: Path, *, table: str, who: str, second: str, why: str, epoch: str, act: str
) -> None:
    from controller.floor.levels.decisions import removal
    from controller.jackpot.linked.messages import Remove

    by = _Persons(who, second, why, act)
    value = partial(removal, table=table, epoch=epoch)
    _decide(floor_config(config), context.obj, Remove, value, by)


def parameters(
    context: typer.Context,
    config: Path,
    *,
    who: str,
    second: str,
    why: str,
    typed: Mapping[str, str],
    act: str,
) -> None:
    """`typed`: each parameter as it was typed, empty if it was not."""
    from controller.floor.levels.decisions import changed_parameters
    from controller.jackpot.linked.messages import SetParameters

    changed = {name: text for name, text in typed.items() if text}
    if not changed:
        raise usage("no parameter is named; needed: at least one of --currency to --threshold")
    by = _Persons(who, second, why, act)
    value = partial(changed_parameters, changed=changed)
    _decide(floor_config(config), context.obj, SetParameters, value, by)


def correction(
    context: typer.Context, config: Path, *, amount: str, who: str, second: str, why: str, act: str
) -> None:
    from controller.floor.levels.decisions import typed_amount
    from controller.jackpot.linked.messages import Correct, CorrectedAmount

    def value(found: "LevelHistory") -> CorrectedAmount:
        return CorrectedAmount(cents=typed_amount("AMOUNT", amount, found.state.money))

    by = _Persons(who, second, why, act)
    _decide(floor_config(config), context.obj, Correct, value, by)


def settle(
    context: typer.Context,
    config: Path,
    *,
    table: str,
    who: str,
    second: str,
    why: str,
    reading: str,
    act: str,
) -> None:
    from controller.floor.levels.decisions import settlement
    from controller.jackpot.linked.messages import Settle

    by = _Persons(who, second, why, act)
    value = partial(settlement, table=table, text=reading)
    _decide(floor_config(config), context.obj, Settle, value, by)


def resolve(
    context: typer.Context, config: Path, *, take: str, who: str, second: str, why: str, act: str
) -> None:
    from controller.jackpot.linked.messages import Resolution, Resolve

    histories = {history: Resolution(take=history) for history in ("log", "journal")}
    if take not in histories:
        raise usage(f"HISTORY = {take!r}: not allowed; allowed: {', '.join(histories)}")
    by = _Persons(who, second, why, act)
    _decide(floor_config(config), context.obj, Resolve, lambda _found: histories[take], by)


@dataclass(frozen=True, slots=True)
class _Persons:
    """Who decide, why, and the id of an act that had no answer, empty for a new one."""

    who: str
    second: str
    why: str
    id: str


def _decide(
    config: "FloorConfig",
    name: str,
    kind: "type[AdminMessage]",
    value_of: "Callable[[LevelHistory], Part]",
    by: _Persons,
) -> None:
    """Say what the level `name` would do, let both persons sign, and wait for its answer. Raises
    typer.Exit."""
    from controller.floor.levels.decisions import made, preview, warning
    from controller.floor.levels.words import outcome_words
    from controller.jackpot.linked.messages import Resolve

    log_to_stderr()
    desk, number = _desk(config, name), by.id or uuid4().hex
    named = persons(by.who, by.why, by.second)
    with _faults():
        found = desk.end() if kind is Resolve and not by.id else desk.history()
        use(found.state.money)
        if known := found.act(number):
            _tell(name, known)
            return
        if found.fault and kind is not Resolve:
            raise failed(f"{name}: the log cannot be followed after entry {found.state.n}: {found.fault}")
        fields = {"level": name, "id": number, "about": found.state.n, "value": value_of(found)}
        draft = made(kind, **fields, who=(named.who, named.second), why=named.why, issued=time.time())
        will = preview(found.state, draft)
        typer.echo(f"{name}, after entry {found.state.n}: {outcome_words(will)}")
        if warned := warning(found.state, will):
            typer.echo(warned)
    who = two_supervisors(config, by.who, by.second, by.why, f"decide about {name}")
    with _faults(number):
        message = made(kind, **fields, who=who, why=named.why, issued=round(time.time(), 3))
        _tell(name, desk.decide(message, found.sequence))


def _tell(name: str, act: "LevelAct") -> None:
    """Raises typer.Exit if the level has refused it."""
    from controller.floor.levels.words import act_words

    if act.refused:
        raise failed(f"{name}, entry {act.n}: {act_words(act)}")
    typer.echo(f"{name}, entry {act.n}: {act_words(act)}")


def _desk(config: "FloorConfig", name: str) -> "LevelDesk":
    """Raises typer.Exit if this is not a level of the property."""
    from controller.floor.levels.desk import LevelDesk

    if name not in config.levels:
        allowed = ", ".join(config.levels) or "none"
        raise usage(f"LEVEL = {name!r}: not in levels of floor.toml; allowed: {allowed}")
    return LevelDesk(config, name)


@contextmanager
def _faults(number: str = "") -> Iterator[None]:
    """`number`: the id of the act that may have been sent."""
    from controller.floor.connection import ServersError
    from controller.floor.credentials import CredentialsError
    from controller.floor.levels.administration import KeyUnknown, NoAnswer
    from controller.floor.levels.decisions import DecisionInvalid, DecisionRefused
    from controller.floor.progressive.log_stream import StreamAway
    from controller.floor.store_file import StoreError
    from controller.jackpot.linked.entries import LogFault
    from drivers.key_files import KeyFault

    try:
        yield
    except DecisionInvalid as error:
        raise usage(str(error)) from None
    except (DecisionRefused, KeyFault, KeyUnknown, StoreError, sqlite3.Error) as error:
        raise failed(str(error)) from None
    except (NoAnswer, ServersError, CredentialsError, StreamAway, LogFault) as error:
        again = f"; the same command with --id {number} asks again" if number else ""
        raise failed(f"{error}{again}") from None


def _stored(config: "FloorConfig", table: str, epoch: str) -> "Admission":
    """A journal that the floor stores, and the key that signs it now. Raises typer.Exit."""
    from controller.floor.reports.of_table import stored_currency
    from controller.floor.store import FloorArchive
    from controller.jackpot.linked.messages import Admission
    from controller.property.subjects import HUB

    if config.property == HUB:
        raise usage("--request is missing; needed at a hub: the request of the table, as its floor has it")
    with floor_register(config) as register, _faults():
        admitted = register.admissions()
        name = chosen_journal(table, epoch, list(admitted))
        archive = FloorArchive(Path(config.stores))
        signs, money = archive.heads().get(name, admitted[name]), stored_currency(archive, name)
    return Admission(table=name.table, epoch=name.epoch, public=signs.public.hex(), currency=money.code)


def _requested(config: "FloorConfig", request: str, table: str) -> "Admission":
    """What the request names. Raises typer.Exit."""
    from controller.floor.admitting import RequestError, read_request
    from controller.jackpot.linked.messages import Admission

    try:
        asked = read_request(request, *(config.properties or (config.property,)))
    except RequestError as error:
        raise usage(str(error)) from None
    if asked.table != table:
        raise usage(f"request of the table {asked.table!r}; allowed: {table!r}")
    return Admission(table=asked.table, epoch=asked.epoch, public=asked.public)
