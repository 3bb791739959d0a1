"""A round step by step: the steps of `tableside journal replay`, and the felt at each of them."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from controller.currency.formatting import amount_text
from controller.games import GAMES
from controller.journal.history import History
from controller.past.recall.scenes import FACE_DOWN, OPENING, RoundSteps, round_steps
from controller.past.recall.story import round_story, steps_of_round
from controller.past.replay.rounds import ended_rounds
from controller.past.replay.steps import steps
from controller.table.record.codec import to_json
from controller.table.record.events import ConsoleKey, DeviceLost, DeviceRunning
from controller.table.record.views import HIDDEN
from controller.table.view.round_view import seats
from drivers.messages import CardDrawn, CardUnpermitted, CardUnreadable
from tests.controller.journal.test_older_versions import OLD
from tests.fixtures.played_journal import PlayedTable, journal, played_table
from tests.fixtures.played_views import PAID
from tests.fixtures.random_nights import kept

SEEDS = {game: number for number, game in enumerate(sorted(GAMES), 1)}


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_steps_are_those_of_replay(tmp_path: Path, game: str) -> None:
    kept(tmp_path / "t.db", SEEDS[game], (4, 3), game)
    found = [each for each in ended_rounds(History(tmp_path / "t.db").rows()) if not each.corrected]
    assert len(found) == 7
    for each in found:
        opening, *scene_list = steps_of_round(tmp_path / "t.db", each.number).scenes
        assert (opening.came, opening.felt.phase) == (OPENING, "betting")
        replayed = steps(each, amount_text)
        assert [(one.at, one.due, one.gave) for one in scene_list] == [
            (one.at, one.due, one.gave) for one in replayed
        ]
        down = [one.came for one, other in zip(scene_list, replayed, strict=True) if one.came != other.came]
        assert down == [FACE_DOWN[CardDrawn]] * len(down)
        assert len(down) <= 1


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_last_scene_is_the_round_as_it_ended(tmp_path: Path, game: str) -> None:
    kept(tmp_path / "t.db", SEEDS[game], (5,), game)
    for each in ended_rounds(History(tmp_path / "t.db").rows()):
        if not each.corrected:
            shown, last = each.ended.round, steps_of_round(tmp_path / "t.db", each.number).scenes[-1].felt
            assert (last.dealer, last.seats, last.lines) == (shown.dealer, shown.seats, shown.lines)
            assert (last.phase, last.jackpots) == ("over", shown.jackpots)


def test_cards_come_to_the_felt_one_by_one(tmp_path: Path) -> None:
    with played_table(tmp_path, "blackjack-x") as at:
        at.play(PAID)
    scene_list = steps_of_round(journal(tmp_path), 1).scenes
    lying = [
        len(one.felt.dealer.cards) + sum(len(hand.cards) for seat in one.felt.seats for hand in seat.hands)
        for one in scene_list
    ]
    assert all(later - earlier in (0, 1) for earlier, later in pairwise(lying))
    drawn = " ".join(one.card for one in scene_list if one.card)
    assert drawn == "7s As 7c 8d 7s 7s Ks 9c 8d ?? Th 5h 4d 5d"


def test_lamps_prompt_and_keys_are_as_they_were(tmp_path: Path) -> None:
    with played_table(tmp_path) as at:
        at.play("1:main=500 2:main=700 close 5h 7d Tc 6s")
        lit = [[spot.lamp for spot in seat.spots] for seat in seats(at.state)]
        prompt = at.prompt
        at.play("2:stand pay")
    felts = {one.came: one.felt for one in steps_of_round(journal(tmp_path), 1).scenes}
    assert [[spot.lamp for spot in seat.spots] for seat in felts["6s"].seats] == lit
    assert (felts["6s"].prompt, felts["2:stand"].keys) == (prompt, ("pay",))


def test_a_key_on_the_screen_is_a_step(tmp_path: Path) -> None:
    with played_table(tmp_path) as at:
        at.play("1:main=500 2:main=700 close 5h 7d Tc 6s")
        at.apply(ConsoleKey("stand", 2, 0, "Dana"))
        at.play("pay")
    assert [one.came for one in steps_of_round(journal(tmp_path), 1).scenes][-2:] == ["2:stand", "pay"]


def unreadable(at: PlayedTable) -> None:
    at.script.cards += 1
    at.apply(at.script.event("shoe", CardUnreadable(at.script.cards)))
    at.supervise("card", "Tc")


def unpermitted(at: PlayedTable) -> None:
    at.apply(DeviceLost("sensors", "it is gone"))
    at.script.cards += 1
    at.apply(at.script.event("shoe", CardUnpermitted(at.script.cards, "Tc")), DeviceRunning("sensors"))
    at.supervise("resume")
    at.supervise("card")


def dealt(at: PlayedTable) -> None:
    at.play("Tc")


@pytest.mark.parametrize("ends", ["settled", "void"])
@pytest.mark.parametrize("comes", [dealt, unreadable, unpermitted])
def test_a_card_has_no_name_before_it_is_turned(
    tmp_path: Path, comes: Callable[[PlayedTable], None], ends: str
) -> None:
    with played_table(tmp_path) as at:
        at.play("1:main=500 2:main=700 close 5h 7d")
        comes(at)
        if ends == "void":
            at.supervise("void")
        at.play("6s 2:stand pay" if ends == "settled" else "pay")
    scene_list = steps_of_round(journal(tmp_path), 1).scenes
    hidden = [number for number, one in enumerate(scene_list) if HIDDEN in one.felt.dealer.cards]
    assert hidden
    assert not [one for one in scene_list[: hidden[-1] + 1] if "Tc" in to_json(one)]
    assert "Tc" in scene_list[-1].felt.dealer.cards
    assert "Tc" not in [drawn.card for drawn in round_story(journal(tmp_path), 1).drawn]


def test_a_round_of_an_older_version_has_its_scenes(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    shutil.copy(OLD / "easy-jack-only.db", path)
    scene_list = steps_of_round(path, 4)
    assert (scene_list.unplayed, scene_list.scenes[-1].felt.phase) == ("", "over")


def test_rows_that_nobody_can_replay_say_so() -> None:
    ended = next(ended_rounds(History(OLD / "easy-jack-only.db").rows()))
    assert round_steps(replace(ended, rows=())) == RoundSteps(
        (), "The journal keeps nothing of what came before its end"
    )
    assert "round 1 cannot be replayed" in round_steps(replace(ended, rows=ended.rows[1:])).unplayed
