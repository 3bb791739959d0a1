"""How a command ends that cannot do what it was asked: each fault on a line of its own, and a status."""

import typer

from controller.daemon.faults import FAILED, USAGE, print_faults


def usage(*faults: str) -> typer.Exit:
    """It was asked wrongly: says so; the exit to raise."""
    return _exit(USAGE, faults)


def failed(*faults: str) -> typer.Exit:
    """It was asked rightly and could not: says so; the exit to raise."""
    return _exit(FAILED, faults)


def _exit(status: int, faults: tuple[str, ...]) -> typer.Exit:
    print_faults(*faults)
    return typer.Exit(status)
