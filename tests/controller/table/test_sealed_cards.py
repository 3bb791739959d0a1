"""The rows of a table that seals its cards: what they hide, when they open, and what a start needs for it."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from controller.cards import DECK
from controller.games import GAMES
from controller.journal.chain import JournalRow, row_hash
from controller.journal.errors import JournalDamaged, SealUnusable
from controller.journal.history import History
from controller.journal.journal import Journal
from controller.journal.sealing import SealKey, open_box
from controller.table.record.codec import read_input
from controller.table.record.events import DeviceLost, DeviceRunning, Input, Started, Supervisor
from controller.table.record.kinds import INPUTS
from controller.table.record.sealed import OPENED, openings, readable, seal_in, with_cards
from controller.table.recovery import recover
from controller.table.sealer import Sealer
from controller.table.state.snapshot import read_snapshot, restore_snapshot, snapshot_row
from drivers.messages import CardUnpermitted, CardUnreadable
from tests.fixtures.crewed_table import InputRecorder
from tests.fixtures.device_inputs import Script
from tests.fixtures.journal_files import build
from tests.fixtures.loop_table import LoopTable, loop_table
from tests.fixtures.state_table import StateTable, everything

KEY = SealKey(bytes(range(32)))
OTHER = SealKey(bytes([9] * 32))
SEEDS = range(3)
DEALT = "1:main=500 2:main=500 close 5h 7d"
"""Easy Jack: the dealer's face-down card is next."""


def rows(path: Path) -> list[JournalRow]:
    return list(History(path).rows())


def random_round(game: str, seed: int) -> tuple[Started, list[Input]]:
    """The start of a table, and all that its devices report in one random round."""
    table = InputRecorder(game, seed)
    table.play_by_chance()
    return table.script.started(), table.inputs


def found_by_trying(entries: Sequence[JournalRow]) -> dict[int, str]:
    """The cards that a reader without the key finds, by row: the card stands there, and the row has the hash
    that it has with this card in the clear."""
    found = dict[int, str]()
    for before, entry in pairwise(entries):
        for card in DECK:
            (clear,) = with_cards([entry], {entry.row: card})
            if f'"card":"{card}"' in clear.content.body and entry.hash == row_hash(
                before.hash, entry.row, clear.content
            ):
                found[entry.row] = card
    return found


def secrets(entries: Sequence[JournalRow]) -> set[int]:
    """The rows with boxes that no row has opened."""
    return {seal.sealed.row for entry in entries if (seal := seal_in(entry))} - openings(entries).keys()


@contextmanager
def dealt(path: Path, *more: str, key: SealKey | None = KEY) -> Iterator[tuple[LoopTable, StateTable]]:
    """A table of Easy Jack at which the dealer's face-down card is due, and its inputs; tokens are played."""
    script = Script("easy-jack", options={"burn_cards": 0})
    with loop_table(path, script.started(), key=key) as table:
        teller = StateTable.of(table.table.state, script)
        table.apply(*list(script.opening())[1:], script.loaded(8))
        for token in (*DEALT.split(), *more):
            table.apply(teller.event(token))
        yield table, teller


class TestRandomRounds:
    @pytest.mark.parametrize("seed", SEEDS)
    @pytest.mark.parametrize("game", GAMES)
    def test_nobody_finds_the_face_down_card_by_trying_all_cards(
        self, tmp_path: Path, game: str, seed: int
    ) -> None:
        started, inputs = random_round(game, seed)
        looks = 0
        with loop_table(tmp_path / "table.db", started, key=KEY) as table:
            for event in inputs[1:]:
                table.apply(event)
                if table.table.state.round.hidden:
                    looks += 1
                    entries = list(table.journal.since(0))
                    (hole,) = secrets(entries)
                    assert hole not in found_by_trying(entries)
        assert looks

    @pytest.mark.parametrize("game", GAMES)
    def test_anybody_finds_the_face_down_card_where_it_is_not_sealed(self, tmp_path: Path, game: str) -> None:
        """The search can succeed."""
        started, inputs = random_round(game, 0)
        with loop_table(tmp_path / "table.db", started) as table:
            for event in inputs[1:]:
                table.apply(event)
                if table.table.state.round.hidden:
                    hole = table.table.state.round._state.layout.hole
                    assert hole in found_by_trying(list(table.journal.since(0))).values()
                    return
        raise AssertionError("no card lay face down")

    @pytest.mark.parametrize("seed", SEEDS)
    @pytest.mark.parametrize("game", GAMES)
    def test_what_was_sealed_is_what_was_opened(self, tmp_path: Path, game: str, seed: int) -> None:
        path = tmp_path / "table.db"
        started, inputs = random_round(game, seed)
        with loop_table(path, started, key=KEY) as table:
            table.apply(*inputs[1:])
        found, entries = [], rows(path)
        for entry in entries:
            if seal := seal_in(entry):
                opened = openings(entries)[entry.row]
                assert open_box(seal.sealed, bytes.fromhex(opened["key"])) == opened["card"]
                found.append(opened["hole"])
        assert found == [True]
        kept = [read_input(entry.content) for entry in readable(entries) if entry.content.kind in INPUTS]
        assert kept == [started, *inputs[1:]]

    @pytest.mark.parametrize("game", GAMES)
    def test_a_restart_after_any_input_finds_the_same_table(self, tmp_path: Path, game: str) -> None:
        started, inputs = random_round(game, 1)
        path = tmp_path / "table.db"
        with loop_table(path, started, key=KEY) as table:
            states = []
            for event in inputs[1:]:
                table.apply(event)
                state = table.table.state
                states.append((len(rows(path)), everything(state), bool(state.round.hidden)))
        entries = rows(path)
        for number, (last, shown, hidden) in enumerate(states):
            cut = tmp_path / f"{number}.db"
            build(cut, [[entry.content for entry in entries[:last]]])
            with Journal(cut) as journal:
                assert everything(recover(journal, started, Sealer(KEY))) == shown
                for wrong in (None, OTHER):
                    if hidden:
                        with pytest.raises(SealUnusable, match=r"row \d+ of the journal holds a sealed card"):
                            recover(journal, started, Sealer(wrong))
                    else:
                        assert everything(recover(journal, started, Sealer(wrong))) == shown

    def test_a_table_without_a_key_writes_what_it_always_wrote(self, tmp_path: Path) -> None:
        with dealt(tmp_path / "table.db", "Kc", "1:stand", "2:stand", key=None) as (table, _):
            entries = list(table.journal.since(0))
        assert OPENED not in {entry.content.kind for entry in entries}
        assert not [entry for entry in entries if '"sealed":{' in entry.content.body]


class TestPaths:
    """Cards that wait, and may be dealt face down."""

    def test_the_row_of_the_hole_card_opens_when_it_is_turned(self, tmp_path: Path) -> None:
        with dealt(tmp_path / "table.db", "Kc") as (table, teller):
            (hole,) = secrets(list(table.journal.since(0)))
            table.apply(teller.event("1:stand"))
            assert table.kinds()[-1] != OPENED
            table.apply(teller.event("2:stand"))
            entries = list(table.journal.since(0))
        assert openings(entries)[hole]["card"] == "Kc"
        kinds = [entry.content.kind for entry in entries]
        assert kinds.index("revealed") == kinds.index(OPENED) + 1

    def test_a_void_round_opens_its_card(self, tmp_path: Path) -> None:
        with dealt(tmp_path / "table.db", "Kc") as (table, _):
            table.apply(Supervisor("void", "Ann", "a drink was spilled", None))
            opened = openings(list(table.journal.since(0)))
        assert [(each["card"], each["hole"]) for each in opened.values()] == [("Kc", True)]

    def test_a_card_that_waits_is_sealed_until_it_is_burned(self, tmp_path: Path) -> None:
        script = Script("easy-jack", options={"burn_cards": 0})
        with loop_table(tmp_path / "table.db", script.started(), key=KEY) as table:
            table.apply(*list(script.opening())[1:], script.loaded(8))
            script.cards += 1
            table.apply(script.event("shoe", CardUnpermitted(script.cards, "9h")))
            (waits,) = secrets(list(table.journal.since(0)))
            table.apply(Supervisor("burn", "Ann", "seen", None))
            entries = list(table.journal.since(0))
        assert (openings(entries)[waits]["card"], openings(entries)[waits]["hole"]) == ("9h", False)

    def test_the_name_that_a_supervisor_gives_the_face_down_card_is_sealed(self, tmp_path: Path) -> None:
        with dealt(tmp_path / "table.db") as (table, teller):
            teller.script.cards += 1
            table.apply(teller.script.event("shoe", CardUnreadable(teller.script.cards)))
            table.apply(Supervisor("card", "Ann", "seen", "Kc"))
            entries = list(table.journal.since(0))
            (named,) = secrets(entries)
            assert entries[named - 1].content.kind == "supervisor"
            table.apply(teller.event("1:stand"), teller.event("2:stand"))
            assert openings(list(table.journal.since(0)))[named]["hole"]

    def test_a_misread_card_and_the_name_it_is_given_are_both_sealed(self, tmp_path: Path) -> None:
        with dealt(tmp_path / "table.db") as (table, teller):
            self._unpermitted(table, teller, "3h")
            table.apply(Supervisor("card", "Ann", "seen", "Kc"))
            misread, named = sorted(secrets(list(table.journal.since(0))))
            table.apply(teller.event("1:stand"), teller.event("2:stand"))
            opened = openings(list(table.journal.since(0)))
        assert [(opened[row]["card"], opened[row]["hole"]) for row in (misread, named)] == [
            ("3h", False),
            ("Kc", True),
        ]

    def test_a_waiting_card_that_becomes_the_face_down_one_stays_sealed(self, tmp_path: Path) -> None:
        with dealt(tmp_path / "table.db") as (table, teller):
            self._unpermitted(table, teller, "Kc")
            (waits,) = secrets(list(table.journal.since(0)))
            table.apply(Supervisor("card", "Ann", "seen", None))
            assert table.table.state.round.hidden
            assert secrets(list(table.journal.since(0))) == {waits}
            table.apply(teller.event("1:stand"), teller.event("2:stand"))
            assert openings(list(table.journal.since(0)))[waits]["hole"]

    def test_a_waiting_card_that_goes_to_a_seat_opens_with_the_dealers(self, tmp_path: Path) -> None:
        with dealt(tmp_path / "table.db", "Kc") as (table, teller):
            self._unpermitted(table, teller, "2d")
            table.apply(Supervisor("burn", "Ann", "seen", None))
            assert len(secrets(list(table.journal.since(0)))) == 2
            table.apply(teller.event("1:stand"), teller.event("2:stand"))
            assert not secrets(list(table.journal.since(0)))

    def test_a_card_that_is_read_again_is_sealed_again(self, tmp_path: Path) -> None:
        with dealt(tmp_path / "table.db") as (table, teller):
            self._unpermitted(table, teller, "3h")
            table.apply(Supervisor("reread", "Ann", "seen", None), teller.script.card("Kc"))
            assert len(secrets(list(table.journal.since(0)))) == 2
            table.apply(Supervisor("card", "Ann", "seen", None))
            table.apply(teller.event("1:stand"), teller.event("2:stand"))
            opened = openings(list(table.journal.since(0)))
        assert [(each["card"], each["hole"]) for each in opened.values()] == [("3h", False), ("Kc", True)]

    def test_an_event_that_a_device_repeats_makes_no_second_box(self, tmp_path: Path) -> None:
        with dealt(tmp_path / "table.db") as (table, teller):
            card = teller.event("Kc")
            table.apply(card, card)
            assert len(secrets(list(table.journal.since(0)))) == 1

    def test_a_snapshot_names_no_card_that_waits(self, tmp_path: Path) -> None:
        with dealt(tmp_path / "table.db") as (table, teller):
            self._unpermitted(table, teller, "3h")
            self._unpermitted(table, teller, "Kc")
            state, sealer = table.table.state, table.table._sealer
            row = snapshot_row(5.0, state, sealer.cover)
            assert "3h" not in row.body
            assert "Kc" not in row.body
            kept = JournalRow(1, row, b"")
            again = Sealer(KEY)
            (clear,) = again.read([kept])
            snapshot = read_snapshot(clear.content)
            again.restored(snapshot, restore_snapshot(snapshot))
            assert snapshot.strays == tuple(state.unplaced)
            assert snapshot_row(5.0, state, again.cover) == row
            with pytest.raises(SealUnusable, match="the seal key is missing"):
                Sealer().read([kept])

    @staticmethod
    def _unpermitted(table: LoopTable, teller: StateTable, card: str) -> None:
        """The shoe gives out a card although it is locked."""
        script = teller.script
        script.cards += 1
        table.apply(
            DeviceLost("sensors", "it is gone"),
            script.event("shoe", CardUnpermitted(script.cards, card)),
            DeviceRunning("sensors"),
        )


class TestStarts:
    def test_a_key_that_comes_later_does_not_hide_what_was_written(self, tmp_path: Path) -> None:
        path = tmp_path / "table.db"
        with dealt(path, "Kc", key=None) as (table, teller):
            script = teller.script
        with loop_table(path, script.started(), key=KEY) as table:
            assert table.table.state.round.hidden
            for device in script.devices:
                table.apply(script.up(device), DeviceRunning(device))
            teller = StateTable.of(table.table.state, script)
            table.apply(teller.event("1:stand"), teller.event("2:stand"))
            kinds = table.kinds()
        assert "revealed" in kinds
        assert OPENED not in kinds

    def test_a_start_after_the_reveal_needs_no_key(self, tmp_path: Path) -> None:
        path = tmp_path / "table.db"
        with dealt(path, "Kc", "1:stand", "2:stand") as (table, teller):
            shown, script = everything(table.table.state), teller.script
        with Journal(path) as journal:
            assert everything(recover(journal, script.started())) == shown

    @pytest.mark.parametrize("changed", [{"card": "Ts"}, {"key": "00" * 32}])
    def test_a_start_refuses_a_card_that_is_not_the_sealed_one(
        self, tmp_path: Path, changed: dict[str, str]
    ) -> None:
        path = tmp_path / "table.db"
        with dealt(path, "Kc", "1:stand", "2:stand") as (_, teller):
            script = teller.script
        contents = [entry.content for entry in rows(path)]
        place = next(at for at, content in enumerate(contents) if content.kind == OPENED)
        body = json.dumps({**json.loads(contents[place].body), **changed})
        contents[place] = replace(contents[place], body=body)
        build(tmp_path / "changed.db", [contents])
        with Journal(tmp_path / "changed.db") as journal, pytest.raises(JournalDamaged, match=r"row \d+ of"):
            recover(journal, script.started())
