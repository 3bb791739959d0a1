"""Check ended rounds: what was settled, paid and won must add up, and be what the rules say. Rounds are
compared as JSON, because making records would take longer than all the checks."""

from collections.abc import Iterator
from typing import Any

from controller.money import sum_cents, text
from controller.past.replay.verdict import judge
from controller.table.record.codec import from_json
from controller.table.record.notes import RoundEnded

JsonRecord = dict[str, Any]


def round_faults(record: JsonRecord, won: dict[str, int | None], *, by_rules: bool) -> Iterator[str]:
    """What does not add up in a RoundEnded, a sentence each. `won`: what shares took from the jackpots, in
    cents, None if unknown; `by_rules`: settle the round again. Raises BAD_ROW for JSON of another shape."""
    shown = record["round"]
    yield from _nets(shown)
    if shown["outcome"] == "settled":
        yield from _jackpots(shown, won)
    if by_rules and record.get("script"):
        ended: RoundEnded = from_json(RoundEnded, record)
        if ended.script:
            yield from judge(ended.round, ended.script).differs


def _nets(shown: JsonRecord) -> Iterator[str]:
    """The net of each seat must be the sum of its lines."""
    paid: dict[int, list[int | None]] = {}
    for line in shown["lines"]:
        paid.setdefault(line["seat"], []).append(line["paid"])
    for seat in shown["seats"]:
        lines = paid.pop(seat["seat"], None)
        should = None if lines is None else sum_cents(lines)
        if seat["net"] != should:
            yield f"seat {seat['seat']} has a net of {_text(seat['net'])}; its lines come to {_text(should)}"
    for number in paid:
        yield f"seat {number} has settlement lines; there is no such seat"


def _jackpots(shown: JsonRecord, won: dict[str, int | None]) -> Iterator[str]:
    """The shares that were won must be what left the meters."""
    shares: dict[str, int] = {}
    for line in shown["lines"]:
        if share := _share(line):
            shares[line["wager"]] = shares.get(line["wager"], 0) + share
    for spot in sorted(shares.keys() | won.keys()):
        lines, meter = shares.get(spot, 0), won.get(spot, 0)
        if meter is not None and lines != meter:
            yield f"jackpot {spot} fell by {text(meter)}; the lines paid {text(lines)} of it"


def _share(line: JsonRecord) -> int:
    """The cents of a jackpot of the table in a line, with the stake. A line does not say what a share of a
    linked one pays."""
    shared = line["pays"] is not None and line["pays"].endswith("%") and line["paid"] is not None
    return (line["paid"] or 0) + (line["amount"] or 0) if shared else 0


def _text(cents: int | None) -> str:
    return "nothing known" if cents is None else text(cents)
