"""The table at a glance: what it does, and whether it needs its supervisor."""

from dataclasses import replace

import pytest

from controller.monitor.device_states import StatusMark
from controller.monitor.supervisor.device_marks import DeviceMark, device_mark, freshness
from controller.monitor.supervisor.tile import PHASES, Tile, tile
from controller.round.phases import PHASES as ROUND_PHASES
from controller.table.record.events import DeviceLost, DeviceRunning
from controller.table.record.views import AlarmView, ConditionView, DeviceView, JackpotView, PaceView
from controller.table.view.build import build_view
from drivers.devices.reconnect import DEVICE_STATES
from tests.controller.monitor.supervisor.situations import CALM, claims, panel, quiet, requests, stray
from tests.fixtures.state_table import StateTable
from tests.fixtures.table_views import DEVICES, STARTING, device

SHOWN = JackpotView("blazing-7s", 1_000_015)


def title(of: Tile) -> str:
    """Of the browser's tab."""
    return f"{of.tab}: {of.headline}"


def beat(of: DeviceView, seconds: float) -> DeviceView:
    """With a last heartbeat of this age."""
    return replace(of, counters={"heartbeat_age_us": round(seconds * 1e6)})


class TestCall:
    def test_all_is_well(self) -> None:
        found = tile(quiet())
        assert (found.urgency, found.urgency_word, found.needs) == ("calm", "All well", ())
        assert found.state == "Playing seat 1"
        assert found.reason == quiet().prompt
        assert title(found) == "Table 7: Playing seat 1"

    def test_play_stands_still(self) -> None:
        found = tile(stray())
        assert (found.urgency, found.state) == ("now", "Suspended")
        assert found.reason == "Card 9 left the shoe although it was locked"
        assert found.needs == ((1, "open alert"),)
        assert title(found) == "✕ Table 7 (1): Card 9 left the shoe although it was locked"
        seen = tile(replace(stray(), alarms=()))
        assert title(seen) == "✕ Table 7: Card 9 left the shoe although it was locked"

    def test_somebody_asks(self) -> None:
        found = tile(requests())
        assert (found.urgency, found.reason) == ("now", "Void the round:  ANN asks")
        assert found.needs == ((3, "open requests"),)

    def test_a_claim_waits_for_a_supervisor_but_not_for_its_dealer(self) -> None:
        found = tile(claims())
        assert (found.urgency, found.needs) == ("now", ((4, "open claims"),))
        pending = tuple(claim for claim in claims().claims if claim.state == "pending")
        assert tile(replace(claims(), claims=pending)).urgency == "calm"

    def test_an_alert_is_to_be_looked_at(self) -> None:
        found = tile(replace(quiet(), alarms=(AlarmView(1, "The clock was set", 1.0, 1.0, 1, 1),)))
        assert (found.urgency, found.reason) == ("look", "The clock was set")
        assert title(found) == "▲ Table 7 (1): The clock was set"

    def test_an_alert_whose_cause_has_ended_is_no_headline_and_no_title(self) -> None:
        """A cable was out between two rounds."""
        table = StateTable("ez-bust")
        table.apply(DeviceLost("sensors", "unplugged"), DeviceRunning("sensors"))
        found = tile(replace(build_view("Table 7", table.state, DEVICES), pace=CALM))
        assert (found.urgency, found.needs, found.ended) == ("calm", (), 1)
        assert title(found) == "Table 7: Betting"

    def test_what_lasts_goes_before_what_happened_once(self) -> None:
        once = AlarmView(1, "The clock was set", 1.0, 1.0, 1, 1, once=True)
        lasts = AlarmView(2, "The disk is nearly full", 2.0, 2.0, 1, 1)
        found = tile(replace(quiet(), alarms=(once, lasts)))
        assert found.reason == "The disk is nearly full"
        assert found.needs == ((2, "open alerts"),)

    def test_a_device_that_is_late_is_to_be_looked_at(self) -> None:
        found = tile(replace(quiet(), devices=(beat(device("sensors"), 2.0),)))
        assert (found.urgency, found.reason) == ("look", "The sensors: late")

    def test_test_mode(self) -> None:
        found = tile(replace(stray(), testing="Tom, since 19:00"))
        assert (found.state, found.urgency, found.reason) == (
            "Test mode",
            "look",
            "Test mode: Tom, since 19:00",
        )


class TestState:
    def test_every_phase_has_words(self) -> None:
        assert set(PHASES) == set(ROUND_PHASES)

    def test_a_shoe_is_wanted(self) -> None:
        found = tile(replace(STARTING, phase="betting"))
        assert (found.state, found.shoe.text) == ("Waiting for a shoe", "no shoe is loaded")

    def test_a_window_has_its_name(self) -> None:
        assert tile(replace(quiet(), phase="offering", window="EZ Bust")).state == "EZ Bust is open"

    def test_cards_that_are_out(self) -> None:
        shoe = tile(quiet()).shoe
        assert (shoe.text, shoe.share, shoe.cut) == ("8 of 312 cards out", 2, False)


@pytest.mark.parametrize(
    ("per_hour", "target", "mark"),
    [
        (None, 70, StatusMark("good", "not known yet")),
        (62, 0, StatusMark("good", "no target is set")),
        (63, 70, StatusMark("good", "on target")),
        (62, 70, StatusMark("warn", "8 behind")),
    ],
)
def test_the_pace_is_marked_against_its_target(per_hour: int | None, target: int, mark: StatusMark) -> None:
    assert tile(replace(quiet(), pace=PaceView(per_hour, target, None))).pace.mark == mark


class TestFreshness:
    def test_of_the_players_display(self) -> None:
        assert freshness(DEVICES) == StatusMark("good", "fresh")
        assert freshness((beat(device("display"), 1.4),)) == StatusMark("good", "fresh")
        assert freshness((beat(device("display"), 2.6),)) == StatusMark("warn", "2 s old")
        assert freshness((device("display", "waiting"),)) == StatusMark("bad", "link lost")
        assert freshness((device("shoe"),)) == StatusMark("good", "no display")

    def test_stands_beside_the_amount(self) -> None:
        lost = (device("display", "backing off"),)
        drawn = panel("tile", replace(quiet(), jackpots=(SHOWN,), devices=lost))
        assert "10,000.15" in drawn
        assert "link lost" in drawn


class TestDevices:
    @pytest.mark.parametrize("state", DEVICE_STATES)
    def test_every_state_has_a_word_and_only_one_is_well(self, state: str) -> None:
        mark = device_mark(device("shoe", state)).mark
        assert mark.word
        assert (mark.level == "good") == (state == "running")

    @pytest.mark.parametrize(
        ("mode", "mark"), [("ready", StatusMark("good", "ready")), ("fault", StatusMark("bad", "fault"))]
    )
    def test_what_it_says_of_itself(self, mode: str, mark: StatusMark) -> None:
        view = replace(device("shoe"), condition=ConditionView(mode, 30, 0, 100))
        assert device_mark(view) == DeviceMark("shoe", mark, "")


def test_the_tile_says_in_words_what_its_colours_say() -> None:
    drawn = panel("tile", stray())
    assert drawn.count("<svg") == 1 + len(stray().devices)
    for words in ("Needs you", "Suspended", "runs", "D. Moreau deals", "8 of 312 cards out"):
        assert words in drawn
    assert f'data-title="{title(tile(stray()))}"' in drawn
