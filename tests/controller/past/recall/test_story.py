"""All that is kept of one ended round."""

from dataclasses import replace
from pathlib import Path

import pytest

from controller.journal.errors import JournalError
from controller.journal.history import entries
from controller.past.export.evidence import evidence
from controller.past.export.proof import prove
from controller.past.recall.query import Wanted
from controller.past.recall.search import search
from controller.past.recall.story import NoRound, scenes, story
from controller.past.recall.summary import Net
from controller.past.replay.rounds import rounds
from controller.table.people.decisions import foresee
from controller.table.record.events import DealerOn, Supervisor
from tests.controller.past.export.exporting import FIRST, SECOND, sign
from tests.controller.past.export.test_corrections import correct
from tests.controller.table.requests.asking import granted, wish
from tests.fixtures.journal_files import overwrite
from tests.fixtures.played_journal import house, journal
from tests.fixtures.played_views import PAID
from tests.fixtures.random_nights import kept

FILES = (12, 9, 7)


def test_each_round_of_each_file(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    kept(path, files=FILES)
    found = {each.number: each for each in rounds(entries(path)) if not each.corrected}
    says = {each.number: each.ended.round for each in rounds(entries(path))}
    assert len(found) == sum(FILES)
    for number in (1, 12, 13, 21, 22, 28):
        told, each = story(path, number), found[number]
        assert (told.line.number, told.line.at, told.shown) == (number, each.at, says[number])
        assert (told.ended or told.shown) == each.ended.round
        assert (told.previous, told.next) == (number - 1, number + 1 if number < sum(FILES) else 0)
        assert told.evidence.hash == evidence(prove(entries(path), number)).hash
        assert not told.unplayed


def test_who_dealt_and_how_long_it_took(tmp_path: Path) -> None:
    with house(tmp_path) as at:
        at.tell(DealerOn("Ann"))
        at.tell(DealerOn("Dana"))
        at.play("1:main=500 2:main=700 close 5h 7d")
        at.tell(DealerOn("Jo"))
        at.play("Tc 6s 2:stand pay")
    told = story(journal(tmp_path), 1)
    assert (told.croupiers, told.line.croupier) == (("Dana", "Jo"), "Jo")
    assert (told.closed, told.line.at) == (1000.0, 1000.0)
    assert told.line.nets == (Net(1, 500), Net(2, -700))


def test_what_was_put_right_says_who_why_before_and_after(tmp_path: Path) -> None:
    with house(tmp_path) as at:
        at.play(FIRST)
        at.clear()
        at.play(SECOND)
        correct(at)
    told = story(journal(tmp_path), 1)
    (correction,) = told.corrections
    said = correction.said
    assert (said.who, said.second, said.why, said.old, said.new) == ("Ann", "Bob", "seen on film", "6s", "9s")
    assert (said.before[0].reason, said.after[0].reason) == ("11 beats dealer's 10", "bust with 14")
    assert told.ended is not None
    assert (told.ended.lines, told.shown.lines) == (said.before, said.after)
    assert story(journal(tmp_path), 2).corrections == ()


def test_what_was_put_right_while_it_was_played(tmp_path: Path) -> None:
    with house(tmp_path) as at:
        at.play("1:main=500 2:main=700 close 5h 7d Tc")
        said = Supervisor("correct", "Ann", "seen", "6h", seat=1, number=1, old="5h")
        at.tell(replace(said, token=foresee(at.state, said).token))
        at.play("6s 2:stand pay")
    told = story(journal(tmp_path), 1)
    assert [each.said.new for each in told.corrections] == ["6h"]
    assert (told.ended, told.line.corrected) == (None, True)


def test_who_asked_who_agreed_and_who_decided(tmp_path: Path) -> None:
    with house(tmp_path) as at:
        at.play(FIRST)
        at.clear()
        at.play("4:main=0 close Ah")
        at.tell(wish("void", "Dana"), granted(1, "Ann"))
        at.play("pay")
        at.clear()
        at.play(FIRST)
    path = journal(tmp_path)
    assert [line.number for line in search(path, Wanted(person="ann")).rounds] == [2]
    assert [(line.persons, line.text) for line in story(path, 2).said] == [
        (("Dana",), "request 1: void: asked for"),
        (("Dana", "Ann"), "request 1, void, granted by Ann"),
    ]
    assert story(path, 1).said == story(path, 3).said == ()


def test_a_share_of_a_jackpot_and_its_claim(tmp_path: Path) -> None:
    with house(tmp_path, "blackjack-x") as at:
        at.play(PAID)
        sign(at)
    told = story(journal(tmp_path), 1)
    assert [(share.claim, share.seat, share.cents) for share in told.won] == [(1, 1, 100_004)]
    assert told.line.jackpot == 100_004
    assert [jackpot.cents for jackpot in told.shown.jackpots] == [1_000_045]


def test_the_round_in_play_is_not_told(tmp_path: Path) -> None:
    with house(tmp_path) as at:
        at.play(f"{FIRST} close 5h 7d Tc")
    with pytest.raises(NoRound, match="round 2 is not in the journal: it has not ended yet"):
        story(journal(tmp_path), 2)
    with pytest.raises(NoRound):
        scenes(journal(tmp_path), 3)


def test_damage_within_it_is_told(tmp_path: Path) -> None:
    kept(tmp_path / "t.db", files=FILES)
    overwrite(tmp_path / "t.db", b'"action":"close"', b'"action":"clase"')
    with pytest.raises(JournalError, match=r"t\.db is damaged: row \d+ does not follow from the one before"):
        story(tmp_path / "t.db", 28)
