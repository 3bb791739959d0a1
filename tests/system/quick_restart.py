"""`python -m tests.system.quick_restart CONFIG`: the product's daemon, with a short pause before a
restart."""

import sys

from controller.commands.app import app
from controller.daemon.halted import serve

PAUSE = 0.2


def main(config: str) -> None:
    """Like `tableside table run`."""
    serve.PAUSE = PAUSE
    app(["run", "--config", config], prog_name="tableside")


if __name__ == "__main__":
    main(sys.argv[1])
