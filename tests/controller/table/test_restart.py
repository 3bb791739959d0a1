"""After a kill, each trouble is shown again before any device reports anything."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from controller.journal.journal import Journal
from controller.table.record.events import DeviceLost, DiskSpace, EventsMissing, Input, Noticed
from controller.table.recovery import recover
from controller.table.state.snapshot import snapshot_row
from controller.table.state.table_state import TableState
from controller.table.view.build import build_view
from controller.table.view.console import keys, permit
from controller.table.view.lamps import lamps
from drivers.link.reports import CardsMissing
from drivers.messages import (
    CardDrawn,
    CardInterrupted,
    CardUnpermitted,
    CardUnreadable,
    Cover,
    Door,
    Empty,
    EventBody,
    Fault,
    Loaded,
    SensorFault,
    ShoeJam,
    ShufflerJam,
    Tamper,
)
from tests.fixtures.device_inputs import DEVICES, LOG, Script
from tests.fixtures.loop_table import LoopTable, loop_table

Trouble = Callable[[Script], Input]


def says(device: str, body: EventBody | bytes, *, critical: bool = False) -> Trouble:
    """A report of a device."""
    return lambda script: script.event(device, body, critical=critical)


def leaves(card: Callable[[int], EventBody], number: int = 1) -> Trouble:
    """A card leaves the shoe, the `number`th since the last one that was reported."""

    def leave(script: Script) -> Input:
        script.cards += number
        return script.event("shoe", card(script.cards))

    return leave


ANY_TIME: dict[str, tuple[Trouble, str]] = {
    "missing": (lambda _: DeviceLost("shoe", "unplugged"), "Missing: the shoe"),
    "held off": (lambda _: DeviceLost("sensors", "sensors come and go", held=True), "sensors come and go"),
    "door": (says("shuffler", Door(2, True)), "Door 2 of the shuffler is open"),
    "cover": (says("shoe", Cover(True)), "The shoe's cover is open"),
    "jam": (says("shoe", ShoeJam(True)), "A card is stuck in the shoe"),
    "shuffler's jam": (says("shuffler", ShufflerJam(True)), "A card is stuck in the shuffler"),
    "fault": (says("console", Fault(7, True, "lamp driver")), "Fault 7 in the console: lamp driver"),
    "sensor": (says("sensors", SensorFault(3, 0, True)), "Seat 3: the sensor of spot 0 is faulty"),
    "case": (says("shoe", Tamper(3, 2)), "Tampering with the shoe: its case was opened (2 times)"),
    "wrong seals": (
        says("shoe", Tamper(1, 9)),
        "Tampering with the shoe: messages with a wrong seal came (9 times)",
    ),
    "unread": (
        says("sensors", b"\xff\x01", critical=True),
        "Unknown to this version, yet critical: an event of the sensors",
    ),
    "events": (
        lambda _: EventsMissing("console", LOG, 90, 97),
        "Events 90 to 97 of the console are lost: compare the table with the page",
    ),
    "cards": (lambda _: CardsMissing("shoe", 5, 3), "The shoe gave out 5 cards, but 3 were reported"),
    "wrong pack": (says("shoe", Loaded(6)), "The shoe was loaded with 6 decks: load 8"),
    "unpermitted": (
        leaves(lambda count: CardUnpermitted(count, "2s")),
        "left the shoe although it was locked",
    ),
    "interrupted": (leaves(CardInterrupted), "was on its way when the shoe lost its power"),
    "unreadable": (leaves(CardUnreadable), "could not be read"),
    "gap": (leaves(lambda count: CardDrawn(count, "2s"), 2), "others before it were never reported"),
    "full disk": (
        lambda _: DiskSpace("stop", 1_000_000, "journal"),
        "The journal's disk is full but for 1 MB: no round begins until there is room",
    ),
    "low disk": (
        lambda _: DiskSpace("low", 900_000_000, "mirror"),
        "The mirror's disk is nearly full: 900 MB left. Make room",
    ),
    "clock": (lambda _: Noticed("The clock was set 5 s back"), "The clock was set 5 s back"),
}
IN_ROUND: dict[str, tuple[Trouble, str]] = {
    "empty": (says("shoe", Empty()), "The shoe is empty in the middle of a round: load it"),
    "loaded": (says("shoe", Loaded(8)), "The shoe was loaded in the middle of round 1"),
}


def script() -> Script:
    return Script(devices=DEVICES | {"shuffler": "SHUFFLER-1"})


def opened(table: LoopTable, script: Script, *, played: bool) -> None:
    """All devices are there; perhaps a round is dealt."""
    table.apply(*list(script.opening())[1:], script.loaded())
    if played:
        table.apply(script.bet(1), script.key("close"))


def shown(state: TableState) -> str:
    """What people see of the trouble."""
    seen = build_view("T", state, ())
    return "\n".join((*seen.suspended, *seen.alerts))


def locks(state: TableState) -> tuple[object, ...]:
    """What the trouble blocks, and every lamp."""
    return keys(state), permit(state), lamps(state), bool(state.suspension)


def again(path: Path, script: Script) -> Iterable[TableState]:
    """The state in the journal, and the state after a start; no device has reported anything."""
    with Journal(path) as journal:
        yield recover(journal, script.started())
    with loop_table(path, script.started()) as table:
        yield table.table.state


CASES = [(name, played) for played in (False, True) for name in (ANY_TIME | IN_ROUND if played else ANY_TIME)]


@pytest.mark.parametrize(("name", "played"), CASES)
def test_a_trouble_is_shown_again_after_a_kill(tmp_path: Path, name: str, played: bool) -> None:
    trouble, sentence = (ANY_TIME | IN_ROUND)[name]
    inputs = script()
    with loop_table(tmp_path / "j", inputs.started()) as table:
        opened(table, inputs, played=played)
        assert sentence not in shown(table.table.state)
        table.apply(trouble(inputs))
        before, locked = shown(table.table.state), locks(table.table.state)
        assert sentence in before
    recovered, started = again(tmp_path / "j", inputs)
    assert (shown(recovered), locks(recovered)) == (before, locked)
    held = {"sensors come and go"} if name == "held off" else set()
    assert set(before.splitlines()) - held <= set(shown(started).splitlines())


@pytest.mark.parametrize("name", ANY_TIME.keys() - {"clock", "wrong seals"})
def test_a_trouble_is_in_the_snapshot_at_the_end_of_a_round(tmp_path: Path, name: str) -> None:
    """Trouble that outlasts a round, as a later start finds it."""
    trouble, sentence = ANY_TIME[name]
    inputs = script()
    with loop_table(tmp_path / "j", inputs.started()) as table:
        opened(table, inputs, played=True)
        for event in inputs.play_on(table.table.state, 1):
            table.apply(event)
        table.apply(trouble(inputs))
        table.journal.append([snapshot_row(1000.0, table.table.state)])
        before, locked = shown(table.table.state), locks(table.table.state)
        assert sentence in before
    recovered = next(iter(again(tmp_path / "j", inputs)))
    assert (shown(recovered), locks(recovered)) == (before, locked)


def test_another_configuration_during_a_round_is_reported(tmp_path: Path) -> None:
    inputs = script()
    with loop_table(tmp_path / "j", inputs.started()) as table:
        opened(table, inputs, played=True)
    other = replace(inputs.started(), game="easy-jack", seats=5, options={"burn_cards": 2, "decks": 6})
    sentence = (
        "From the next round on the new configuration holds: seats 5 instead of 7, "
        "burn_cards 2 instead of 0, decks 6 instead of the default"
    )
    for _ in range(2):
        with loop_table(tmp_path / "j", other) as table:
            assert list(table.table.state.alerts).count(sentence) == 1
            assert table.table.state.rules.seats == 7


def test_another_game_during_a_round_is_reported(tmp_path: Path) -> None:
    inputs = script()
    with loop_table(tmp_path / "j", inputs.started()) as table:
        opened(table, inputs, played=True)
    with loop_table(tmp_path / "j", replace(inputs.started(), game="ez-bust")) as table:
        assert "game ez-bust instead of easy-jack" in shown(table.table.state)


def test_a_configuration_holds_at_once_between_rounds(tmp_path: Path) -> None:
    inputs = script()
    with loop_table(tmp_path / "j", inputs.started()) as table:
        opened(table, inputs, played=False)
    with loop_table(tmp_path / "j", replace(inputs.started(), seats=5)) as table:
        assert "configuration" not in shown(table.table.state)
        assert table.table.state.rules.seats == 5
