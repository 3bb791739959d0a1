"""The command `tableside`."""

import json
import socket
from pathlib import Path
from typing import Annotated

import typer

from controller import odds_cli, rules_cli
from controller.check import command as check
from controller.demo import command as demo
from controller.endings import failed, usage
from controller.replay import command as replay
from controller.technician import conformance, decode, devices, provision, sign_update, sniff, update

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
    from controller import daemon
    from controller.config import ConfigError, read
    from controller.journal.errors import JournalError
    from controller.monitor import logs

    logs.set_up()
    try:
        daemon.run(read(config))
    except ConfigError as error:
        raise usage(*error.faults) from None
    except (JournalError, OSError) as error:
        raise failed(str(error)) from None


@app.command()
def supervise(
    choice: Annotated[str, typer.Argument(metavar="CHOICE", help="resume, burn, card, void or reload.")],
    config: ConfigFile,
    who: Annotated[str, typer.Option(help="Who decides.")],
    why: Annotated[str, typer.Option(help="Why; both are kept in the journal.")],
    card: Annotated[
        str | None, typer.Option(metavar="CARD", help="With card: which card it is, as Ts or 9h.")
    ] = None,
) -> None:
    """Decide about a suspended round of a running table.

    resume: all is in order again, play on.
    burn: the card in question is a burn.
    card: the card in question goes where the next card is due.
    void: the round is void, every wager pushes.
    reload: the shoe's cards serve no further round, a fresh shoe is wanted.
    """
    from controller.config import ConfigError, read
    from controller.table.errors import NotAllowed
    from controller.table.inlet import address, read_decision

    told = {"choice": choice, "who": who, "why": why, "card": card}
    try:
        read_decision(json.dumps(told).encode())
        socket_path = address(Path(read(config).journal.path))
    except NotAllowed as error:
        raise usage(str(error)) from None
    except ConfigError as error:
        raise usage(*error.faults) from None
    try:
        answer = _ask(socket_path, told)
    except OSError as error:
        why = error.strerror or str(error)
        raise failed(f"no daemon of this table answers at {socket_path}: {why}") from None
    if "error" in answer:
        raise failed(str(answer["error"]))


rules_cli.register(app)
odds_cli.register(app)
replay.register(app)
check.register(app)
provision.register(app)
devices.register(app)
sniff.register(app)
decode.register(app)
update.register(app)
sign_update.register(app)
conformance.register(app)


def _ask(path: Path, told: dict[str, str | None]) -> dict[str, object]:
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(5)
        client.connect(str(path))
        client.sendall(json.dumps(told).encode() + b"\n")
        with client.makefile() as answers:
            return dict(json.loads(answers.readline() or '{"error": "the daemon ended"}'))
