"""All files of a journal at once: parts side by side, then what lies between them.

Work of several processes side by side.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from controller.journal.closed_files import Archived, check_joint
from controller.journal.errors import JournalError
from controller.past.verify.external import Asked, met, record_of, recorded, stored
from controller.past.verify.findings import Finding, Findings
from controller.past.verify.part import check
from controller.past.verify.parts import File, Part, files, first_entry, hash_of, parts
from controller.past.verify.publishable import told_up_to
from controller.past.verify.row_checks import Checked, Depth
from controller.past.verify.summary import Summary, between, retired, summary

Given = TypeVar("Given")
Found = TypeVar("Found")


def side_by_side(work: Callable[[Given], Found], tasks: Sequence[Given], processes: int) -> list[Found]:
    """What comes of each task, in their order."""
    most = min(processes, len(tasks))
    if most <= 1:
        return [work(task) for task in tasks]
    with ProcessPoolExecutor(most, get_context("fork")) as pool:
        return list(pool.map(work, tasks))


def processors() -> int:
    """How many there are for us."""
    return len(os.sched_getaffinity(0))


ALONE = 40_000
"""Rows for which no second process is worth its start."""
LEAST = 10_000
SHARES = 8
"""Parts for each process: nobody waits long for the last one."""


@dataclass(frozen=True, slots=True)
class Report:
    """What was checked and found. `told`: the last row that reveals nothing about a round in play; `head`:
    its hash in hex; `more`: findings left out; `compared`: the public key that had to have signed."""

    path: str
    files: int
    first: int
    last: int
    told: int
    head: str
    summary: Summary
    findings: tuple[Finding, ...]
    more: int
    compared: bytes | None = None


def verify(path: Path, asked: Asked) -> Report:
    """Raises JournalError for a journal that is not there, or whose files leave a gap."""
    mark = record_of(path)
    found = files(path)
    checked = _parts(found, Depth(by_rules=asked.by_rules), asked.processes)
    told, safe = summary(checked), _told_up_to(found)
    every = [
        *(part.findings for part in checked),
        *_joints(found, asked.processes),
        *between(checked),
        *([retired(checked)] if checked else ()),
        recorded(path, found, mark),
        *met(path, found, told, asked, safe),
        *([_mirrored(found, asked.mirror, asked.processes)] if asked.mirror else ()),
    ]
    return Report(
        str(path), len(found), found[0].first if found else 0, found[-1].last if found else 0,
        safe, _hash(found, safe), told,
        tuple(sorted((one for each in every for one in each.found), key=lambda one: one.row)),
        sum(each.more for each in every),
        asked.public,
    )  # fmt: skip


def _told_up_to(found: Sequence[File]) -> int:
    """What cannot be read is among the findings already."""
    try:
        return told_up_to(found)
    except JournalError:
        return 0


def _hash(found: Sequence[File], row: int) -> str:
    try:
        return (stored(found, row) or b"").hex()
    except JournalError:
        return ""


def _parts(found: Sequence[File], depth: Depth, processes: int) -> list[Checked]:
    total = sum(file.last - file.first + 1 for file in found)
    size = max(LEAST, total // (SHARES * processes))
    tasks = [part for file in found for part in _cut(file, size)]
    return side_by_side(partial(check, depth=depth), tasks, processes if total > ALONE else 1)


def _cut(file: File, size: int) -> Iterator[Part]:
    """A file that cannot be read is one part: reading it tells why."""
    try:
        yield from list(parts(file, size))
    except JournalError:
        yield Part(file, file.first, file.last)


def _joints(found: Sequence[File], processes: int) -> list[Findings]:
    return side_by_side(_joint, list(pairwise(found)), processes)


def _joint(neighbours: tuple[File, File]) -> Findings:
    """A file continues the one before it, and that is as it was when it was closed."""
    before, after = neighbours
    findings = Findings(str(after.path))
    try:
        head = hash_of(before, before.last)
        closed = Archived(before.path, before.first, before.last)
        if head and (first := first_entry(after)):
            check_joint(after.path, first, closed, head)
    except JournalError as error:
        findings.tell("chain", after.first, str(error))
    return findings


def _mirrored(found: Sequence[File], path: Path, processes: int) -> Findings:
    """A mirror is whole by itself, and has the same hash at the last row that both have: then all are the
    same."""
    findings = Findings(str(path))
    try:
        mirror = files(path)
    except JournalError as error:
        findings.tell("mirror", 0, str(error))
        return findings
    checked = _parts(mirror, Depth(kinds=False), processes)
    for each in (*(part.findings for part in checked), *_joints(mirror, processes)):
        for one in each.found:
            findings.tell("mirror", one.row, one.text)
    if found and mirror:
        _compare(found, mirror, findings)
    return findings


def _compare(found: Sequence[File], mirror: Sequence[File], findings: Findings) -> None:
    last = min(found[-1].last, mirror[-1].last)
    try:
        ours, theirs = (stored(each, last) for each in (found, mirror))
    except JournalError as error:
        findings.tell("mirror", last, str(error))
        return
    if ours != theirs:
        findings.add("mirror", last, f"its hash is not the one in {found[-1].path}")
