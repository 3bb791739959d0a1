"""Ways in which a table could leak its face-down card, patched in from outside."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from controller.daemon.core_socket import DisclosedHead
from controller.journal.chain import JournalRow, RowContent
from controller.journal.sealing import SealedCard, SealKey
from controller.past.export import chapters
from controller.round import Round
from controller.round.round import DealerHand
from controller.socket.results import Head
from controller.table import loop, sealer
from controller.table.apply import play
from controller.table.batch import Batch
from controller.table.inbox import InboxItem
from controller.table.loop import Table
from controller.table.record.causes import cause
from controller.table.record.codec import to_json
from controller.table.record.events import Decision, Input, Supervisor
from controller.table.record.kinds import BY_RECORD, LogLine
from controller.table.record.notes import CardOpened
from controller.table.record.preview import Preview
from controller.table.record.sealed import OpenSeal
from controller.table.sealer import Sealer
from controller.table.state.table_state import TableState
from controller.table.view import outputs
from controller.telemetry.table_log import TableLog
from controller.telemetry.table_metrics import TableMetrics
from drivers.link.reports import DeviceEvent
from drivers.messages import CardDrawn
from drivers.protocol.codes import Lamp
from tests.secrets import watched_table

Patch = pytest.MonkeyPatch
TENS = "TJQK"
LONG = 5_000_000
"""More than SQLite's log has room for."""


@dataclass(frozen=True, slots=True)
class Leak:
    """`put` changes the code; at least this `outlet` must be noticed in this course."""

    put: Callable[[Patch], None]
    course: str
    outlet: str


def hole(state: TableState) -> str:
    """The face-down card; empty where there is none."""
    return (state.round._state.layout.hole or "") if state.round.hidden else ""


def is_ten(state: TableState) -> bool:
    """Whether it counts ten."""
    return bool(hole(state)) and hole(state)[0] in TENS


def _instead(module: Any, name: str, other: Callable[..., Any]) -> Callable[[Patch], None]:
    """`other` gets the function's arguments and its result first."""

    def put(patch: Patch) -> None:
        real = getattr(module, name)

        def leaking(*arguments: Any, **named: Any) -> Any:
            return other(real(*arguments, **named), *arguments)

        patch.setattr(module, name, leaking)

    return put


def _counted_at_once(_none: None, state: TableState, _card: str) -> None:
    """The ledger counts the card when it comes, not when it is turned."""
    if hole(state) and (wrong := state.ledger.overcount(hole(state))):
        state.suspend(cause("ledger"), wrong, lasting=True)


def _lamp(shown: bytes, state: TableState) -> bytes:
    return bytes([Lamp.WIN]) + shown[1:] if is_ten(state) else shown


def _prompt(due: tuple[str, int], state: TableState) -> tuple[str, int]:
    return ("Look at the card", 0) if is_ten(state) else due


def _levels(shown: tuple[Any, ...], state: TableState) -> tuple[Any, ...]:
    return tuple((cents + is_ten(state), level) for cents, level in shown)


def _lines(lines: tuple[str, str, str], state: TableState) -> tuple[str, ...]:
    return (*lines[:2], "Dealer is strong") if is_ten(state) else lines


def _keys(mask: int, state: TableState) -> int:
    return mask ^ is_ten(state)


def _permit(up_to: int, state: TableState) -> int:
    return up_to + 1 if up_to and is_ten(state) else up_to


def _seen(view: Any, _table: str, state: TableState, _devices: Any) -> Any:
    return replace(view, phase=f"{view.phase} {hole(state)}")


def _dealer(patch: Patch) -> None:
    def dealer(played: Round) -> DealerHand:
        cards = played._state.layout.dealer
        return DealerHand(cards, None, bust=False)

    patch.setattr(Round, "dealer", property(dealer))


def _metric(_none: None, meters: TableMetrics, event: Input) -> None:
    if isinstance(event, DeviceEvent) and isinstance(event.body, CardDrawn):
        meters._cards.add(event.body.card)


def _log(_none: None, chronicle: TableLog, event: Input) -> None:
    chronicle._log.info("row", what=to_json(event))


def _buzz(_none: None, table: Table, _turn: Batch) -> None:
    if table._fixtures.console and is_ten(table.state):
        table._fixtures.console.buzz(10)


def _another_turn(_none: None, table: Table, batch: list[InboxItem]) -> None:
    if batch and batch[0].event and is_ten(table.state):
        table.inbox.pulse()


def _preview(patch: Patch) -> None:
    def consequences(state: TableState, _decision: Decision) -> Preview:
        return Preview((f"{hole(state)} would be turned",))

    patch.setattr(loop, "consequences", consequences)


def _all_rows(_told: list[JournalRow], rows: Sequence[JournalRow]) -> list[JournalRow]:
    return list(rows)


def _deed(patch: Patch) -> None:
    """The log gets the decision itself; the audit page could only read its sealed row."""
    named = replace(BY_RECORD[Supervisor], log=LogLine("supervisor", ("choice", "card")))
    patch.setitem(BY_RECORD, Supervisor, named)


def _longer(row: RowContent, clear: RowContent, _seal: OpenSeal) -> RowContent:
    is_ten_ = any(f'"card":"{rank}' in clear.body for rank in TENS)
    return replace(row, body=row.body + " " * LONG * is_ten_)


def _clear(_row: RowContent, clear: RowContent, _seal: OpenSeal) -> RowContent:
    return clear


def _same_box(patch: Patch) -> None:
    """Every box holds what its card hashes to."""

    def seal(_key: SealKey, card: str, row: int, number: int, place: str, after: bytes) -> SealedCard:
        return SealedCard(row, number, f"{place} {hash(card)}", after, bytes(48))

    patch.setattr(SealKey, "seal", seal)


def _opened_early(patch: Patch) -> None:
    def openings(self: Sealer) -> tuple[CardOpened, ...]:
        return tuple(CardOpened(one.seal.sealed.row, one.card, b"") for one in self._secrets)

    patch.setattr(Sealer, "openings", openings)


def _head(_none: None, disclosed: DisclosedHead) -> None:
    """The head of the round in play."""
    if head := disclosed._journal.head:
        disclosed.row = Head(head.row, head.hash.hex())


LEAKS: Mapping[str, Leak] = {
    "a ledger that counts it at once": Leak(
        _instead(play, "place_card", _counted_at_once), "one too many", "page /"
    ),
    "a lamp": Leak(_instead(outputs, "lamps", _lamp), "no bust", "commands"),
    "a prompt": Leak(_instead(outputs, "prompt", _prompt), "ez-bust, no look", "commands"),
    "a level": Leak(_instead(outputs, "levels", _levels), "void", "commands"),
    "a line of the display": Leak(_instead(outputs, "display", _lines), "easy jack", "commands"),
    "key lamps": Leak(_instead(outputs, "key_lamps", _keys), "no bust", "commands"),
    "a permit": Leak(_instead(outputs, "permit", _permit), "no bust", "commands"),
    "the dealer's hand": Leak(_dealer, "easy jack", "page /api/v1/table"),
    "a metric by card": Leak(_instead(TableMetrics, "on_input", _metric), "pure 21.5", "page /metrics"),
    "a line of the log": Leak(_instead(TableLog, "on_input", _log), "pure 21.5", "log"),
    "a buzz": Leak(_instead(Table, "_update_devices", _buzz), "quick pay, a ten up", "commands"),
    "a turn more": Leak(_instead(Table, "process", _another_turn), "quick pay, a ten up", "turns"),
    "a preview": Leak(_preview, "easy jack", "socket"),
    "an export of the round in play": Leak(
        _instead(chapters, "publishable", _all_rows), "easy jack", "export"
    ),
    "a head of the round in play": Leak(_instead(DisclosedHead, "update", _head), "easy jack", "subscribers"),
    "a view of another phase": Leak(_instead(watched_table, "build_view", _seen), "easy jack", "stream"),
    "a deed that names it": Leak(_deed, "unreadable", "log"),
    "a longer row": Leak(_instead(sealer, "sealed_row", _longer), "no bust", "files"),
    "a row in the clear": Leak(_instead(sealer, "sealed_row", _clear), "easy jack", "rows"),
    "a card in the bytes of a file": Leak(_instead(sealer, "sealed_row", _clear), "unpermitted", "bytes"),
    "a hash of the card": Leak(_same_box, "pure 21.5", "rows"),
    "a key that is published early": Leak(_opened_early, "quick pay, hedge", "rows"),
}
"""Each leak by its name."""
