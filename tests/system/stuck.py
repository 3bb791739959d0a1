"""`python -m tests.system.stuck CONFIG`: a daemon whose table handles no more batches from SIGUSR1 on.

Its event loop goes on: the table socket answers, ports are read, frames are acknowledged.
"""

import asyncio
import signal
import sys
from pathlib import Path

from controller.config import read
from controller.daemon.daemon import Daemon
from controller.daemon.devices import read_keys
from controller.daemon.web_access import open_accounts
from controller.journal.journal import Journal


def main(path: Path) -> None:
    """Until SIGTERM."""
    config = read(path)
    with Journal(Path(config.journal.path)) as journal, open_accounts(config) as access:
        asyncio.run(_serve(Daemon(config, read_keys(config), journal, access)))


async def _serve(daemon: Daemon) -> None:
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, _stick)
    await daemon.serve()


def _stick() -> None:
    for task in asyncio.all_tasks():
        if task.get_name() == "pulse":
            task.cancel()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
