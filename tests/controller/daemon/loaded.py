"""`python -m tests.controller.daemon.loaded CONFIG`: plays as `tableside table run`, then names what was
loaded."""

import sys
from pathlib import Path

from controller.process.memory_tuning import import_asyncio_without_ssl, import_structlog_without_rich

if __name__ == "__main__":
    import_asyncio_without_ssl()
    import_structlog_without_rich()
    from controller.daemon.service import play

    status = play(Path(sys.argv[1]))
    print(*sys.modules, sep="\n")
    sys.exit(status)
