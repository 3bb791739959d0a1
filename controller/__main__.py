"""The command `tableside`; `python -m controller` is the same."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final


def main() -> None:
    match sys.argv[1:]:
        case [*words, "--config", config] if serve := SERVICES.get(" ".join(words)):
            sys.exit(serve(Path(config)))
        case ["--version"]:
            from controller.commands.version import print_version

            print_version()
        case _:
            from controller.commands.app import app

            app(prog_name="tableside")


def _run_table(config: Path) -> int:
    from controller.process.memory_tuning import (
        import_asyncio_without_ssl,
        import_structlog_without_rich,
        loading,
    )

    with loading():
        import_asyncio_without_ssl()
        import_structlog_without_rich()
        from controller.daemon.service import play

    return play(config)


def _run_web(config: Path) -> int:
    from controller.process.memory_tuning import import_structlog_without_rich, loading

    with loading():
        import_structlog_without_rich()
        from controller.monitor.service import serve

    return serve(config)


def _run_uplink(config: Path) -> int:
    from controller.process.memory_tuning import import_structlog_without_rich, loading

    with loading():
        import_structlog_without_rich()
        from controller.floor.uplink.service import serve

    return serve(config)


def _run_floor(config: Path) -> int:
    from controller.process.memory_tuning import import_structlog_without_rich, loading

    with loading():
        import_structlog_without_rich()
        from controller.floor.service.service import serve

    return serve(config)


def _run_progressive(config: Path) -> int:
    from controller.process.memory_tuning import import_structlog_without_rich, loading

    with loading():
        import_structlog_without_rich()
        from controller.floor.progressive.service import serve

    return serve(config)


SERVICES: Final[Mapping[str, Callable[[Path], int]]] = {
    "table run": _run_table,
    "run": _run_table,
    "table web": _run_web,
    "web": _run_web,
    "table uplink": _run_uplink,
    "uplink": _run_uplink,
    "floor run": _run_floor,
    "floor progressive": _run_progressive,
    "progressive": _run_progressive,
}
"""Programs that run for months, by the words of their commands, the older ones too. They carry neither the
other commands with them nor what reads them: that takes a fifth of a second of a processor to load, and 3 to
25 MB for as long as they run."""


if __name__ == "__main__":
    main()
