"""The command `tableside`."""

import json
import socket
import sys
from pathlib import Path
from typing import Annotated

import typer

from controller import rules_cli
from controller.demo import command as demo

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
rules_cli.register(app)
demo.register(app)

ConfigFile = Annotated[Path, typer.Option("--config", metavar="FILE", help="The table's configuration.")]
FAILED, USAGE = 1, 2


@app.command()
def run(config: ConfigFile) -> None:
    """Run one table until SIGTERM or Ctrl-C. Logs go to standard error, one JSON object a line."""
    from controller import daemon
    from controller.config import ConfigError, read
    from controller.monitor import logs
    from controller.table.errors import JournalError

    logs.set_up()
    try:
        daemon.run(read(config))
    except ConfigError as error:
        _end(USAGE, *error.faults)
    except (JournalError, OSError) as error:
        _end(FAILED, str(error))


@app.command()
def supervise(
    choice: Annotated[str, typer.Argument(metavar="CHOICE", help="burn, card, void or resume.")],
    config: ConfigFile,
    who: Annotated[str, typer.Option(help="Who decides.")],
    why: Annotated[str, typer.Option(help="Why, for the journal.")],
    card: Annotated[str | None, typer.Option(help="The card in question, as Ts.")] = None,
) -> None:
    """Decide about a suspended round: burn or place the card in question, void the round, or resume."""
    from controller.config import ConfigError, read
    from controller.table.inlet import address

    told = {"choice": choice, "who": who, "why": why, "card": card}
    try:
        answer = _ask(address(Path(read(config).journal.path)), told)
    except ConfigError as error:
        _end(USAGE, *error.faults)
    except OSError as error:
        _end(FAILED, f"no daemon of this table answers: {error}")
    if "error" in answer:
        _end(FAILED, str(answer["error"]))


def _ask(path: Path, told: dict[str, str | None]) -> dict[str, object]:
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(5)
        client.connect(str(path))
        client.sendall(json.dumps(told).encode() + b"\n")
        with client.makefile() as answers:
            return dict(json.loads(answers.readline() or '{"error": "the daemon ended"}'))


def _end(status: int, *lines: str) -> None:
    for line in lines:
        print(f"tableside: {line}", file=sys.stderr)
    raise typer.Exit(status)
