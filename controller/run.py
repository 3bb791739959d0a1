"""The command `tableside run`."""

import typer

from controller.config_file import ConfigFile
from controller.endings import failed, usage
from controller.help_panels import TABLE


def register(app: typer.Typer) -> None:
    """Adds the command to `app`."""
    app.command("run", rich_help_panel=TABLE)(run_command)


def alone() -> typer.Typer:
    """An application that has no other command."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.callback()(lambda: None)
    register(app)
    return app


def run_command(config: ConfigFile) -> None:
    """Run one table until SIGTERM or Ctrl-C.

    Logs go to standard error, one JSON object a line; the line "ready" names
    the address of the page.

    Example: tableside run --config table.toml
    """
    from controller import service
    from controller.access.errors import AccessError
    from controller.config import ConfigError, read
    from controller.halted.serve import HaltedError
    from controller.journal.errors import JournalError
    from controller.monitor import logs
    from controller.selftest.check import CorruptError
    from controller.selftest.manifest import ManifestError

    logs.set_up()
    try:
        service.run(read(config))
    except ConfigError as error:
        raise usage(*error.faults) from None
    except CorruptError as error:
        raise failed("own files are not those that were installed", *error.findings) from None
    except (HaltedError, ManifestError, JournalError, AccessError, OSError) as error:
        raise failed(str(error)) from None
