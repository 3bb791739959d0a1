"""Each device is taken away and given back in every phase of a round: the table waits, names it, and goes
on."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace

import pytest

from controller.demo.table import KINDS
from controller.table.record.views import RoundView, TableView
from tests.fixtures.device_control import Refusal
from tests.fixtures.process_table import LONG, ProcessTable, device
from tests.system import script
from tests.system.shared_table import SharedTable

TRIES = 5
LATE = 1.9
"""Seconds: a heartbeat is late after 1.5 of them, and a device lost after 3."""
LONG_OVER = 4.0


@pytest.fixture(scope="module")
def undisturbed(shared: SharedTable) -> RoundView:
    """The undisturbed round."""
    with shared.table.with_hands() as table:
        number = script.lay_out(table).round
        script.play(table)
        return script.ended(table, number)


def test_an_undisturbed_round_settles_as_written(undisturbed: RoundView) -> None:
    assert script.lines(undisturbed) == script.LINES
    assert undisturbed.dealer.cards == ("3d", "2s", "9d")
    assert [seat.hands[0].cards for seat in undisturbed.seats if seat.hands] == [("4h", "5c"), ("7s",)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_cable_pulled_in_any_phase_stops_and_resumes_the_round(
    house: ProcessTable, undisturbed: RoundView, kind: str
) -> None:
    hand = house.hands[kind]
    ended = disturbed(
        house, kind, lambda: hand.ask("hang-up", seconds=LONG), lambda: hand.ask("hang-up", seconds=0)
    )
    assert ended == replace(undisturbed, number=ended.number)


def test_a_power_cut_of_the_shoe_in_any_phase_is_survived(
    house: ProcessTable, undisturbed: RoundView
) -> None:
    ended = disturbed(house, "shoe", lambda: house.kill_device("shoe"), lambda: house.start_device("shoe"))
    assert ended == replace(undisturbed, number=ended.number)


def test_all_cables_pulled_at_once_stop_and_resume_the_round(house: ProcessTable) -> None:
    number = script.lay_out(house).round
    script.play(house, steps=range(9))
    before = script.at(house, 9)
    with ExitStack() as cables:
        for kind in KINDS:
            cables.enter_context(house.unplugged(kind))
        assert set(house.view().suspended) == {f"Missing: the {kind}" for kind in KINDS}
    check_as_before(house.until_recovered(), before)
    script.play(house, steps=range(9, len(script.ROUND)))
    assert script.lines(script.ended(house, number)) == script.LINES


def test_what_nobody_heard_is_told_later(house: ProcessTable) -> None:
    """Chips count, a card that left has its place, a key is refused: there was no prompt to answer."""
    number = script.lay_out(house).round
    script.play(house, steps=range(1))
    unheard(house, 1)
    script.play(house, steps=range(2, 5))
    unheard(house, 5)
    script.play(house, steps=range(6, 9))
    unheard(house, 9)
    alerted(house, "stand: Missing: the console")
    script.play(house, steps=range(9, len(script.ROUND)))
    assert script.lines(script.ended(house, number)) == script.LINES


def unheard(house: ProcessTable, number: int) -> None:
    """This step is done while the cable of its device is out."""
    script.at(house, number)
    step = script.ROUND[number]
    if step.device == "shoe":
        house.until_permitted()
    hand = house.hands[step.device]
    hand.ask_at_once({"do": "hang-up", "seconds": LONG}, step.request)
    house.until(lambda view: f"Missing: the {step.device}" in view.suspended)
    hand.ask("hang-up", seconds=0)
    house.until(lambda view: not view.suspended)


def test_a_late_heartbeat_is_shown_counted_and_no_loss(house: ProcessTable) -> None:
    """Time itself is measured here: a machine that pauses meanwhile shows it too late, or counts twice, or
    loses the display, and the test tries again."""
    script.lay_out(house)
    assert any(late(house) == (True, 1, 0) for _ in range(TRIES))


def late(house: ProcessTable) -> tuple[bool, int, int]:
    """The display stalls for a while: whether the table said so, how often that was counted, and how many
    sessions were lost."""
    before = device(house.until_settled(), "display").counters
    house.hands["display"].ask("freeze", seconds=LATE)
    end, said = time.monotonic() + LONG_OVER, False
    while not said and time.monotonic() < end:
        said = "no heartbeat for" in device(house.view(), "display").detail
    view = house.until(lambda view: not view.suspended and not device(view, "display").detail)
    after = device(view, "display").counters
    counted, sessions = (after[name] - before[name] for name in ("late_heartbeats", "sessions"))
    return said, counted, sessions


def disturbed(
    house: ProcessTable, kind: str, take: Callable[[], object], give: Callable[[], object]
) -> RoundView:
    """A round in which a device is taken away and given back in each phase."""

    def disturb(number: int) -> None:
        if number not in script.LAST.values():
            return
        before = script.at(house, number)
        take()
        check_waiting(house, kind, before)
        give()
        check_as_before(house.until_recovered(), before)

    number = script.lay_out(house).round
    script.play(house, disturb)
    return script.ended(house, number)


def check_waiting(house: ProcessTable, kind: str, before: TableView) -> None:
    """Everything names the missing device, and neither key nor card is taken."""
    missing = f"Missing: the {kind}"
    view = house.until(lambda view: view.suspended == (missing,))
    assert (view.prompt, view.keys, view.display[1]) == (f"Suspended: {missing}", (), "Please wait")
    assert (view.phase, view.dealer, view.lines) == (before.phase, before.dealer, before.lines)
    port = house.stage.port(kind)
    assert device(view, kind).detail.startswith(
        (f"the device on port {port} is gone", f"port {port} can not")
    )
    assert missing in house.page()
    assert "tableside_suspended 1.0" in house.page("/metrics")
    if kind != "console":
        check_no_key(house, before, missing)
    if kind != "shoe":
        check_no_card(house)


def check_no_key(house: ProcessTable, before: TableView, why: str) -> None:
    console = house.hands["console"]
    house.until(lambda view: console.last("prompt")["text"] == view.prompt)
    assert console.last("keys")["keys"] == []
    for action in before.keys:
        console.ask("press", action=action, seat=before.prompt_seat)
        alerted(house, f"{action}: {why}")
    assert house.view().phase == before.phase


def alerted(house: ProcessTable, text: str) -> TableView:
    return house.until(lambda view: text in view.alerts)


def check_no_card(house: ProcessTable) -> None:
    shoe = house.hands["shoe"]
    house.until(lambda _: shoe.last("permit")["up_to"] == 0)
    with pytest.raises(Refusal, match="is locked"):
        shoe.ask("pull")


def check_as_before(view: TableView, before: TableView) -> None:
    """The table is as it was when the device went; only alerts may have come."""
    kept = ("round", "phase", "prompt", "prompt_seat", "keys", "dealer", "seats", "lines", "shoe", "display")
    assert {name: getattr(view, name) for name in kept} == {name: getattr(before, name) for name in kept}
