"""Check all files of a journal: parts in several processes, then what connects the parts."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from controller.journal.closed_files import ClosedFile, check_continuation
from controller.journal.errors import JournalError
from controller.journal.history import History, HistoryFile
from controller.past.verify.external import VerifyDemands, check_head, read_head, stored_hash, unmet
from controller.past.verify.findings import Finding, Findings
from controller.past.verify.part import check_part
from controller.past.verify.parts import FilePart, first_entry, hash_of, parts
from controller.past.verify.publishable import publishable_up_to
from controller.past.verify.row_checks import CheckDepth, PartResult
from controller.past.verify.summary import HistorySummary, check_between, retired, summarize

Task = TypeVar("Task")
TaskResult = TypeVar("TaskResult")


def run_parallel(
    work: Callable[[Task], TaskResult], tasks: Sequence[Task], processes: int
) -> list[TaskResult]:
    """The results, in the order of the tasks."""
    most = min(processes, len(tasks))
    if most <= 1:
        return [work(task) for task in tasks]
    with ProcessPoolExecutor(most, get_context("fork")) as pool:
        return list(pool.map(work, tasks))


def available_processors() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0))


ALONE = 40_000
"""With fewer rows, one process is faster."""
LEAST = 10_000
SHARES = 8
"""Parts for each process; with many parts, all processes end at about the same time."""


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """What was checked and found. `publishable`: the last row that reveals nothing about a round in play;
    `head`: its hash in hex; `more`: findings left out; `compared`: the public key that had to have signed."""

    path: str
    files: int
    first: int
    last: int
    publishable: int
    head: str
    summary: HistorySummary
    findings: tuple[Finding, ...]
    more: int
    compared: bytes | None = None


def verify(path: Path, demands: VerifyDemands) -> VerifyReport:
    """Raises JournalError if the journal is missing or its files leave a gap."""
    mark = read_head(path)
    found = History(path).files()
    checked = _parts(found, CheckDepth(by_rules=demands.by_rules), demands.processes)
    summary_, safe = summarize(checked), _publishable_up_to(found)
    every = [
        *(part.findings for part in checked),
        *_joints(found, demands.processes),
        *check_between(checked),
        *([retired(checked)] if checked else ()),
        check_head(path, found, mark),
        *unmet(path, found, summary_, demands, safe),
        *([_check_mirror(found, demands.mirror, demands.processes)] if demands.mirror else ()),
    ]
    return VerifyReport(
        str(path),
        len(found),
        found[0].first if found else 0,
        found[-1].last if found else 0,
        safe,
        _hash(found, safe),
        summary_,
        tuple(sorted((one for each in every for one in each.found), key=lambda one: one.row)),
        sum(each.more for each in every),
        demands.public,
    )


def _publishable_up_to(found: Sequence[HistoryFile]) -> int:
    """0 if a file cannot be read; that is among the findings already."""
    try:
        return publishable_up_to(found)
    except JournalError:
        return 0


def _hash(found: Sequence[HistoryFile], row: int) -> str:
    try:
        return (stored_hash(found, row) or b"").hex()
    except JournalError:
        return ""


def _parts(found: Sequence[HistoryFile], depth: CheckDepth, processes: int) -> list[PartResult]:
    total = sum(file.last - file.first + 1 for file in found)
    size = max(LEAST, total // (SHARES * processes))
    tasks = [part for file in found for part in _cut(file, size)]
    return run_parallel(partial(check_part, depth=depth), tasks, processes if total > ALONE else 1)


def _cut(file: HistoryFile, size: int) -> Iterator[FilePart]:
    """A file that cannot be read is one part; its check reports why."""
    try:
        yield from list(parts(file, size))
    except JournalError:
        yield FilePart(file, file.first, file.last)


def _joints(found: Sequence[HistoryFile], processes: int) -> list[Findings]:
    return run_parallel(_check_joint, list(pairwise(found)), processes)


def _check_joint(neighbours: tuple[HistoryFile, HistoryFile]) -> Findings:
    """Whether a file continues the one before it, and that one is as it was when it was closed."""
    before, after = neighbours
    findings = Findings(str(after.path))
    try:
        head = hash_of(before, before.last)
        closed = ClosedFile(before.path, before.first, before.last)
        if head and (first := first_entry(after)):
            check_continuation(after.path, first, closed, head)
    except JournalError as error:
        findings.add_text("chain", after.first, str(error))
    return findings


def _check_mirror(found: Sequence[HistoryFile], path: Path, processes: int) -> Findings:
    """The mirror must be whole, and have the same hash at the last row that both have; then all rows are the
    same."""
    findings = Findings(str(path))
    try:
        mirror = History(path).files()
    except JournalError as error:
        findings.add_text("mirror", 0, str(error))
        return findings
    checked = _parts(mirror, CheckDepth(kinds=False), processes)
    for each in (*(part.findings for part in checked), *_joints(mirror, processes)):
        for one in each.found:
            findings.add_text("mirror", one.row, one.text)
    if found and mirror:
        _compare(found, mirror, findings)
    return findings


def _compare(found: Sequence[HistoryFile], mirror: Sequence[HistoryFile], findings: Findings) -> None:
    last = min(found[-1].last, mirror[-1].last)
    try:
        ours, theirs = (stored_hash(each, last) for each in (found, mirror))
    except JournalError as error:
        findings.add_text("mirror", last, str(error))
        return
    if ours != theirs:
        findings.add("mirror", last, f"its hash is not the one in {found[-1].path}")
