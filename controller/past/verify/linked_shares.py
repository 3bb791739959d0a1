"""Shares of linked progressives in a journal: the row has the signature, and the amount that was signed."""

import json

from controller.jackpot.linked.messages import read_amount
from controller.jackpot.linked.wire import MalformedMessage
from controller.property.signed import SignedMessage, UnsignedError
from controller.table.record.codec import from_json
from controller.table.record.events import ShareWon


def share_fault(body: str) -> str:
    """What is wrong with a decided share in a row; empty if its key signed what the row says."""
    row: ShareWon = from_json(ShareWon, json.loads(body))
    message = SignedMessage(row.subject, row.payload, row.key, row.signature)
    try:
        amount = read_amount(message.verify({row.key}))
    except UnsignedError as wrong:
        return str(wrong)
    except MalformedMessage as wrong:
        return f"what was signed is not an amount: {wrong}"
    if not row.subject.endswith(f".progressive.amount.{amount.level}"):
        return f"an amount of {amount.level} was signed for {row.subject}"
    said: set[tuple[int, int, tuple[int, ...]]] = {
        (claim.n, claim.cents, claim.order) for claim in amount.claims
    }
    if (row.n, row.cents, row.order) not in said:
        return (
            f"claim {row.claim}: entry {row.n}, {row.cents} cents, order {row.order}: "
            "no such share was signed"
        )
    return "" if amount.cents == row.shown else f"it shows {row.shown} cents; {amount.cents} were signed"
