"""The story of one ended round."""

from dataclasses import replace
from pathlib import Path

import pytest

from controller.journal.errors import JournalError
from controller.journal.history import History
from controller.past.export.evidence import evidence
from controller.past.export.proof import prove
from controller.past.recall.query import RoundQuery
from controller.past.recall.search import search
from controller.past.recall.story import RoundNotFound, round_story, steps_of_round
from controller.past.recall.summary import SeatNet
from controller.past.replay.rounds import ended_rounds
from controller.table.people.decisions import preview_decision
from controller.table.record.events import DealerOn, Supervisor
from tests.controller.past.export.exporting import FIRST, SECOND, append_checkpoint
from tests.controller.past.export.test_corrections import correct
from tests.controller.table.requests.asking import granted, make_request
from tests.fixtures.journal_files import build, overwrite
from tests.fixtures.played_journal import journal, played_table
from tests.fixtures.played_views import PAID
from tests.fixtures.random_nights import kept

FILES = (12, 9, 7)


def test_every_round_of_every_file_has_its_story(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    kept(path, files=FILES)
    found = {each.number: each for each in ended_rounds(History(path).rows()) if not each.corrected}
    says = {each.number: each.ended.round for each in ended_rounds(History(path).rows())}
    assert len(found) == sum(FILES)
    for number in (1, 12, 13, 21, 22, 28):
        shown, each = round_story(path, number), found[number]
        assert (shown.line.number, shown.line.at, shown.shown) == (number, each.at, says[number])
        assert (shown.ended or shown.shown) == each.ended.round
        assert (shown.previous, shown.next) == (number - 1, number + 1 if number < sum(FILES) else 0)
        assert shown.evidence.hash == evidence(prove(History(path).rows(), number)).hash
        assert not shown.unplayed


def test_the_story_names_the_dealer_and_the_duration(tmp_path: Path) -> None:
    with played_table(tmp_path) as at:
        at.apply(DealerOn("Ann"))
        at.apply(DealerOn("Dana"))
        at.play("1:main=500 2:main=700 close 5h 7d")
        at.apply(DealerOn("Jo"))
        at.play("Tc 6s 2:stand pay")
    shown = round_story(journal(tmp_path), 1)
    assert (shown.croupiers, shown.line.croupier) == (("Dana", "Jo"), "Jo")
    assert (shown.closed, shown.line.at) == (1000.0, 1000.0)
    assert shown.line.nets == (SeatNet(1, 500), SeatNet(2, -700))


def test_a_correction_names_person_reason_before_and_after(tmp_path: Path) -> None:
    with played_table(tmp_path) as at:
        at.play(FIRST)
        at.clear()
        at.play(SECOND)
        correct(at)
    shown = round_story(journal(tmp_path), 1)
    (correction,) = shown.corrections
    said = correction.said
    assert (said.who, said.second, said.why, said.old, said.new) == ("Ann", "Bob", "seen on film", "6s", "9s")
    assert (said.before[0].reason, said.after[0].reason) == ("11 beats dealer's 10", "bust with 14")
    assert shown.ended is not None
    assert (shown.ended.lines, shown.shown.lines) == (said.before, said.after)
    assert round_story(journal(tmp_path), 2).corrections == ()


def test_a_correction_during_the_round_is_in_its_story(tmp_path: Path) -> None:
    with played_table(tmp_path) as at:
        at.play("1:main=500 2:main=700 close 5h 7d Tc")
        said = Supervisor("correct", "Ann", "seen", "6h", seat=1, number=1, old="5h")
        at.apply(replace(said, token=preview_decision(at.state, said).token))
        at.play("6s 2:stand pay")
    shown = round_story(journal(tmp_path), 1)
    assert [each.said.new for each in shown.corrections] == ["6h"]
    assert (shown.ended, shown.line.corrected) == (None, True)


def test_the_story_names_who_asked_granted_and_decided(tmp_path: Path) -> None:
    with played_table(tmp_path) as at:
        at.play(FIRST)
        at.clear()
        at.play("4:main=0 close Ah")
        at.apply(make_request("void", "Dana"), granted(1, "Ann"))
        at.play("pay")
        at.clear()
        at.play(FIRST)
    path = journal(tmp_path)
    assert [line.number for line in search(path, RoundQuery(person="ann")).rounds] == [2]
    assert [(line.persons, line.text) for line in round_story(path, 2).said] == [
        (("Dana",), "request 1: void: asked for"),
        (("Dana", "Ann"), "request 1, void, granted by Ann"),
    ]
    assert round_story(path, 1).said == round_story(path, 3).said == ()


def test_the_story_has_a_jackpot_share_and_its_claim(tmp_path: Path) -> None:
    with played_table(tmp_path, "blackjack-x") as at:
        at.play(PAID)
        append_checkpoint(at)
    shown = round_story(journal(tmp_path), 1)
    assert [(share.claim, share.seat, share.cents) for share in shown.won] == [(1, 1, 100_004)]
    assert shown.line.jackpot == 100_004
    assert [jackpot.cents for jackpot in shown.shown.jackpots] == [1_000_045]


def test_the_round_in_play_has_no_story(tmp_path: Path) -> None:
    with played_table(tmp_path) as at:
        at.play(f"{FIRST} close 5h 7d Tc")
    with pytest.raises(RoundNotFound, match="round 2 is not in the journal: it has not ended yet"):
        round_story(journal(tmp_path), 2)
    with pytest.raises(RoundNotFound):
        steps_of_round(journal(tmp_path), 3)


def test_damage_within_a_round_is_reported(tmp_path: Path) -> None:
    kept(tmp_path / "t.db", files=FILES)
    overwrite(tmp_path / "t.db", b'"action":"close"', b'"action":"clase"')
    with pytest.raises(JournalError, match=r"t\.db is damaged: row \d+ does not follow from the one before"):
        round_story(tmp_path / "t.db", 28)


def test_the_story_says_when_the_face_down_card_was_sealed_and_opened(tmp_path: Path) -> None:
    with played_table(tmp_path) as at:
        at.play("1:main=500 close 5h Tc 6s 1:stand pay")
    path = journal(tmp_path)
    (seal,) = round_story(path, 1).seals
    assert (seal.card, seal.hole, seal.same) == ("Tc", True, True)
    rows = {row.row: row.content for row in History(path).rows()}
    assert '"sealed":' in rows[seal.row].body
    assert rows[seal.opened_row].kind == "opened"
    assert (seal.sealed, seal.opened) == (rows[seal.row].at, rows[seal.opened_row].at)


def test_the_story_says_that_another_card_was_opened(tmp_path: Path) -> None:
    with played_table(tmp_path) as at:
        at.play("1:main=500 close 5h Tc 6s 1:stand pay")
    contents = [row.content for row in History(journal(tmp_path)).rows()]
    edited = [
        replace(row, body=row.body.replace('"card":"Tc","key"', '"card":"9c","key"')) for row in contents
    ]
    build(tmp_path / "edited.db", [edited])
    (seal,) = round_story(tmp_path / "edited.db", 1).seals
    assert (seal.card, seal.same) == ("9c", False)
