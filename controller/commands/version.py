"""`tableside --version`, which imports none of the commands."""

from importlib.metadata import version


def print_version() -> None:
    """Print the name of the program and its version."""
    print(f"tableside {version('tableside')}")
