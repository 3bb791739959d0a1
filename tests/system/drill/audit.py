"""What the books of a table say after a stretch of play, compared with the shoe's list and the crew's
record."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Final

from controller.cards import FACE_DOWN
from controller.demo.audit import disputes, read_shoe_log
from controller.demo.crew.played_round import PlayedRound
from controller.demo.settings import DemoSettings
from controller.journal.chain import JournalRow
from controller.journal.errors import JournalError
from controller.journal.history import History
from controller.past.verify.audit import verify
from controller.past.verify.external import VerifyDemands
from controller.table.record.codec import read_ended, read_input
from controller.table.record.notes import RoundEnded
from controller.table.record.sealed import readable
from drivers.link.reports import DeviceEvent
from drivers.messages import CardDrawn, CardInterrupted, CardUnpermitted, CardUnreadable
from tests.system.drill.daemon import SIGNER

UNREAD: Final = ""
"""A card that the shoe could not read."""
ANY: Final = frozenset({UNREAD, FACE_DOWN})
"""What stands for any card in the journal. A card that lies face down is sealed until it is turned."""


def wrong(folder: Path, scene: DemoSettings, played: Sequence[PlayedRound]) -> Iterator[str]:
    """A sentence for each fault of the books in a folder whose daemon is gone."""
    journal, mirror = folder / "table.db", folder / "mirror" / "table.db"
    try:
        rows = readable([*History(journal).rows()])
        report = verify(journal, VerifyDemands(SIGNER.public, (), mirror, True, 1))
    except JournalError as error:
        yield str(error)
        return
    yield from map(str, report.findings)
    yield from _cards(rows, folder / "shoe.cards")
    ended = [read_ended(entry.content) for entry in rows if entry.content.kind == "round"]
    if [each.round.number for each in ended] != list(range(1, len(ended) + 1)):
        yield "rounds are lost or doubled"
    yield from _disputed(scene, ended, played)


def _disputed(
    scene: DemoSettings, ended: Sequence[RoundEnded], played: Sequence[PlayedRound]
) -> Iterator[str]:
    """Differences from the crew's record, except rounds that became void while they paid, and a last one
    whose end they did not wait for."""
    ended = ended[: len(played)] if len(ended) == len(played) + 1 else ended
    void = {each.round.number for each in ended if each.round.outcome == "void"}
    late = {f"round {number} is void for one of them only" for number in void}
    yield from (dispute for dispute in disputes(scene, ended, played) if dispute not in late)


def _cards(rows: Sequence[JournalRow], shoe_log: Path) -> Iterator[str]:
    """The journal's cards are those of the shoe's own list, one for one."""
    drawn = [card for entry in rows if entry.content.kind == "event" for card in _card(entry)]
    out = [card for _, card in read_shoe_log(shoe_log)]
    for place, (ours, theirs) in enumerate(zip_longest(drawn, out), start=1):
        if ours not in {*ANY, theirs}:
            yield f"card {place}: the journal has {ours}, the shoe gave out {theirs}"
            return


def _card(entry: JournalRow) -> Iterator[str]:
    match read_input(entry.content):
        case DeviceEvent(body=CardDrawn(_, card) | CardUnpermitted(_, card)):
            yield card
        case DeviceEvent(body=CardUnreadable() | CardInterrupted()):
            yield UNREAD
