"""What two supervisors have to confirm about a journal. Nothing here changes the journal."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from controller.config import JournalSection
from controller.journal.chain import Entry
from controller.journal.errors import JournalDamaged, JournalError
from controller.journal.inspection import Found, inspect
from controller.journal.trust import doubts, foreign_keys, read_public


@dataclass(frozen=True, slots=True)
class JournalDoubts:
    """The last row of a journal, a sentence for each doubt, and the foreign keys that signed it, in hex."""

    last: Entry
    doubts: tuple[str, ...]
    keys: tuple[str, ...]


def journal_doubts(section: JournalSection) -> JournalDoubts:
    """Raises JournalError for a journal that needs no confirmation, or that no confirmation can help."""
    copies = [_whole(Path(path)) for path in (section.path, section.mirror) if path]
    whole = [copy for copy in copies if copy]
    if not whole:
        raise JournalError(f"journal {section.path} is damaged or not there: nobody can confirm it")
    public = read_public(Path(section.public))
    sentences, last = doubts(whole, public), max(whole, key=lambda copy: copy.row).last
    if not sentences or last is None:
        raise JournalError(f"journal {section.path} needs no confirmation")
    return JournalDoubts(last, sentences, foreign_keys(whole, public))


def _whole(path: Path) -> Found | None:
    if path.exists():
        with suppress(JournalDamaged):
            return inspect(path)
    return None
