"""What a slip tells, out of journals that were played."""

from pathlib import Path

import pytest

from controller.journal.errors import JournalError
from controller.past.slips.page import page
from controller.past.slips.slip import NoClaim
from controller.table.record.codec import snapshot_row
from tests.controller.past.export.exporting import export, sign
from tests.controller.past.slips.jackpot_hit import STEPS, end, found, hit, say
from tests.fixtures.loop_table import stage
from tests.fixtures.played_journal import house, journal


def test_while_the_round_goes_on_without_evidence(tmp_path: Path) -> None:
    with hit(tmp_path) as at:
        told = found(tmp_path)
        rows = {entry.row: entry for entry in at.staged.journal.since(0)}
    assert (told.claim.number, told.claim.seat, told.claim.round) == (1, 1, 1)
    assert (told.claim.cents, told.claim.state, told.evidence) == (1_000_015, "pending", "")
    assert told.claim.cards == ("7d", "7d", "7d")
    assert (rows[told.row].content.kind, told.hash) == ("claim", b"")


def test_the_row_of_the_hit_and_its_hash(tmp_path: Path) -> None:
    with hit(tmp_path) as at:
        end(at)
        told = found(tmp_path)
        rows = {entry.row: entry for entry in at.staged.journal.since(0)}
    assert (rows[told.row].content.kind, rows[told.row].hash) == ("claim", told.hash)


def test_no_byte_differs_for_another_face_down_card(tmp_path: Path) -> None:
    pages = set()
    for card in ("Ts", "2c"):
        (tmp_path / card).mkdir()
        with house(tmp_path / card, "blackjack-x") as at:
            at.play(f"1:main=1000 1:blazing-7s=100 close 7d 7d 7d {card}")
            sign(at)
            say(at, *STEPS)
            pages.add(page(found(tmp_path / card)))
    assert len(pages) == 1


def test_each_step_has_its_time_and_its_person(tmp_path: Path) -> None:
    with hit(tmp_path) as at:
        end(at)
        for place in range(len(STEPS) + 1):
            told = found(tmp_path)
            states = ("pending", "confirmed", "checked", "verified", "paid")
            assert told.claim.state == states[place]
            assert dict(told.times) == dict.fromkeys(states[: place + 1], 1000.0)
            say(at, *STEPS[place : place + 1])
    signed = told.claim.dealer, told.claim.supervisor, told.claim.second, told.claim.payer
    assert signed == tuple(who for _, who in STEPS)


def evidence(folder: Path) -> str:
    result = export(folder, "--evidence", "1", "--output", str(folder / "x.tar"))
    return result.stderr.strip().removeprefix("tableside: evidence ")


def test_evidence_is_that_of_the_export_and_stays(tmp_path: Path) -> None:
    with hit(tmp_path) as at:
        at.play("1:stand pay")
        sign(at)
        at.clear()
        first = found(tmp_path).evidence
        assert len(first) == 64
        assert first == evidence(tmp_path)
        say(at, *STEPS)
        at.play("1:main=500 close")
    assert found(tmp_path).evidence == evidence(tmp_path) == first
    with stage(journal(tmp_path), at.script.started()) as staged:
        at.come_back(staged)
        sign(at)
    assert found(tmp_path).evidence == evidence(tmp_path) == first


def test_a_later_round_after_a_restart(tmp_path: Path) -> None:
    with hit(tmp_path) as at:
        end(at)
    with stage(journal(tmp_path), at.script.started()) as staged:
        at.come_back(staged)
        at.play("2:main=1000 close 9h 9s 8d Ts 2:stand pay")
        at.clear()
        say(at, *STEPS)
        at.play("3:main=1000 3:blazing-7s=100 close 7s 7s 7s Ts 3:stand pay")
        at.clear()
        at.play("3:main=500")
    told = found(tmp_path, 2)
    assert (told.claim.round, told.claim.seat) == (3, 3)
    result = export(tmp_path, "--evidence", "3", "--output", str(tmp_path / "x.tar"))
    assert result.stderr.strip().endswith(told.evidence)
    assert len(told.evidence) == 64


def test_one_that_is_not_there(tmp_path: Path) -> None:
    with hit(tmp_path), pytest.raises(NoClaim, match="claim 2 is not in the journal"):
        found(tmp_path, 2)


def test_no_journal(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="is not there"):
        found(tmp_path)


def test_a_changed_row_of_the_round_is_found(tmp_path: Path) -> None:
    with hit(tmp_path) as at:
        end(at)
    whole = journal(tmp_path).read_bytes()
    place = whole.rindex(b'{"card_drawn":{"count":4,')
    journal(tmp_path).write_bytes(whole[:place] + b'{"card_drawn":{"count":5,' + whole[place + 25 :])
    with pytest.raises(JournalError, match=r"is damaged: row \d+ does not follow from the one before"):
        found(tmp_path)


def test_a_claim_whose_round_lies_in_a_closed_file(tmp_path: Path) -> None:
    with hit(tmp_path) as at:
        at.play("1:stand pay")
        sign(at)
        at.clear()
        before = found(tmp_path)
        at.staged.journal.roll([snapshot_row(1000.0, at.state)])
        say(at, *STEPS[:1])
        told = found(tmp_path)
    assert (told.row, told.hash, told.evidence) == (before.row, before.hash, before.evidence)
    assert (told.claim.state, told.table) == ("confirmed", before.table)
    assert told.evidence == evidence(tmp_path)
