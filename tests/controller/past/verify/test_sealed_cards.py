"""Sealed cards in journals that somebody has edited, chained and signed anew with the real key."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.games import GAMES
from controller.journal.chain import JournalRow, RowContent, chain_rows
from controller.journal.history import History
from controller.journal.journal import ROLL_ROWS
from controller.journal.sealing import SealKey
from controller.journal.signing import CHECKPOINT, checkpoint
from controller.past.verify.external import VerifyDemands
from controller.table.record.events import Input, Supervisor
from controller.table.record.sealed import OPENED, seal_in
from tests.fixtures.crewed_table import InputRecorder
from tests.fixtures.device_inputs import Script
from tests.fixtures.journal_files import write
from tests.fixtures.journal_table import SIGNER, findings, report
from tests.fixtures.loop_table import loop_table
from tests.fixtures.state_table import StateTable

KEY = SealKey(bytes(range(32)))
ROUND = "1:main=500 2:main=500 close 5h 7d Kc 1:stand 2:stand pay"
Change = Callable[[dict[str, Any]], object]
BY_SIGNER = VerifyDemands(public=SIGNER.public)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The journal of one round."""
    found = tmp_path / "table.db"
    play(found, ROUND)
    return found


def play(path: Path, tokens: str, *more: Input, most: int = ROLL_ROWS) -> None:
    """A table of Easy Jack; a file is closed when it has `most` rows."""
    script = Script("easy-jack", options={"burn_cards": 0})
    with loop_table(path, script.started(), key=KEY, signer=SIGNER, most=most) as table:
        table.apply(*list(script.opening())[1:], script.loaded(8))
        teller = StateTable.of(table.table.state, script)
        for token in tokens.split():
            table.apply(teller.event(token))
        table.apply(*more)


def edited(path: Path, *changes: tuple[str, Change]) -> list[JournalRow]:
    """The journal with the last row of each kind changed, chained and signed anew with the table's key."""
    entries = list(History(path).rows())
    contents = [entry.content for entry in entries]
    for kind, change in changes:
        place = max(at for at, content in enumerate(contents) if content.kind == kind)
        body = json.loads(contents[place].body)
        change(body)
        contents[place] = replace(contents[place], body=json.dumps(body))
    return rewritten(path, contents)


def rewritten(path: Path, contents: Sequence[RowContent]) -> list[JournalRow]:
    made = list[JournalRow]()
    for content in contents:
        head = made[-1] if made else None
        signed = checkpoint(SIGNER, content.at, head) if head and content.kind == CHECKPOINT else content
        made += chain_rows(head, [signed])
    write(path, made)
    return made


def put(**fields: object) -> Change:
    return lambda body: body.update(fields)


def dealt(body: dict[str, Any], card: str) -> None:
    """The ended round with another card of the dealer's."""
    body["round"]["dealer"]["cards"] = [
        card if each == "Kc" else each for each in body["round"]["dealer"]["cards"]
    ]
    body["script"]["script"] = [card if each == "Kc" else each for each in body["script"]["script"]]


def seals(path: Path) -> list[tuple[int, str]]:
    """The findings about sealed cards: row, and what is wrong with it."""
    found = findings(path, BY_SIGNER)
    return [(row, text.rpartition(f"row {row}: ")[2]) for about, row, text in found if about == "seal"]


def row_of(path: Path, kind: str) -> int:
    """The last row of a kind."""
    return max(entry.row for entry in History(path).rows() if entry.content.kind == kind)


def box_row(path: Path) -> int:
    return next(entry.row for entry in History(path).rows() if seal_in(entry))


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("game", GAMES)
def test_what_a_table_seals_and_opens_is_whole(tmp_path: Path, game: str, seed: int) -> None:
    recorder = InputRecorder(game, seed)
    recorder.play_by_chance()
    with loop_table(tmp_path / "t.db", recorder.script.started(), key=KEY, signer=SIGNER) as table:
        table.apply(*recorder.inputs[1:])
    found = report(tmp_path / "t.db", BY_SIGNER)
    assert found.findings == ()
    assert found.summary.opened == 1


@pytest.mark.parametrize("opened_too", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_another_card_than_the_sealed_one_is_found_in_every_game(
    tmp_path: Path, game: str, opened_too: bool
) -> None:
    """Everything that names the dealer's face-down card names another one, with and without the row that
    opens it; all rows are chained and signed anew."""
    path, recorder = tmp_path / "t.db", InputRecorder(game, 2)
    recorder.play_by_chance()
    with loop_table(path, recorder.script.started(), key=KEY, signer=SIGNER) as table:
        table.apply(*recorder.inputs[1:])
    contents = [entry.content for entry in History(path).rows()]
    opened = row_of(path, OPENED)
    hole = json.loads(contents[opened - 1].body)["card"]
    other = "2c" if hole != "2c" else "3d"
    for place, content in enumerate(contents):
        if content.kind in {"revealed", "round"} or (opened_too and content.kind == OPENED):
            changed = content.body.replace(f'"{hole}"', f'"{other}"')
            contents[place] = replace(content, body=changed)
    rewritten(path, contents)
    found = dict(seals(path))
    if opened_too:
        says = f"it opens the card of row {box_row(path)} as {other}, but another card was sealed"
        assert found[opened] == says
    else:
        says = found[row_of(path, "round")]
        assert re.fullmatch(
            rf"the dealer has .*{other}.*, but row {box_row(path)} was sealed with {hole}", says
        )


def test_a_round_that_was_signed_anew_as_it_was_is_whole(path: Path) -> None:
    edited(path)
    assert findings(path, BY_SIGNER) == []


def test_a_round_in_play_is_whole_while_its_card_is_sealed(tmp_path: Path) -> None:
    play(tmp_path / "t.db", "1:main=500 2:main=500 close 5h 7d Kc 1:stand")
    assert findings(tmp_path / "t.db", BY_SIGNER) == []


def test_a_revealed_card_that_is_not_the_sealed_one_is_found(path: Path) -> None:
    """All that people saw is changed, the row that opens the card is not."""
    edited(path, ("revealed", put(card="Ts")), ("round", lambda body: dealt(body, "Ts")))
    sealed = f"row {box_row(path)} was sealed with Kc"
    assert seals(path) == [
        (row_of(path, "revealed"), f"the dealer turns Ts, but {sealed}"),
        (row_of(path, "round"), f"the dealer has Ts, but {sealed}"),
    ]


def test_an_opened_card_that_is_not_the_sealed_one_is_found(path: Path) -> None:
    """All rows agree but the box."""
    edited(
        path,
        ("revealed", put(card="Ts")),
        ("round", lambda body: dealt(body, "Ts")),
        (OPENED, put(card="Ts")),
    )
    says = f"it opens the card of row {box_row(path)} as Ts, but another card was sealed"
    assert seals(path) == [(row_of(path, OPENED), says)]


OF_OTHER_ROW = KEY.card_key(KEY.seal("Kc", 18, 1, "face down", bytes(32)))


@pytest.mark.parametrize("key", [bytes(32), OF_OTHER_ROW])
def test_a_key_that_does_not_open_the_box_is_found(path: Path, key: bytes) -> None:
    edited(path, (OPENED, put(key=key.hex())))
    says = f"it opens the card of row {box_row(path)} as Kc, but the key does not open it"
    assert seals(path) == [(row_of(path, OPENED), says)]


def test_a_card_that_is_never_opened_is_found(path: Path) -> None:
    """Another row is in the place of the one that opens it, so that the numbers of the others stay."""
    contents = [entry.content for entry in History(path).rows()]
    place = next(at for at, content in enumerate(contents) if content.kind == OPENED)
    contents[place] = replace(contents[place], kind="resumed", body="{}")
    rewritten(path, contents)
    says = f"the sealed card of row {box_row(path)} was never opened"
    assert seals(path) == [(row_of(path, "snapshot"), says)]


def test_a_row_that_opens_what_was_not_sealed_is_found(path: Path) -> None:
    contents = [entry.content for entry in History(path).rows()]
    place = next(at for at, content in enumerate(contents) if content.kind == "resumed")
    opened = next(content for content in contents if content.kind == OPENED)
    contents[place] = replace(opened, body=opened.body.replace(f'"row":{box_row(path)}', '"row":3'))
    rewritten(path, contents)
    assert seals(path) == [(place + 1, "it opens the card of row 3, but no sealed card is there")]


def test_a_box_that_was_moved_to_another_row_is_found(path: Path) -> None:
    """The card before is said to have come behind it."""
    contents = [entry.content for entry in History(path).rows()]
    moved = box_row(path) - 1
    contents[moved - 1], contents[moved] = contents[moved], contents[moved - 1]
    rewritten(path, contents)
    edited(path, (OPENED, put(row=moved)))
    says = f"it opens the card of row {moved} as Kc, but the key does not open it"
    assert seals(path) == [(row_of(path, OPENED), says)]


def test_a_row_whose_key_is_no_key_makes_no_sense(path: Path) -> None:
    edited(path, (OPENED, put(key="not hexadecimal")))
    assert any("makes no sense as a row of kind opened" in text for _, _, text in findings(path))


def test_the_card_of_a_void_round_is_compared_too(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    play(path, "1:main=500 close 5h Kc", Supervisor("void", "Ann", "a drink was spilled", None))
    assert findings(path, BY_SIGNER) == []
    edited(path, (OPENED, put(card="Ts")))
    assert [row for row, _ in seals(path)] == [row_of(path, OPENED)]


def test_sealed_cards_are_followed_over_several_files(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    play(path, "1:main=500 close 5h Kc 1:stand pay 1:main= " * 4, most=30)
    found = report(path, BY_SIGNER)
    assert found.files > 1
    assert found.findings == ()
    assert found.summary.opened == 4
