"""What `tableside doctor` does."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from controller.commands.arguments import print_json
from controller.doctor import Finding, Status, examine
from controller.process.faults import FAILED

STYLES: Final[dict[Status, str]] = {
    "ok": "green",
    "warning": "bold yellow",
    "fault": "bold red",
    "not checked": "dim",
}


def handle(config: Path, as_json: bool) -> None:
    found = [*examine(config)]
    counts = Counter(finding.status for finding in found)
    if as_json:
        findings = [asdict(finding) for finding in found]
        print_json({"file": str(config), "faults": counts["fault"], "findings": findings})
    else:
        _show(found, counts)
    raise typer.Exit(FAILED if counts["fault"] else 0)


def _show(found: Sequence[Finding], counts: Counter[Status]) -> None:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for one in found:
        status = Text(one.status.upper() if one.status == "fault" else one.status, style=STYLES[one.status])
        todo = Text(f"\nDo: {one.todo}", style="bold") if one.todo else Text()
        grid.add_row(status, Text.assemble((f"{one.check}: ", "bold"), one.text, todo))
    console = Console(markup=False, highlight=False)
    console.print(grid)
    console.print()
    console.print(", ".join(f"{counts[status]} {status}" for status in STYLES))
