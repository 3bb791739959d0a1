"""`tableside --version`, which loads none of the commands."""

from importlib.metadata import version


def show() -> None:
    """Prints the name of the program and its version."""
    print(f"tableside {version('tableside')}")
