"""Sends decisions to a running table through its socket, for several commands."""

import json
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

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


def preview_and_send(
    config: Path,
    fields: Fields,
    show: Callable[[Fields], None],
    *,
    only_preview: bool,
    accepted: bool = False,
) -> None:
    """Preview the request, show the preview, and send the request with the preview's token.

    A request that already has a token is sent at once. On a terminal, a person has to accept the preview
    first. Otherwise the request is sent at once, unless `accepted` is true: then the command has to be
    repeated with the token.

    Raises typer.Exit if the preview is not accepted, and as `send` does.
    """
    if fields.get("token") and not only_preview:
        send(config, fields)
        return
    preview = send(config, {**fields, "token": None, "preview": True})
    show(preview)
    if only_preview:
        return
    if not _is_accepted(preview, accepted):
        raise failed("nothing is changed")
    send(config, {**fields, "token": preview["token"]})


def _is_accepted(preview: Fields, needed: bool) -> bool:
    if sys.stdin.isatty():
        return typer.confirm("Accept?")
    if needed:
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
