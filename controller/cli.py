"""The command `tableside`."""

from pathlib import Path
from typing import Annotated

import typer

from controller import odds_cli, rules_cli, supervise_cli
from controller.check import command as check
from controller.demo import command as demo
from controller.endings import failed, usage
from controller.export import command as export
from controller.progressive import command as progressive
from controller.replay import command as replay
from controller.selftest import command as selftest
from controller.shuffles import command as shuffles
from controller.slip import command as slip
from controller.technician import conformance, decode, devices, provision, sign_update, sniff, update
from controller.verify import command as verify

app = typer.Typer(
    help="The controller of a casino card table. To see one play, without any hardware: tableside demo",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
demo.register(app)

ConfigFile = Annotated[Path, typer.Option("--config", metavar="FILE", help="The table's configuration.")]


@app.command()
def run(config: ConfigFile) -> None:
    """Run one table until SIGTERM or Ctrl-C.

    Logs go to standard error, one JSON object a line; the line "ready" names
    the address of the page.
    """
    from controller import service
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
    except (HaltedError, ManifestError, JournalError, OSError) as error:
        raise failed(str(error)) from None


rules_cli.register(app)
odds_cli.register(app)
replay.register(app)
export.register(app)
slip.register(app)
verify.register(app)
shuffles.register(app)
check.register(app)
selftest.register(app)
provision.register(app)
devices.register(app)
sniff.register(app)
decode.register(app)
update.register(app)
sign_update.register(app)
conformance.register(app)
supervise_cli.register(app)
progressive.register(app)
