"""What commands say to a running table in a person's name, and what it answers."""

import json
import socket
from pathlib import Path
from typing import Annotated, Any

import typer

from controller.config import ConfigError, read
from controller.endings import failed, usage
from controller.table.errors import NotAllowed
from controller.table.inlet import address, read_decision

SECONDS = 5.0
"""The longest that a table takes to answer."""

Who = Annotated[str, typer.Option(help="Who decides.")]
Why = Annotated[str, typer.Option(help="Why; both are kept in the journal.")]
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
