"""What `tableside floor demo` does."""

import asyncio
import tempfile
from pathlib import Path

import typer

from controller.commands.demo import Speed
from controller.commands.exit_codes import failed
from controller.commands.handlers.demo import USUAL_PORT
from controller.demo.processes import DemoError
from controller.demo.reservations import ReservationError, obstacle, reserved_folder, reserved_port
from controller.floor.demo.interactive import run_floor_interactive
from controller.floor.demo.roster import planned_tables
from controller.floor.nats_server import NatsServerError


def handle(
    tables: int,
    *,
    rounds: int | None,
    speed: Speed,
    seed: int,
    port: int,
    pages: bool,
    folder: Path | None,
    as_json: bool,
) -> None:
    plans = planned_tables(tables, speed=speed, seed=seed, pages=pages)
    try:
        with (
            tempfile.TemporaryDirectory(prefix="tableside-") as temporary,
            reserved_port(port, USUAL_PORT) as web_port,
        ):
            place = (folder or Path(temporary)).resolve()
            if why := obstacle(place / plans[-1].name, usb=False):
                raise DemoError(why)
            with reserved_folder(place) as lock:
                result = asyncio.run(
                    run_floor_interactive(place, plans, web_port, lock, rounds, as_json=as_json)
                )
    except (ReservationError, DemoError, NatsServerError, OSError) as error:
        raise failed(str(error)) from error
    raise typer.Exit(0 if result is None or result.sound(rounds or 0) else 1)
