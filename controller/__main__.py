"""The command `tableside`; `python -m controller` is the same."""

import sys

RUN = "run"


def main() -> None:
    """A table that runs carries none of the other commands with it: they take a quarter of a second to load,
    and megabytes for as long as it plays."""
    if sys.argv[1:2] == [RUN]:
        from controller import run

        run.alone()(prog_name="tableside")
    else:
        from controller.cli import app

        app(prog_name="tableside")


if __name__ == "__main__":
    main()
