"""What `tableside table uplink enroll` and `tableside table uplink join` do."""

from pathlib import Path

import typer

from controller.commands.arguments import print_json
from controller.commands.configurations import read_config
from controller.commands.exit_codes import failed, usage
from controller.floor.uplink.credentials import CredentialsRefused, join
from controller.floor.uplink.enrolment import EnrolmentError, request_of
from controller.journal.errors import JournalError


def enroll(config: Path) -> None:
    try:
        request = request_of(read_config(config))
    except EnrolmentError as error:
        raise usage(str(error)) from None
    except JournalError as error:
        raise failed(str(error)) from None
    print_json(request.model_dump())


def join_command(signed: Path, config: Path) -> None:
    try:
        typer.echo(f"credentials: {join(read_config(config), signed)}")
    except CredentialsRefused as error:
        raise failed(str(error)) from None
