"""The command `tableside floor drill`."""

import asyncio
import logging
from typing import TYPE_CHECKING, Annotated

import typer

from controller.commands.arguments import AsJson, print_json
from controller.commands.exit_codes import usage

if TYPE_CHECKING:
    from controller.floor.drills.outcome import DrillResult


def drill(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The drill; without it, a list.")] = "",
    every: Annotated[bool, typer.Option("--all", help="All drills, one after the other.")] = False,
    seconds: Annotated[
        float | None, typer.Option(min=0, help="How long the troubles of a drill last.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Try what the floor promises: servers are killed, disks put back, journals copied.

    A drill has servers, a floor and tables of its own in a temporary folder.
    Status 0: everything came out as expected. A drill for which this computer
    lacks something is absent, and has not passed.

    Example: tableside floor drill clone
    """
    from controller.floor.drills.drills import DRILLS, run_drill
    from controller.telemetry import logs

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


def _show(result: "DrillResult") -> None:
    verdict = "passed" if result.passed else "ABSENT" if result.absent else "FAILED"
    typer.echo(
        f"{result.drill}: {verdict} in {result.seconds:.1f} s; expected: {result.expected}; "
        f"{result.kills} kills, {result.rows_published} rows published, {result.rows_stored} stored, "
        f"{result.lost} lost, {result.duplicated} twice, {result.forks} forks"
    )
    for fault in (*result.faults, *filter(None, [result.absent])):
        typer.echo(f"  {fault}")
