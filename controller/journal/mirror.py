"""Open a journal and its mirror: compare them, and repair the one that is behind.

Rows go to the journal first and then to its mirror, each in a transaction of its own (journal.py). So at a
start one copy may be whole and shorter, damaged, or missing. The rules:

1. Every copy is inspected before anything is changed (inspection.py). 2. The longest whole copy is the
journal. If there is none, nothing is repaired: the table does not start. Only if no copy ever existed, a new
journal is begun. 3. The others must agree with it. The last row of a shorter copy must be in the longest one,
with the same hash. Of a damaged or missing copy the head record is compared in the same way. If it names a
later row, the longest copy has lost its end. Without this rule, a start would discard acknowledged rows. 4.
Whether the journal is complete and of this table (trust.py) is decided before the first repair: a repair
would overwrite the evidence. 5. A repair only adds. A shorter copy gets the rows that it lacks, and the
archive its missing files. A damaged copy is renamed and stays for the technician; the longest is copied to
its place. 6. Each repair is a sentence in the result; the daemon logs it and shows it as an alert.

A file that was interrupted while it was made, closed or copied is finished or removed before rule 1
(archive.py).
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from controller.journal import archive, head, names, schema
from controller.journal.chain import START, row_of
from controller.journal.closed_files import continuation, list_closed_files
from controller.journal.errors import JournalDamaged, JournalError
from controller.journal.inspection import InspectedFile, inspect, open_inspected
from controller.journal.store import Store, checkpoint_old
from controller.journal.trust import Trust

_AT_ONCE = 1000
Inspection = InspectedFile | JournalDamaged | None
"""A whole file; why it is not whole; or None: there is no file."""


def open_copies(paths: Sequence[Path], trust: Trust) -> tuple[list[InspectedFile], list[str]]:
    """The copy at each path, all whole and equal now, and a sentence for each repair.

    Raises JournalError if no copy is whole or if the copies contradict each other; JournalUnconfirmed, before
    any change, if two persons must confirm the journal first.
    """
    looks = {path: _inspect(path, trust) for path in paths}
    whole = [look for look in looks.values() if isinstance(look, InspectedFile)]
    if not whole:
        return _create(looks), []
    longest = max(whole, key=lambda found: found.row)
    for path, look in looks.items():
        _check_agreement(longest, path, look)
    trust.check(whole)
    repairs = [sentence for path, look in looks.items() for sentence in _repair(longest, path, look)]
    found = [_reinspected(longest, path, look) for path, look in looks.items()]
    gone = [(each.path, file) for each in found if (file := archive.missing_predecessor(each))]
    return found, [*repairs, *(f"journal {path}: its closed file {file} is gone" for path, file in gone)]


def _reinspected(longest: InspectedFile, path: Path, look: Inspection) -> InspectedFile:
    """The copy after its repair."""
    return look if isinstance(look, InspectedFile) and look.row == longest.row else inspect(path)


def _inspect(path: Path, trust: Trust) -> Inspection:
    try:
        archive.finish_interrupted(path)
        if not path.exists():
            return _lost_file(path)
        found = inspect(path)
        if found.version < schema.SCHEMA:
            if trust.public:  # a table with a public key has never written this schema
                trust.check([found])
            checkpoint_old(path)
            archive.migrate(found)
            found = inspect(path)
        archive.drop_unfinished(found)
    except JournalDamaged as damage:
        return damage
    except OSError as error:
        raise JournalError(f"journal {path} cannot be opened: {error}") from error
    return found


def _lost_file(path: Path) -> JournalDamaged | None:
    mark, closed = head.read(names.head(path)), list_closed_files(path)
    if mark and mark.row:
        row, source = f"{mark.row}", names.head(path)
    elif closed:
        row, source = f"{closed[-1].last} or later", closed[-1].path
    else:
        return None
    return JournalDamaged(
        f"journal {path} is gone: its last row was {row}, says {source}; put the journal back, or move away "
        "what lies beside it"
    )


def _create(looks: dict[Path, Inspection]) -> list[InspectedFile]:
    if damages := [str(look) for look in looks.values() if look is not None]:
        raise JournalDamaged("; ".join(damages))
    for path in looks:
        try:
            archive.install(path, schema.new_database(), None)
        except OSError as error:
            raise JournalError(f"journal {path} cannot be created: {error}") from error
    return [inspect(path) for path in looks]


def _check_agreement(longest: InspectedFile, path: Path, look: Inspection) -> None:
    """Raises JournalError unless the copy at `path` is, or was, the beginning of the longest."""
    if isinstance(look, InspectedFile):
        row, digest = look.row, look.last.hash if look.last else START
    elif mark := head.read(names.head(path)):
        row, digest = mark.row, mark.hash
    else:
        return
    if row > longest.row:
        raise JournalDamaged(f"{look}; {longest.path} ends before that, at row {longest.row}")
    if digest != _hash(longest, row):
        at = _first_difference(longest, look) if isinstance(look, InspectedFile) else row
        raise JournalError(f"journals {longest.path} and {path} disagree at row {at}: one of them is foreign")


def _first_difference(one: InspectedFile, other: InspectedFile) -> int:
    """The first row that both files have, with different hashes."""
    with closing(open_inspected(one.path)) as left, closing(open_inspected(other.path)) as right:
        select = f"{schema.SELECT}WHERE row > ? ORDER BY row"
        since = (max(one.base, other.base),)
        for pair in zip(left.execute(select, since), right.execute(select, since), strict=False):
            ours, theirs = map(row_of, pair)
            if ours.hash != theirs.hash:
                return ours.row
    return min(one.row, other.row)


def _hash(found: InspectedFile, row: int) -> bytes:
    """The hash of a row in the live file, or of an older row. Raises JournalError if no file has it."""
    if row == 0:
        return START
    if row == found.base and found.first:
        return continuation(found.path, found.first).hash
    held = (
        [found.path]
        if row > found.base
        else [file.path for file in list_closed_files(found.path) if file.first <= row <= file.last]
    )
    for path in held:
        with closing(open_inspected(path)) as database:
            for fields in database.execute(f"{schema.SELECT}WHERE row = ?", (row,)):
                return row_of(fields).hash
    raise JournalError(f"journal {found.path} begins after row {row}, with which its other copy ends")


def _repair(longest: InspectedFile, path: Path, look: Inspection) -> list[str]:
    """Make the copy at `path` equal to the longest; returns what was done."""
    if look is longest:
        return [f"journal {path}: {fault}; it was made anew" for fault in longest.faults]
    try:
        return _repair_copy(longest, path, look)
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"journal {path} cannot be written: {error}") from error


def _repair_copy(longest: InspectedFile, path: Path, look: Inspection) -> list[str]:
    repairs = (
        [f"journal {path}: {fault}; it was made anew" for fault in look.faults]
        if isinstance(look, InspectedFile)
        else []
    )
    if brought := archive.copy_missing(longest.path, path):
        repairs.append(f"{brought} closed files of {longest.path} were copied beside {path}")
    if not isinstance(look, InspectedFile):
        return [*repairs, _replace(longest, path, look)]
    if look.row < longest.row:
        Store(look).close()
        repairs.append(
            f"journal {path} ended at row {look.row}: what followed was copied from {longest.path}"
        )
        _append_missing(longest, look)
    return repairs


def _append_missing(longest: InspectedFile, short: InspectedFile) -> None:
    if short.row <= longest.base and short.base != longest.base:
        archive.install(short.path, longest.content(), longest.last)
        return
    store = Store(short)
    try:
        with closing(open_inspected(longest.path)) as database:
            rows = database.execute(f"{schema.SELECT}WHERE row > ? ORDER BY row", (short.row,))
            while batch := rows.fetchmany(_AT_ONCE):
                store.append([row_of(fields) for fields in batch])
                store.record_head()
    finally:
        store.close()


def _replace(longest: InspectedFile, path: Path, damage: JournalDamaged | None) -> str:
    kept_as = None
    if any(part.exists() for part in names.parts(path)):
        kept_as = archive.set_aside(path)
    archive.install(path, longest.content(), longest.last)
    why = f"{damage}; it is kept as {kept_as}" if damage else f"journal {path} was not there"
    return f"{why}; {longest.path} was copied to its place"
