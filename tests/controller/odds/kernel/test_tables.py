"""A wrong entry in any table shows as a difference to the Round."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from types import ModuleType

import pytest

from controller.cards import DECK
from controller.odds.kernel.kernel import Kernel, joined
from controller.odds.kernel.loop import PASS, PLACE, ROOM, SHUFFLED, Numbers, Tables
from controller.odds.kernel.rule_tables import RuleTables
from controller.odds.playthrough import Player
from tests.controller.odds.kernel.equality import differences, standard

ROUNDS = 6000
READ = 500
"""Rounds that show which entries are read."""

TABLES = tuple(name for name, kind in Tables.__annotations__.items() if kind == Numbers)
GAMES_OF = {"first_kind": "blackjack-x", "first_outcome": "blackjack-x"}
"""The game whose tables are changed, if not EZ Bust: only one has a bet on the first cards."""


class ReadList(list[int]):
    """Counts which entries are read."""

    def __init__(self, numbers: Sequence[int]) -> None:
        super().__init__(numbers)
        self.reads = Counter[int]()

    def __getitem__(self, place: int) -> int:  # type: ignore[override]
        self.reads[place] += 1
        return super().__getitem__(place)


def most_read_entry(rules: RuleTables, table: str, plain: ModuleType) -> int:
    """The entry of a table that rounds read most."""
    numbers, offsets = joined(rules.tables)
    read, deck, room = ReadList(numbers), [*range(len(DECK))] * 6, [1, 2, 3, 4] + [0] * (ROOM - 4)
    for _ in range(READ):
        room[PLACE] = room[SHUFFLED] = 0
        plain.play(read, offsets, deck, room, -1, PASS)
    begin: int = getattr(offsets, table)
    places = range(begin, begin + len(getattr(rules.tables, table)))
    return max(places, key=lambda place: read.reads[place]) - begin


def wrong(rules: RuleTables, table: str, entry: int) -> RuleTables:
    """The tables with another number, which the table has elsewhere."""
    numbers = list(getattr(rules.tables, table))
    others = sorted(set(numbers) - {numbers[entry]})
    numbers[entry] = others[len(others) // 2]
    changed = {**rules.tables._asdict(), table: numbers}
    return replace(rules, tables=Tables(**changed))


def most_read(table: str, plain: ModuleType) -> tuple[Player, RuleTables]:
    """A player, and tables with a wrong number where rounds read this table most."""
    player, rules = standard(GAMES_OF.get(table, "ez-bust"))
    return player, wrong(rules, table, most_read_entry(rules, table, plain))


@pytest.mark.parametrize("table", [table for table in TABLES if table != "paid"])
def test_a_wrong_entry_shows_in_cards_or_lines(
    table: str, plain: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    player, mutant = most_read(table, plain)
    monkeypatch.undo()
    assert next(differences(player, mutant, ROUNDS, "mutant"), None)


def test_a_wrong_pay_shows_in_the_sums() -> None:
    player, rules = standard("ez-bust")
    lost = next(number for number, cents in enumerate(rules.tables.paid) if cents < 0)
    right, mutant = Kernel(player, rules), Kernel(player, wrong(rules, "paid", lost))
    for kernel in (right, mutant):
        kernel.shuffle("pay")
    assert right.count(READ).all() != mutant.count(READ).all()
