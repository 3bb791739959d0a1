"""Whatever happens in test mode, leaving it restores the table."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.cards import DECK
from controller.games import GAMES
from controller.table.errors import NotAllowed
from controller.table.record import events
from controller.table.record.choices import CHOICE_NAMES
from controller.table.state.table_state import TableState
from controller.table.state.test_session import PATTERNS
from controller.table.state_machine import apply
from controller.table.view.build import build_view
from controller.table.view.console import key_lamps, permit, prompt
from controller.table.view.console import keys as keys_of
from controller.table.view.display import display, levels
from controller.table.view.lamps import lamps
from drivers.messages import (
    CardDrawn,
    CardUnpermitted,
    CardUnreadable,
    CutCard,
    Door,
    Empty,
    EventBody,
    Key,
    SensorFault,
    Tamper,
    Wager,
)
from drivers.protocol.codes import KEYS
from tests.controller.table.testing.technician import AFTERNOON, NAMES, betting, enters, leaves, reports
from tests.fixtures.device_inputs import Script

BODIES: tuple[EventBody, ...] = (CutCard(3), Empty(), Tamper(3, 1))
GONE = (CardDrawn, CardUnpermitted, CardUnreadable)
Touch = Callable[[Script], events.Input]


def reported(device: str, body: EventBody) -> Touch:
    return lambda script: script.event(device, body)


def said(decision: events.Decision) -> Touch:
    return lambda _: decision


MAIN_SPOTS = st.sampled_from(("main", "bet"))
keys = st.builds(Key, st.sampled_from(KEYS), st.integers(0, 9), st.sampled_from((0, 300)))
wagers = st.builds(Wager, st.integers(1, 9), st.integers(0, 5), st.booleans(), st.sampled_from((0, 100, 500)))
touches: st.SearchStrategy[Touch] = st.one_of(
    keys.map(lambda key: reported("console", key)),
    wagers.map(lambda wager: reported("sensors", wager)),
    st.integers(1, 4).map(lambda which: reported("shuffler", Door(which, True))),
    st.integers(1, 7).map(lambda seat: reported("sensors", SensorFault(seat, 0, True))),
    st.sampled_from(sorted(NAMES)).map(lambda name: lambda _: events.DeviceLost(name, "unplugged")),
    st.sampled_from(PATTERNS).map(lambda pattern: said(events.LampTest(pattern, "Tim", "good"))),
    st.builds(events.LampReported, st.just(1), MAIN_SPOTS, st.booleans(), st.just("Tim")).map(said),
    keys.map(lambda key: said(events.ConsoleKey(key.action, key.seat, key.cents, "Dee"))),
    st.sampled_from(CHOICE_NAMES).map(lambda choice: said(events.Supervisor(choice, "Ann", "seen", None))),
    st.just(Script.started),
)


@settings(max_examples=100)
@given(st.lists(touches, max_size=25), st.integers(0, 40), st.sampled_from(sorted(GAMES)))
def test_leaving_gives_back_the_table(touched: list[Touch], into: int, game: str) -> None:
    script = Script(game, devices=dict(NAMES))
    state = begun(script, into)
    before, lies = picture(state), dict(state.chips)
    apply(state, enters(), AFTERNOON)
    for touch in touched:
        taken(state, touch(script))
    put_right(state, script, lies)
    apply(state, leaves(), AFTERNOON)
    assert picture(state) == before


shoe = st.one_of(
    st.sampled_from(DECK).map(lambda card: lambda script: leaves_shoe(script, CardDrawn, card)),
    st.sampled_from(DECK).map(lambda card: lambda script: leaves_shoe(script, CardUnpermitted, card)),
    st.just(lambda script: leaves_shoe(script, CardUnreadable)),
    st.sampled_from(BODIES).map(lambda body: reported("shoe", body)),
    st.just(lambda script: script.up("shoe", "new log")),
    st.just(lambda script: script.up("sensors", "new log")),
)


def leaves_shoe(script: Script, kind: Callable[..., EventBody], *card: str) -> events.Input:
    script.cards += 1
    return script.event("shoe", kind(script.cards, *card))


@settings(max_examples=100)
@given(st.lists(st.one_of(touches, shoe), max_size=25), st.integers(0, 40), st.sampled_from(sorted(GAMES)))
def test_nothing_of_a_test_reaches_the_round(touched: list[Touch], into: int, game: str) -> None:
    """Not even a card reaches it; each card that left is out, and the shoe gives none by itself."""
    script = Script(game, devices=dict(NAMES))
    state = begun(script, into)
    apply(state, enters(), AFTERNOON)
    before, out = course(state), state.ledger.out + len(state.unplaced)
    for touch in touched:
        event = touch(script)
        taken(state, event)
        out += isinstance(event, events.DeviceEvent) and isinstance(event.body, GONE)
        assert course(state) == before
        assert (permit(state), keys_of(state)) == (0, frozenset())
    assert state.ledger.out + len(state.unplaced) == out


def course(state: TableState) -> object:
    """How far the round is, and the jackpots that were won."""
    return (
        state.number,
        state.round.phase,
        state.round.due,
        repr(state.round_log),
        state.meters,
        state.locked_shares,
    )


def begun(script: Script, into: int) -> TableState:
    """A table, this many inputs after its first wagers were laid."""
    state, chance = betting(script), Random(into)
    for _ in range(into):
        taken(state, _next(script, state, chance))
    return state


def _next(script: Script, state: TableState, chance: Random) -> events.Input:
    if "stand" in state.round.keys and chance.random() < 0.5:
        return script.key("stand", state.round.due.seat)
    if state.round.cards_due:
        return script.card(chance.choice(DECK))
    return script.key("close" if "close" in state.round.keys else "pay")


def taken(state: TableState, event: events.Input) -> None:
    try:
        apply(state, event, AFTERNOON)
    except NotAllowed:
        assert state.testing


def put_right(state: TableState, script: Script, lies: dict[tuple[int, int], int]) -> None:
    """Doors closed, sensors and lamps well, devices plugged in, chips as they lay."""
    for which in range(1, 5):
        apply(state, script.event("shuffler", Door(which, False)), AFTERNOON)
    for seat in range(1, 8):
        apply(state, script.event("sensors", SensorFault(seat, 0, False)), AFTERNOON)
    apply(state, reports(1, state.game.spots[0], works=True), AFTERNOON)
    for name in NAMES:
        apply(state, events.DeviceRunning(name), AFTERNOON)
    for seat in range(1, 10):
        for spot in range(6):
            cents = lies.get((seat, spot))
            body = Wager(seat, spot, cents is not None, cents or 0)
            apply(state, script.event("sensors", body), AFTERNOON)


def picture(state: TableState) -> dict[str, object]:
    """The whole table except alerts that wait to be acknowledged: the test itself is one."""
    return {
        "seen": replace(build_view("T", state, ()), alarms=()),
        "shown": (lamps(state), prompt(state), key_lamps(state), display(state), levels(state)),
        "permit": permit(state),
        "chips": dict(state.chips),
        "meters": dict(state.meters),
        "ledger": repr(state.ledger),
        "course": repr(state.round_log),
        "script": repr(state.script_writer.script(state.rules.game, state.rules.options)),
        "round": (state.number, state.round.phase, state.round.due, state.round.settlements),
        "shoe": (state.shoe_wanted, state.cut_out, state.burn, tuple(state.unplaced), repr(state.cycle)),
        "bank": (state.bank, state.locked_shares, repr(state.register)),
    }
