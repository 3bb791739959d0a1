"""What is looked at in rows of some kinds, beside the chain: a taker for each kind.

A taker may raise what JSON of another shape leads to.
"""

import json
from collections.abc import Callable

from controller.journal.archived import CONTINUED
from controller.journal.chain import Entry, Row
from controller.journal.signing import CHECKPOINT, signed_by
from controller.journal.trust import CONFIRMED
from controller.table.notes import ClaimMoved
from controller.table.records import whole
from controller.table.rows import SNAPSHOT
from controller.verify.money import wrong
from controller.verify.parts import Fields
from controller.verify.walk import Confirmed, Signed, Walk

Taker = Callable[[Walk, Fields], None]
NOTHING = Row(0.0, "", "")


def _checkpoint(walk: Walk, fields: Fields) -> None:
    checked, row = walk.checked, fields[0]
    public = signed_by(_row(fields), Entry(walk.row, NOTHING, walk.before))
    if public is None:
        checked.findings.add("checkpoint", row, f"its signature is not one of row {walk.row}")
        return
    signed = checked.keys.setdefault(public.hex(), Signed(0, row, row))
    signed.count, signed.last = signed.count + 1, row
    checked.signed = walk.row


def _meter(walk: Walk, fields: Fields) -> None:
    walk.checked.meters.moved(fields[0], fields[6], walk.checked.findings)


def _snapshot(walk: Walk, fields: Fields) -> None:
    told = json.loads(fields[6]).get("meters", {})
    walk.checked.snapshot = fields[0]
    walk.checked.meters.snapshot(fields[0], told, walk.checked.findings)


def _round(walk: Walk, fields: Fields) -> None:
    checked, row = walk.checked, fields[0]
    won = checked.meters.ended()
    told = json.loads(fields[6])
    number = told["round"]["number"]
    if checked.last_round and number != checked.last_round[0] + 1:
        checked.findings.add("money", row, f"round {number}; it should be {checked.last_round[0] + 1}")
    checked.rounds += 1
    checked.last_round = (number, row)
    checked.first_round = checked.first_round or checked.last_round
    for what in wrong(told, won, by_rules=walk.depth.by_rules):
        checked.findings.add("money", row, f"round {number}: {what}")


def _corrected(walk: Walk, fields: Fields) -> None:
    """A round that had ended is put right: it says so from now on. What its meters did is in their rows."""
    told = json.loads(fields[6])["ended"]
    if not told:
        return
    spots: dict[str, int | None] = {line["wager"]: None for line in told["round"]["lines"]}
    for what in wrong(told, spots, by_rules=walk.depth.by_rules):
        text = f"round {told['round']['number']}, as it was corrected: {what}"
        walk.checked.findings.add("money", fields[0], text)


def _claim(walk: Walk, fields: Fields) -> None:
    note: ClaimMoved = whole(ClaimMoved, json.loads(fields[6]))
    walk.checked.claims.moved(fields[0], note.claim, walk.checked.findings)


def _continued(walk: Walk, fields: Fields) -> None:
    if fields[0] != walk.part.file.first:
        walk.checked.findings.add("chain", fields[0], f"{CONTINUED} is a kind for the first row of a file")


def _retired(walk: Walk, fields: Fields) -> None:
    walk.checked.gone.add(json.loads(fields[6])["last"])


def _confirmed(walk: Walk, fields: Fields) -> None:
    told = json.loads(fields[6])
    keys = tuple(map(str, told["keys"]))
    who, second, why = (str(told[name]) for name in ("who", "second", "why"))
    walk.checked.confirmed.append(Confirmed(fields[0], int(told["row"]), keys, who, second, why))


def _row(fields: Fields) -> Row:
    return Row(fields[1], fields[2].decode(), fields[6].decode())


KINDS: dict[bytes, Taker] = {
    CHECKPOINT.encode(): _checkpoint,
    CONTINUED.encode(): _continued,
    SNAPSHOT.encode(): _snapshot,
    b"claim": _claim,
    CONFIRMED.encode(): _confirmed,
    b"corrected": _corrected,
    b"meter": _meter,
    b"retired": _retired,
    b"round": _round,
}
"""A kind that needs a check of its own gets it here."""
