"""Asks for secrets: on the terminal, or else on standard input, because other users of the computer could see
arguments."""

import getpass
import sys

from controller.access.people import SECRET_WORDS, SecretKind


def ask_secret(name: str, kind: SecretKind) -> str:
    """The secret of this person, typed on the terminal without echo; without a terminal, the next line of
    standard input."""
    if sys.stdin.isatty():
        return getpass.getpass(f"{SECRET_WORDS[kind]} of {name}: ")
    return sys.stdin.readline().rstrip("\n")
