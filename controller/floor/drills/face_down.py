"""Drill `face-down`: a listener with all rights looks for the dealer's face-down card in what it hears.

It knows everything about a round in play but the card: each other row, and even the key with which the table
seals the card in its journal. So it can compute the hash of every row of the round for each of the 52 cards.
It has found the card if one of these hashes, or the sealed card itself, is in anything that it heard before
the card was turned over.
"""

import json
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from nats.aio.msg import Msg

from controller.cards import DECK
from controller.floor.connection import connection
from controller.floor.demo.checks import count_rows
from controller.floor.demo.streams import published_ranges
from controller.floor.drills.house import PROPERTY, House, house, until
from controller.floor.drills.outcome import Findings
from controller.floor.drills.played_table import play, played_journal, played_table
from controller.journal.chain import JournalRow, chain_after
from controller.journal.history import History
from controller.journal.sealing import SealKey
from controller.property.subjects import PropertySubjects
from drivers.key_files import read_key

ROUNDS: Final = 8
PREFIX: Final = 16
"""Hex digits of a hash that tell it from every other one; an epoch has as many."""


@dataclass(frozen=True, slots=True)
class HeardMessage:
    """`at`: seconds of Unix time; `text`: subject, headers and payload, also inflated, in small letters."""

    at: float
    text: str

    @classmethod
    def of(cls, message: Msg) -> "HeardMessage":
        data = message.data or b""
        parts = [
            message.subject,
            json.dumps(message.headers or {}),
            data.hex(),
            data.decode(errors="replace"),
        ]
        with suppress(zlib.error):
            parts.append(zlib.decompress(data).decode(errors="replace"))
        return cls(time.time(), "\n".join(parts).lower())


@dataclass(frozen=True, slots=True)
class HiddenCard:
    """A card that lay face down. `sealed`: the index of its row in `rows`, which begin after the row with
    `before`, its number and hash, and end with the last one before the card was turned over at `turned`."""

    before: tuple[int, bytes]
    rows: Sequence[JournalRow]
    sealed: int
    turned: float

    @property
    def box(self) -> dict[str, Any]:
        body: Any = json.loads(self.rows[self.sealed].content.body)
        return dict(body["body"]["card_drawn"]["sealed"])

    def guesses(self, key: SealKey) -> Iterator[tuple[str, list[str]]]:
        """For each card of the deck: the box and the hashes that the journal has if it is that card."""
        known, entry = self.box, self.rows[self.sealed]
        for card in DECK:
            after = bytes.fromhex(known["after"])
            box = key.seal(str(card), entry.row, known["round"], known["place"], after).box.hex()
            row = replace(entry.content, body=entry.content.body.replace(known["box"], box))
            contents = [one.content for one in self.rows]
            contents[self.sealed] = row
            yield box, [one.hash.hex() for one in chain_after(*self.before, contents)[self.sealed :]]


def hidden_cards(rows: Sequence[JournalRow]) -> Iterator[HiddenCard]:
    """All cards of a journal that lay face down, and were turned over."""
    sealed = 0
    for index, entry in enumerate(rows):
        if '"sealed"' in entry.content.body and entry.content.kind == "event":
            sealed = index
        if entry.content.kind == "opened" and sealed:
            before = rows[sealed - 1]
            yield HiddenCard((before.row, before.hash), rows[sealed:index], 0, entry.content.at)
            sealed = 0


def finds(card: HiddenCard, key: SealKey, heard: Sequence[HeardMessage]) -> bool:
    """Whether the listener has found the card before it was turned over."""
    texts = [message.text for message in heard if message.at < card.turned]
    traces = [
        trace for box, hashes in card.guesses(key) for trace in (box, *(one[:PREFIX] for one in hashes))
    ]
    return any(trace in text for trace in traces for text in texts)


def is_known(card: HiddenCard, key: SealKey) -> bool:
    """Whether one of the guesses is the true one: else the listener would look for nothing."""
    true = [entry.hash.hex() for entry in card.rows[card.sealed :]]
    return any(hashes == true for _, hashes in card.guesses(key))


async def face_down(folder: Path, _seconds: float) -> Findings:
    async with house(folder) as at:
        _search(at, await _listen(at))
    return at.found


async def _listen(at: House) -> list[HeardMessage]:
    """What was heard while the table played."""
    heard = list[HeardMessage]()

    async def hear(message: Msg) -> None:
        heard.append(HeardMessage.of(message))

    async with connection(at.cluster.servers) as client:
        await client.subscribe(">", cb=hear)
        async with played_table(at) as table:
            await play(table, ROUNDS)
            journal = played_journal(table)
            await until(lambda: at.floor.reached(journal.journal_name) >= journal.disclosed)
            await table.stop_uplink()
            published = await published_ranges(client.jetstream(), PropertySubjects(PROPERTY))
            ranges = published[journal.journal_name]
            await until(lambda: at.floor.reached(journal.journal_name) >= max(last for _, last in ranges))
            at.found.published = count_rows(ranges)
            at.note_rows(journal)
            at.found.check_replica()
    return heard


def _search(at: House, heard: Sequence[HeardMessage]) -> None:
    [journal] = at.folder.glob("*/journal.sqlite")
    key = SealKey(read_key(journal.parent / "keys" / "journal.seal"))
    history = History(journal)
    cards = list(hidden_cards(list(history.rows(1, history.files()[-1].last))))
    found = at.found
    found.check(len(cards) >= ROUNDS / 2, f"only {len(cards)} cards lay face down")
    found.check(bool(heard), "nothing was heard")
    for card in cards:
        row = card.rows[card.sealed].row
        found.check(is_known(card, key), f"row {row}: none of the 52 guesses is the true one")
        found.check(not finds(card, key, heard), f"row {row}: the listener has found the card")
