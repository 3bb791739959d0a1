"""The command `tableside`; `python -m controller` is the same."""

import sys
from pathlib import Path


def main() -> None:
    """A program that runs for months carries neither the other commands with it nor what reads them: that
    takes a second of a processor to load, and 3 to 25 MB for as long as it runs."""
    match sys.argv[1:]:
        case ["run", "--config", config]:
            sys.exit(_run_table(Path(config)))
        case ["web", "--config", config]:
            sys.exit(_run_web(Path(config)))
        case ["uplink", "--config", config]:
            sys.exit(_run_uplink(Path(config)))
        case ["floor", "run", "--config", config]:
            sys.exit(_run_floor(Path(config)))
        case ["progressive", "--config", config]:
            sys.exit(_run_progressive(Path(config)))
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


if __name__ == "__main__":
    main()
