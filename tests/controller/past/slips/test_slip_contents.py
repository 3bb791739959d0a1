"""The content of a slip, from played journals."""

import re
from datetime import UTC
from pathlib import Path

import pytest

from controller.journal.errors import JournalError
from controller.past.anchor import Anchor
from controller.past.slips.page import slip_html
from controller.past.slips.slip import ClaimNotFound
from controller.table.record.codec import to_row
from controller.table.record.notes import Overridden
from controller.table.state.snapshot import snapshot_row
from tests.controller.past.export.exporting import append_checkpoint, export
from tests.controller.past.slips.jackpot_hit import STEPS, end, jackpot_hit, slip_of, take_steps
from tests.fixtures.journal_table import run
from tests.fixtures.loop_table import loop_table
from tests.fixtures.played_journal import PlayedTable, journal, played_table


def test_a_slip_during_the_round_has_no_evidence(tmp_path: Path) -> None:
    with jackpot_hit(tmp_path) as at:
        paper = slip_of(tmp_path)
        rows = {entry.row: entry for entry in at.loop.journal.since(0)}
    assert (paper.claim.number, paper.claim.seat, paper.claim.round) == (1, 1, 1)
    assert (paper.claim.cents, paper.claim.state, paper.evidence) == (1_000_015, "pending", "")
    assert paper.claim.cards == ("7d", "7d", "7d")
    assert (rows[paper.row].content.kind, paper.hash) == ("claim", b"")


def test_a_slip_names_the_row_of_the_hit_and_its_hash(tmp_path: Path) -> None:
    with jackpot_hit(tmp_path) as at:
        end(at)
        paper = slip_of(tmp_path)
        rows = {entry.row: entry for entry in at.loop.journal.since(0)}
    assert (rows[paper.row].content.kind, rows[paper.row].hash) == ("claim", paper.hash)


def test_no_byte_differs_for_another_face_down_card(tmp_path: Path) -> None:
    pages = set()
    for card in ("Ts", "2c"):
        (tmp_path / card).mkdir()
        with played_table(tmp_path / card, "blackjack-x") as at:
            at.play(f"1:main=1000 1:blazing-7s=100 close 7d 7d 7d {card}")
            append_checkpoint(at)
            take_steps(at, *STEPS)
            pages.add(slip_html(slip_of(tmp_path / card)))
    assert len(pages) == 1


def test_a_slip_shows_what_root_decided_in_its_round_and_in_no_other(tmp_path: Path) -> None:
    with jackpot_hit(tmp_path) as at:
        append_override(at, "nobody can sign in")
        end(at)
        append_override(at, "the next round")
        page = slip_html(slip_of(tmp_path), UTC)
    (shown,) = re.findall(r'<p class="note override">(.+?)</p>', page)
    assert shown == (
        "<b>Override at 00:16:40:</b> root decided in this round without signing in. nobody can sign in"
    )


def test_a_slip_of_a_round_without_an_override_shows_none(tmp_path: Path) -> None:
    with jackpot_hit(tmp_path) as at:
        end(at)
        assert "verride" not in slip_html(slip_of(tmp_path)).partition("<main")[2]


def append_override(at: PlayedTable, why: str) -> None:
    head = at.loop.journal.head
    assert head
    at.loop.journal.append([to_row(1000.0, Overridden(head.row, why))])


def test_a_slip_anchors_the_newest_row_that_may_be_published(tmp_path: Path) -> None:
    with jackpot_hit(tmp_path) as at:
        rows = {entry.row: entry for entry in at.loop.journal.since(0)}
        key = next(row for row, entry in rows.items() if '"action":"close"' in entry.content.body)
        during = slip_of(tmp_path).anchor
        end(at)
        after = slip_of(tmp_path).anchor
        head = at.loop.journal.head
    assert during == Anchor(key - 1, rows[key - 1].hash)
    assert head
    assert after == Anchor(head.row, head.hash)


def test_the_anchor_of_a_slip_is_found_in_its_journal(tmp_path: Path) -> None:
    with jackpot_hit(tmp_path) as at:
        end(at)
        page = slip_html(slip_of(tmp_path))
    (anchor,) = re.findall(r"<dt>Anchor</dt><dd><code>([^<]+)</code>", page)
    assert run(journal(tmp_path), "--anchor", anchor).exit_code == 0
    differing = anchor[:-1] + ("0" if anchor[-1] != "0" else "1")
    assert run(journal(tmp_path), "--anchor", differing).exit_code == 1


def test_each_step_has_its_time_and_its_person(tmp_path: Path) -> None:
    with jackpot_hit(tmp_path) as at:
        end(at)
        for place in range(len(STEPS) + 1):
            paper = slip_of(tmp_path)
            states = ("pending", "confirmed", "checked", "verified", "paid")
            assert paper.claim.state == states[place]
            assert dict(paper.times) == dict.fromkeys(states[: place + 1], 1000.0)
            take_steps(at, *STEPS[place : place + 1])
    signed = paper.claim.dealer, paper.claim.supervisor, paper.claim.second, paper.claim.payer
    assert signed == tuple(who for _, who in STEPS)


def evidence(folder: Path) -> str:
    result = export(folder, "--evidence", "1", "--output", str(folder / "x.tar"))
    return result.stderr.strip().removeprefix("tableside: evidence ")


def test_the_evidence_hash_of_a_slip_is_that_of_the_export(tmp_path: Path) -> None:
    with jackpot_hit(tmp_path) as at:
        at.play("1:stand pay")
        append_checkpoint(at)
        at.clear()
        first = slip_of(tmp_path).evidence
        assert len(first) == 64
        assert first == evidence(tmp_path)
        take_steps(at, *STEPS)
        at.play("1:main=500 close")
    assert slip_of(tmp_path).evidence == evidence(tmp_path) == first
    with loop_table(journal(tmp_path), at.script.started()) as staged:
        at.reconnect(staged)
        append_checkpoint(at)
    assert slip_of(tmp_path).evidence == evidence(tmp_path) == first


def test_a_slip_of_a_later_round_after_a_restart_is_found(tmp_path: Path) -> None:
    with jackpot_hit(tmp_path) as at:
        end(at)
    with loop_table(journal(tmp_path), at.script.started()) as staged:
        at.reconnect(staged)
        at.play("2:main=1000 close 9h 9s 8d Ts 2:stand pay")
        at.clear()
        take_steps(at, *STEPS)
        at.play("3:main=1000 3:blazing-7s=100 close 7s 7s 7s Ts 3:stand pay")
        at.clear()
        at.play("3:main=500")
    paper = slip_of(tmp_path, 2)
    assert (paper.claim.round, paper.claim.seat) == (3, 3)
    result = export(tmp_path, "--evidence", "3", "--output", str(tmp_path / "x.tar"))
    assert result.stderr.strip().endswith(paper.evidence)
    assert len(paper.evidence) == 64


def test_an_unknown_claim_has_no_slip(tmp_path: Path) -> None:
    with jackpot_hit(tmp_path), pytest.raises(ClaimNotFound, match="claim 2 is not in the journal"):
        slip_of(tmp_path, 2)


def test_a_slip_without_a_journal_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="is not there"):
        slip_of(tmp_path)


def test_a_changed_row_of_the_round_is_found(tmp_path: Path) -> None:
    with jackpot_hit(tmp_path) as at:
        end(at)
    whole = journal(tmp_path).read_bytes()
    place = whole.rindex(b'{"card_drawn":{"count":4,')
    journal(tmp_path).write_bytes(whole[:place] + b'{"card_drawn":{"count":5,' + whole[place + 25 :])
    with pytest.raises(JournalError, match=r"is damaged: row \d+ does not follow from the one before"):
        slip_of(tmp_path)


def test_a_slip_of_a_round_in_a_closed_file_is_found(tmp_path: Path) -> None:
    with jackpot_hit(tmp_path) as at:
        at.play("1:stand pay")
        append_checkpoint(at)
        at.clear()
        before = slip_of(tmp_path)
        at.loop.journal.roll([snapshot_row(1000.0, at.state)])
        take_steps(at, *STEPS[:1])
        paper = slip_of(tmp_path)
    assert (paper.row, paper.hash, paper.evidence) == (before.row, before.hash, before.evidence)
    assert (paper.claim.state, paper.table) == ("confirmed", before.table)
    assert paper.evidence == evidence(tmp_path)


def test_a_slip_says_when_the_face_down_card_was_sealed_and_opened(tmp_path: Path) -> None:
    with jackpot_hit(tmp_path) as at:
        before = slip_html(slip_of(tmp_path))
        end(at)
        at.play("1:main=1000 close 7d 9d 7c 2s")
        after = slip_of(tmp_path)
    assert "sealed at" not in before
    assert after.seal is not None
    assert (after.seal.card, after.seal.round, after.seal.same) == ("Ts", 1, True)
    assert re.search(r"sealed at \d\d:\d\d:\d\d, opened at \d\d:\d\d:\d\d: the same card", slip_html(after))
