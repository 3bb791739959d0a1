"""The command `tableside`; `python -m controller` is the same."""

import sys
from pathlib import Path


def main() -> None:
    """A table that runs, and its pages, carry neither the other commands with them nor what reads them: that
    takes a quarter of a second to load, and 3 to 14 MB for as long as they run."""
    match sys.argv[1:]:
        case ["run", "--config", config]:
            from controller.process.memory_tuning import (
                import_asyncio_without_ssl,
                import_structlog_without_rich,
                loading,
            )

            with loading():
                import_asyncio_without_ssl()
                import_structlog_without_rich()
                from controller.daemon.service import play

            sys.exit(play(Path(config)))
        case ["web", "--config", config]:
            from controller.process.memory_tuning import import_structlog_without_rich, loading

            with loading():
                import_structlog_without_rich()
                from controller.monitor.service import serve

            sys.exit(serve(Path(config)))
        case ["--version"]:
            from controller.commands.version import print_version

            print_version()
        case _:
            from controller.commands.app import app

            app(prog_name="tableside")


if __name__ == "__main__":
    main()
