"""`python -m tests.system.impatient CONFIG`: the product's daemon, which starts anew after a moment."""

import sys

from controller.cli import app
from controller.halted import restart

PAUSE = 0.2


def main(config: str) -> None:
    """As `tableside run`."""
    restart.PAUSE = PAUSE
    app(["run", "--config", config], prog_name="tableside")


if __name__ == "__main__":
    main(sys.argv[1])
