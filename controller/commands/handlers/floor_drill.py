"""What `tableside floor drill` does."""

import asyncio
import logging

import typer

from controller.commands.arguments import print_json
from controller.commands.exit_codes import usage
from controller.floor.drills.drills import DRILLS, run_drill
from controller.floor.drills.outcome import DrillResult
from controller.telemetry import logs


def handle(name: str, *, every: bool, seconds: float | None, as_json: bool) -> None:
    if bool(name) == every:
        raise usage(f"floor drill: one NAME or --all is needed; drills: {', '.join(DRILLS)}")
    if name and name not in DRILLS:
        raise usage(f"drill {name!r}; allowed: {', '.join(DRILLS)}")
    logs.set_up(logging.CRITICAL)  # the parts of a drill complain all the time
    passed = True
    for each in DRILLS if every else (name,):
        result = asyncio.run(run_drill(each, seconds))
        passed = passed and result.passed
        if as_json:
            print_json(result.as_json())
        else:
            _show(result)
    raise typer.Exit(0 if passed else 1)


def _show(result: DrillResult) -> None:
    verdict = "passed" if result.passed else "ABSENT" if result.absent else "FAILED"
    typer.echo(
        f"{result.drill}: {verdict} in {result.seconds:.1f} s; expected: {result.expected}; "
        f"{result.kills} kills, {result.rows_published} rows published, {result.rows_stored} stored, "
        f"{result.lost} lost, {result.duplicated} twice, {result.forks} forks"
    )
    for fault in (*result.faults, *filter(None, [result.absent])):
        typer.echo(f"  {fault}")
