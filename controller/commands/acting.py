"""Acts of people on a running table, for several commands: a preview, its acceptance, and the act."""

import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import typer

from controller.commands.arguments import print_json
from controller.commands.configurations import read_config
from controller.commands.exit_codes import failed
from controller.commands.persons import Persons
from controller.commands.running_table import (
    Actor,
    Fields,
    OtherTableError,
    RunningTable,
    running_table,
)
from controller.socket.wire import CallRefused, CoreAway

NEEDS_ANOTHER: Final = "It moves a jackpot: another person has to agree (--second)"


@dataclass(frozen=True, slots=True)
class ActOptions:
    """How a command acts. `only_preview`: it changes nothing. `no_preview`: there is none. `as_json`: it
    prints one JSON object, and does not ask. `must_accept`: a command that does not ask must be repeated
    with the preview's token. `by_two`: it takes another person whatever the preview says."""

    only_preview: bool = False
    no_preview: bool = False
    as_json: bool = False
    must_accept: bool = False
    by_two: bool = False


def carry_out(
    config: Path, act: Fields, persons: Persons, show: Callable[[Fields], None], options: ActOptions
) -> None:
    """Do the act in the name of these persons, after a preview unless the act carries the token of one.

    Prints the result. Raises typer.Exit after printing what is wrong, and if the preview is not accepted.
    """
    try:
        with running_table(read_config(config)) as table, ExitStack() as sessions:
            accepted = _Acting(table, persons, sessions, show, options).run(act)
    except CallRefused as refused:
        raise failed(refused.message) from None
    except CoreAway as away:
        raise failed(f"no daemon of this table answers: {away}") from None
    except OtherTableError as other:
        raise failed(str(other)) from None
    if not accepted and not options.only_preview:
        raise failed("nothing is changed")


class _Acting:
    """One command. Sessions end with `sessions`."""

    def __init__(
        self,
        table: RunningTable,
        persons: Persons,
        sessions: ExitStack,
        show: Callable[[Fields], None],
        options: ActOptions,
    ) -> None:
        self._table, self._persons, self._sessions = table, persons, sessions
        self._show, self._options = show, options

    def run(self, act: Fields) -> bool:
        """Returns whether the act was done."""
        actor = self._actor()
        preview = self._previewed(actor, act)
        if preview is not None:
            act = _with_token(act, preview["token"])
        accepted = preview is None or (not self._options.only_preview and self._is_accepted(preview))
        taken = self._take(actor, act, preview) if accepted else {}
        if self._options.as_json:
            print_json({"done": accepted, "row": taken.get("row"), "preview": preview})
        return accepted

    def _actor(self) -> Actor:
        if not self._persons.who:
            return Actor({"override": self._persons.why})
        return self._enter(self._persons.who)

    def _enter(self, name: str) -> Actor:
        return self._sessions.enter_context(self._table.signed_in(name, self._persons.role))

    def _previewed(self, actor: Actor, act: Fields) -> Fields | None:
        if not self._options.only_preview and (self._options.no_preview or _token(act)):
            return None
        preview = self._table.preview(actor, act)
        if not self._options.as_json:
            self._show(preview)
        return preview

    def _is_accepted(self, preview: Fields) -> bool:
        if self._options.as_json:
            return not self._options.must_accept
        if sys.stdin.isatty():
            return typer.confirm("Accept?")
        if self._options.must_accept:
            typer.echo(f"To accept this, give the same command with --token {preview['token']}")
            return False
        return True

    def _take(self, actor: Actor, act: Fields, preview: Fields | None) -> Fields:
        """The second person proves who they are before the first one asks for anything, so that no request is
        left open if they cannot."""
        second = self._persons.second
        by_two = self._options.by_two or (preview is not None and preview["by_two"])
        if by_two and not second:
            raise failed(NEEDS_ANOTHER)
        if second and preview is not None and not by_two:
            typer.echo(f"tableside: {second} is not asked: this takes one person", err=True)
            second = ""
        other = self._enter(second) if second else None
        taken = self._table.act(actor, act)
        request = taken["request"]
        return taken if not request else self._granted(actor, other, request)

    def _granted(self, actor: Actor, other: Actor | None, request: int) -> Fields:
        """The other person grants what the first one has asked for, which is withdrawn otherwise."""
        try:
            if other is None:
                raise failed(NEEDS_ANOTHER)
            return self._table.answer(other, request, self._persons.why, grant=True)
        except BaseException:
            with suppress(CallRefused, CoreAway):
                self._table.answer(actor, request, "not granted", grant=False)
            raise


def _token(act: Fields) -> object:
    (body,) = act.values()
    return body.get("token")


def _with_token(act: Fields, token: str) -> Fields:
    ((name, body),) = act.items()
    return {name: {**body, "token": token}} if token else act


def show_preview(preview: Fields) -> None:
    """Print a preview."""
    for sentence in preview["sentences"]:
        typer.echo(sentence)
    for change in preview["changes"]:
        typer.echo(f"{change['about']}: {change['before']} -> {change['after']}")
    show_ending(preview)


def show_ending(preview: Fields) -> None:
    """Print what ends each preview: whether another person has to agree, and the token."""
    if preview["by_two"]:
        typer.echo(NEEDS_ANOTHER)
    if preview["token"]:
        typer.echo(f"Token: {preview['token']}")
