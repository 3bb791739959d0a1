"""The end of a command with an error: it prints each fault on a line of its own and exits with a status."""

import typer

from controller.process.faults import FAILED, USAGE, print_faults


def usage(*faults: str) -> typer.Exit:
    """Print the faults of wrong arguments or of a wrong configuration. Returns the exit to raise."""
    return _exit(USAGE, faults)


def failed(*faults: str) -> typer.Exit:
    """Print why a valid command failed. Returns the exit to raise."""
    return _exit(FAILED, faults)


def _exit(status: int, faults: tuple[str, ...]) -> typer.Exit:
    print_faults(*faults)
    return typer.Exit(status)
