"""An export of the round in play does not depend on the face-down card."""

import json
from pathlib import Path

import pytest

from controller.table.record.kinds import KINDS
from controller.table.record.message_kinds import BY_NAME
from tests.controller.past.export.exporting import FIRST, append_checkpoint, export, rows
from tests.fixtures.played_journal import played_table

GAMES = {
    # game: a round up to the face-down card, which is the token {}, and on until just before it is turned
    "easy-jack": "1:main=500 2:main=700 close 5h 7d {}",
    "blackjack-x": "1:main=500 1:blazing-7s=100 close 7d 7d 7d {} 1:hit 2c",
    "ez-bust": "1:main=1000 close 8h 6d 8s {} 1:ez-bust=500",
}
OTHERS = ("9c", "Qh")
WAYS = [
    ["--format", "jsonl"],
    ["--format", "jsonl", "--round", "2"],
    ["--format", "csv"],
    ["--format", "csv", "--what", "meters"],
    ["--format", "csv", "--what", "alerts"],
]


def played(folder: Path, game: str, hidden: str) -> list[bytes]:
    """Everything that comes out: standard output, standard error, and files."""
    folder.mkdir()
    with played_table(folder, game) as at:
        at.play("1:main=500 close")
        at.supervise("void")
        at.clear()
        assert at.state.number == 2
        at.play(GAMES[game].format(hidden))
        append_checkpoint(at)
        found = [export(folder, *way) for way in WAYS]
        file = folder / "file"
        tar = export(folder, "--evidence", "1", "--output", str(file))
        assert {result.exit_code for result in (*found, tar)} == {0}
        refused = export(folder, "--evidence", "2", "--output", str(file))
        assert (refused.exit_code, refused.stderr) == (
            1,
            "tableside: round 2 is not there, or has not ended yet; there is round 1\n",
        )
    texts = [part for result in found for part in (result.stdout_bytes, result.stderr_bytes)]
    return [*texts, tar.stderr_bytes, refused.stderr_bytes, file.read_bytes()]


@pytest.mark.parametrize("game", GAMES)
def test_no_exported_byte_depends_on_the_face_down_card(tmp_path: Path, game: str) -> None:
    one, other = (played(tmp_path / card, game, card) for card in OTHERS)
    assert one == other
    assert any(b"round 2 has not ended yet: rows from" in text for text in one)


def test_an_ended_round_is_exported_whole(tmp_path: Path) -> None:
    with played_table(tmp_path) as at:
        at.play("1:main=500 close 5h")
        before = rows(tmp_path)
        at.play("Tc 6s pay")
        after = rows(tmp_path)
    assert after[: len(before)] == before
    assert not [row for row in before if "card_drawn" in json.dumps(row["body"])]
    drawn = [row["body"]["body"]["card_drawn"] for row in after if "card_drawn" in str(row["body"])]
    assert [each.get("card") for each in drawn] == ["5h", None, "6s"]
    assert [row["body"]["card"] for row in after if row["kind"] == "opened"] == ["Tc"]


def test_a_void_round_is_exported_whole(tmp_path: Path) -> None:
    with played_table(tmp_path) as at:
        at.play("1:main=500 close 5h Tc")
        at.supervise("void", why="cards fell down")
        found = rows(tmp_path, "--round", "1")
    assert found[-1]["kind"] == "round"
    assert "card_drawn" in str(found)


def test_inputs_between_rounds_are_exported(tmp_path: Path) -> None:
    with played_table(tmp_path) as at:
        at.play(FIRST)
        at.clear()
        at.play("3:main=500")
        result = export(tmp_path)
        assert result.stderr == ""
        assert '"seat":3' in result.stdout.splitlines()[-1]


def test_a_card_that_waits_is_withheld_with_all_behind_it(tmp_path: Path) -> None:
    with played_table(tmp_path) as at:
        at.play(FIRST)
        at.clear()
        at.apply(at.script.card("Qs"))
        at.play("3:main=500")
        result = export(tmp_path)
    assert "Qs" not in result.stdout
    assert '"wager":{"seat":3' not in result.stdout
    assert "round 2 has not ended yet" in result.stderr


def test_kinds_of_rows_are_exported_except_play_and_people() -> None:
    withheld = {
        "access",
        "cards missing",
        "console key",
        "key undone",
        "lamp",
        "lamp test",
        "opened",
        "peek",
        "permit",
        "refusal",
        "revealed",
        "round",
        "settlement",
        "test mode",
    }
    assert {kind.name for kind in KINDS if not kind.before_cards} == withheld


def test_device_events_are_exported_except_keys_and_cards() -> None:
    cards = {"card_drawn", "card_unreadable", "card_unpermitted", "card_interrupted"}
    assert {name for name, kind in BY_NAME.items() if not kind.before_cards} == {*cards, "key"}
