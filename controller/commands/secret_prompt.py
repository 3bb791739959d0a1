"""Asks for secrets: on the terminal, or else on standard input, because other users of the computer could see
arguments."""

import getpass
import sys

from controller.access.people import SECRET_WORDS, SecretKind
from controller.commands.exit_codes import failed


def ask_secret(name: str, kind: SecretKind) -> str:
    """The secret of this person, typed on the terminal without echo; without a terminal, the next line of
    standard input. Raises typer.Exit after printing an error if there is none."""
    prompt = f"{SECRET_WORDS[kind]} of {name}: "
    given = getpass.getpass(prompt) if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
    if not given:
        raise failed(f"{prompt}missing; needed: type it on the terminal, or give it on standard input")
    return given
