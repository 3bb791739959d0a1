"""What commands say to a running table in a person's name, and what it answers."""

import json
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from controller.commands.exit_codes import failed, usage
from controller.config.reading import ConfigError, read
from controller.table.errors import NotAllowed
from controller.table.people.supervisor_socket import address, read_decision

SECONDS = 5.0
"""The longest that a table takes to answer."""

Who = Annotated[str, typer.Option(help="Who decides.")]
Why = Annotated[str, typer.Option(help="Why; both are kept in the journal.")]
Token = Annotated[str | None, typer.Option(help="The token of a preview: accepts what it showed.")]
OnlyPreview = Annotated[bool, typer.Option("--preview", help="Only show what it would change.")]
Second = Annotated[str | None, typer.Option(metavar="NAME", help="Another person, where one is not enough.")]

Told = dict[str, Any]


def tell(config: Path, told: Told) -> Told:
    """What the table of this configuration answers; what is None is not told. Raises typer.Exit after saying
    what is wrong."""
    told = {name: value for name, value in told.items() if value is not None}
    try:
        read_decision(json.dumps(told).encode())
        path = address(Path(read(config).journal.path))
    except NotAllowed as error:
        raise usage(str(error)) from None
    except ConfigError as error:
        raise usage(*error.faults) from None
    answer = _asked(path, told)
    if "error" in answer:
        raise failed(str(answer["error"]))
    return answer


def act(
    config: Path, told: Told, show: Callable[[Told], None], *, only_preview: bool, accepted: bool = False
) -> None:
    """Preview the request, show the preview, and send the request with the preview's token; a request that
    already has a token is sent at once. On a terminal, a person has to accept the preview first. Elsewhere
    the request is sent unless a person must have `accepted` what it changes: then the command has to be
    repeated with the token. Raises typer.Exit."""
    if told.get("token") and not only_preview:
        tell(config, told)
        return
    seen = tell(config, {**told, "token": None, "preview": True})
    show(seen)
    if only_preview:
        return
    if not _accepted(seen, accepted):
        raise failed("nothing is changed")
    tell(config, {**told, "token": seen["token"]})


def _accepted(seen: Told, needed: bool) -> bool:
    if sys.stdin.isatty():
        return typer.confirm("Accept?")
    if needed:
        typer.echo(f"To accept this, give the same command with --token {seen['token']}")
        return False
    return True


def _asked(path: Path, told: Told) -> Told:
    try:
        return _ask(path, told)
    except OSError as error:
        why = error.strerror or str(error)
        raise failed(f"no daemon of this table answers at {path}: {why}") from None


def _ask(path: Path, told: Told) -> Told:
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(SECONDS)
        client.connect(str(path))
        client.sendall(json.dumps(told).encode() + b"\n")
        with client.makefile() as answers:
            return dict(json.loads(answers.readline() or '{"error": "the daemon ended"}'))
