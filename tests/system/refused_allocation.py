"""The product's daemon with a failing allocation: `python -m tests.system.refused_allocation NUMBER CONFIG`.
After SIGUSR1, the NUMBER-th allocation, counted from 1, is refused."""

import _testcapi
import signal
import sys
from pathlib import Path
from types import FrameType

from controller.daemon.service import play


def main(number: int, config: Path) -> int:
    """Run the daemon; returns its exit status."""

    def starve(_number: int, _frame: FrameType | None) -> None:
        _testcapi.set_nomemory(number, number + 1)

    signal.signal(signal.SIGUSR1, starve)
    return play(config)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), Path(sys.argv[2])))
