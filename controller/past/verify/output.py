"""What `tableside journal verify` shows."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rich.table import Table

from controller.past.verify.audit import VerifyReport
from controller.past.verify.external import confirmations

WHOLE = "Nothing is wrong."
UNCOMPARED = "The rows are whole. Whether this table signed them is not known."


def overview(report: VerifyReport) -> Table:
    summary = report.summary
    table = Table(title=f"journal {report.path}", show_header=False)
    rows = f"{report.first} to {report.last}" if report.last else "none"
    for name, value in (
        ("files", str(report.files)),
        ("rows", rows),
        ("ended rounds", str(summary.rounds)),
        ("movements of jackpots", str(summary.movements)),
        ("sealed cards compared", str(summary.opened)),
        ("signed up to row", str(summary.signed) if summary.signed else "none is signed"),
    ):
        table.add_row(name, value)
    return table


def remarks(report: VerifyReport) -> Iterator[str]:
    """Who signed, what to note down, and the findings."""
    summary = report.summary
    compared = "" if report.compared else ", not compared: name the table's public key, or its configuration"
    yield from (f"signed {signed.count} times by {key}{compared}" for key, signed in summary.keys.items())
    for change in summary.changes:
        yield f"row {change.row} changes the key {change.old} to {change.new}: both signed it"
    for each in confirmations(summary, report.compared):
        who = f"{each.who} and {each.second} confirmed the rows up to {each.up_to}"
        yield f"{who} in row {each.row}: {each.why}"
    if report.head:
        yield f"to note down: {report.publishable}:{report.head}"
    yield from (f"- {finding.text}" for finding in report.findings)
    if report.more:
        yield f"- {report.more} more like these"
    if not report.findings:
        yield WHOLE if report.compared else UNCOMPARED


def verify_json(report: VerifyReport) -> dict[str, Any]:
    summary = report.summary
    return {
        "journal": report.path,
        "files": report.files,
        "first": report.first,
        "last": report.last,
        "told": report.publishable,
        "head": report.head,
        "rounds": summary.rounds,
        "movements": summary.movements,
        "opened": summary.opened,
        "signed": summary.signed,
        "compared": report.compared.hex() if report.compared else None,
        "confirmed": [asdict(each) for each in confirmations(summary, report.compared)],
        "changes": [asdict(each) for each in summary.changes],
        "keys": {key: signed.count for key, signed in summary.keys.items()},
        "whole": not report.findings,
        "findings": [asdict(finding) for finding in report.findings],
        "more": report.more,
    }
