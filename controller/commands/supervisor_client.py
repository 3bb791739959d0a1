"""Sends decisions to a running table through its socket, for several commands."""

import json
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from controller.commands.arguments import print_json
from controller.commands.exit_codes import failed, usage
from controller.config import ConfigError, read
from controller.table.errors import NotAllowed
from controller.table.people.supervisor_socket import read_decision, socket_path

ANSWER_SECONDS = 5.0
"""Seconds to wait for the table's answer."""

Who = Annotated[str, typer.Option(help="Who decides.")]
Why = Annotated[str, typer.Option(help="Why; both are kept in the journal.")]
Token = Annotated[str | None, typer.Option(help="The token of a preview: accepts what it showed.")]
OnlyPreview = Annotated[bool, typer.Option("--preview", help="Only show what it would change.")]
Second = Annotated[str | None, typer.Option(metavar="NAME", help="Another person, where one is not enough.")]

Fields = dict[str, Any]


def send(config: Path, fields: Fields) -> Fields:
    """Send a request without its fields that are None, and return the table's answer. Raises typer.Exit after
    printing the error if the request is invalid or refused, or if no table answers."""
    fields = {name: value for name, value in fields.items() if value is not None}
    try:
        read_decision(json.dumps(fields).encode())
        path = socket_path(Path(read(config).journal.path))
    except NotAllowed as error:
        raise usage(str(error)) from None
    except ConfigError as error:
        raise usage(*error.faults) from None
    answer = _exchange_or_exit(path, fields)
    if "error" in answer:
        raise failed(str(answer["error"]))
    return answer


@dataclass(frozen=True, slots=True)
class DecisionOptions:
    """How a command decides: `only_preview`: it changes nothing. `as_json`: it prints one JSON object, and
    asks nobody. `must_accept`: whoever is not asked has to repeat the command with the preview's token."""

    only_preview: bool = False
    as_json: bool = False
    must_accept: bool = False


def decide(config: Path, fields: Fields, show: Callable[[Fields], None], options: DecisionOptions) -> None:
    """Send the request, after a preview that is shown unless the request already has a token.

    On a terminal, a person has to accept the preview first. Raises typer.Exit if the preview is not accepted,
    and as `send` does.
    """
    preview = None
    if options.only_preview or not fields.get("token"):
        preview = send(config, {**fields, "token": None, "preview": True})
        if not options.as_json:
            show(preview)
        fields = {**fields, "token": preview["token"]}
    accepted = preview is None or (not options.only_preview and _is_accepted(preview, options))
    if accepted:
        send(config, fields)
    if options.as_json:
        print_decision(done=accepted, preview=preview)
    if not accepted and not options.only_preview:
        raise failed("nothing is changed")


def print_decision(*, done: bool, preview: Fields | None) -> None:
    """Print the JSON object of a command that decides."""
    names = {"preview": "sentences", "changes": "changes", "token": "token"}
    shown = {key: preview[name] for name, key in names.items()} if preview else None
    print_json({"done": done, "preview": shown})


def _is_accepted(preview: Fields, options: DecisionOptions) -> bool:
    if options.as_json:
        return not options.must_accept
    if sys.stdin.isatty():
        return typer.confirm("Accept?")
    if options.must_accept:
        typer.echo(f"To accept this, give the same command with --token {preview['token']}")
        return False
    return True


def _exchange_or_exit(path: Path, fields: Fields) -> Fields:
    try:
        return _exchange(path, fields)
    except OSError as error:
        why = error.strerror or str(error)
        raise failed(f"no daemon of this table answers at {path}: {why}") from None


def _exchange(path: Path, fields: Fields) -> Fields:
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(ANSWER_SECONDS)
        client.connect(str(path))
        client.sendall(json.dumps(fields).encode() + b"\n")
        with client.makefile() as answers:
            return dict(json.loads(answers.readline() or '{"error": "the daemon ended"}'))


def show_preview(preview: Fields) -> None:
    """Print the answer to a request for a preview."""
    for sentence in preview["preview"]:
        typer.echo(sentence)
    for change in preview["changes"]:
        typer.echo(f"{change['about']}: {change['before']} -> {change['after']}")
    typer.echo(f"Token: {preview['token']}")
