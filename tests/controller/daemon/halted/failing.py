"""`python -m tests.controller.daemon.halted.failing CONFIG`: a daemon that fails at SIGUSR1."""

import signal
import sys
from pathlib import Path
from types import FrameType

from controller.commands.app import app
from controller.table import state_machine
from controller.table.record.events import DeviceLost
from controller.table.state.table_state import TableState


def main(config: Path) -> None:
    """Like `tableside table run`."""
    signal.signal(signal.SIGUSR1, _break)
    app(["run", "--config", str(config)], prog_name="tableside")


def _break(_number: int, _frame: FrameType | None) -> None:
    state_machine.APPLIERS[DeviceLost] = stumble


def stumble(_state: TableState, lost: DeviceLost) -> None:
    """Fails over a face-down card."""
    raise KeyError(f"Ts, said the {lost.device}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
