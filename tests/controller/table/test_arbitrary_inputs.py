"""Whatever devices report, in any order, the table neither fails nor permits a card that is not due."""

from dataclasses import fields, replace
from typing import get_type_hints

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.cards import DECK
from controller.games import GAMES
from controller.round import CardOut
from controller.round.replay import CardPosition, replay
from controller.table.errors import NotAllowed
from controller.table.people.consequences import consequences
from controller.table.people.requests.lifecycle import SUPERVISOR
from controller.table.record.choices import CHOICE_NAMES
from controller.table.record.codec import to_row
from controller.table.record.events import (
    Action,
    DeviceLost,
    DeviceRunning,
    RequestAnswered,
    RequestMade,
    Supervisor,
)
from controller.table.record.message_kinds import BY_MESSAGE
from controller.table.state.snapshot import snapshot_row
from controller.table.state.table_state import TableState
from controller.table.state_machine import apply, begin, due_action, is_repeat
from controller.table.view.build import build_view
from controller.table.view.console import MOST_BYTES, keys, permit, prompt, reread_due
from controller.table.view.lamps import lamps
from drivers.messages import EVENTS, CardDrawn, EventBody, Key, Loaded, Wager
from drivers.protocol.codes import KEYS, LAMPS
from tests.fixtures.device_inputs import DEVICES, Script

VALUES: dict[object, st.SearchStrategy[object]] = {
    int: st.one_of(st.integers(0, 12), st.integers(0, 2**32 - 1)),
    bool: st.booleans(),
    bytes: st.binary(max_size=60),
    str: st.one_of(st.sampled_from(KEYS), st.sampled_from(DECK), st.text(max_size=4)),
}
NAMES = {**DEVICES, "shuffler": "SHUFFLER-1", "display": "DISPLAY-1"}


def bodies() -> st.SearchStrategy[EventBody]:
    return st.one_of([_body(kind) for kind in EVENTS.values()])


def _body(kind: type[EventBody]) -> st.SearchStrategy[EventBody]:
    hints = get_type_hints(kind)
    return st.builds(kind, **{field.name: VALUES[hints[field.name]] for field in fields(kind)})


ASKED = (
    RequestMade("undo", "Dee", "dealer", "x", Supervisor("undo", "Dee", "x", None)),
    RequestMade("void", "Dee", "dealer", "x", Supervisor("void", "Dee", "x", None)),
)
likely = st.one_of(
    st.sampled_from(DECK).map(lambda card: CardDrawn(-1, card)),
    st.builds(Key, st.sampled_from(("close", "pay", "stand")), st.integers(0, 3), st.just(0)),
    st.builds(Key, st.sampled_from(KEYS), st.integers(1, 2), st.sampled_from((0, 0, 300))),
    st.builds(Wager, st.integers(1, 3), st.integers(0, 2), st.booleans(), st.sampled_from((0, 100, 500))),
    st.just(Loaded(8)),
)
steps = st.one_of(
    st.tuples(st.sampled_from(sorted(NAMES)), st.one_of(likely, bodies())),
    st.sampled_from(sorted(NAMES)).map(lambda name: DeviceLost(name, "gone")),
    st.sampled_from(sorted(NAMES)).map(DeviceRunning),
    st.builds(
        Supervisor,
        st.sampled_from(CHOICE_NAMES),
        st.just("Ann"),
        st.just("seen"),
        st.one_of(st.none(), st.sampled_from(DECK)),
        st.sampled_from(("", "Bob")),
        st.integers(0, 3),
        st.just(1),
        st.integers(1, 3),
        st.sampled_from(DECK),
    ),
    st.sampled_from(ASKED),
    st.builds(
        RequestAnswered,
        st.integers(1, 4),
        st.booleans(),
        st.sampled_from(("Ann", "Bob")),
        st.just(SUPERVISOR),
    ),
)


@settings(max_examples=150)
@given(st.lists(steps, max_size=60), st.booleans(), st.sampled_from(sorted(GAMES)))
def test_arbitrary_inputs_never_break_the_table_or_release_a_card_too_early(
    steps: list[object], closed: bool, game: str
) -> None:
    script = Script(game, devices=dict(NAMES))
    state = begin(script.started())
    for event in script.opening():
        apply(state, event)
    for seat in (1, 2):
        for spot in range(len(state.game.hand_spots)):
            apply(state, script.bet(seat, spot))
    decks = state.game.options.decks
    for event in (script.loaded(decks), script.key("close")) if closed else ():
        apply(state, event)
    for step in steps:
        _tell(state, script, step)
        _check(state)


def _tell(state: TableState, script: Script, step: object) -> None:
    if isinstance(step, tuple):
        device, body = step
        if isinstance(body, CardDrawn) and body.count == -1:
            body = CardDrawn(state.devices["shoe"].cards + 1, body.card)
        kind = BY_MESSAGE.get(type(body))
        step = script.event((kind and kind.owner) or device, body)
        assert not is_repeat(state, step)
    try:
        if isinstance(step, Supervisor) and step.choice in {"assign", "correct", "undo"}:
            step = _seen(state, step)
        apply(state, step)  # type: ignore[arg-type]
    except NotAllowed:
        return
    to_row(0.0, step)  # type: ignore[arg-type]
    if action := due_action(state):
        apply(state, Action("shuffler", state.devices["shuffler"].last_key + 1, action))


def _seen(state: TableState, said: Supervisor) -> Supervisor:
    """As somebody says it who sees the card and its preview."""
    at = replay(state.round.fresh(), state.round_log.events).positions.get(
        CardPosition(said.seat, said.hand, said.number)
    )
    event = state.round_log.events[at] if at is not None else None
    said = replace(said, old=event.card if isinstance(event, CardOut) else said.old)
    return replace(said, token=consequences(state, said).token)


def _check(state: TableState) -> None:
    assert len(lamps(state)) == LAMPS
    assert len(prompt(state)[0].encode()) <= MOST_BYTES
    build_view("T", state, ())
    assert state.ledger.out == state.ledger.fates.total()
    assert min(state.ledger.unseen, *state.ledger.seen.values(), *state.ledger.fates.values(), 0) == 0
    snapshot_row(0.0, state)
    if state.suspension:
        assert not keys(state)
        assert permit(state) == (state.devices["shoe"].cards + 1 if reread_due(state) else 0)
        return
    if permit(state):
        assert permit(state) == state.devices["shoe"].cards + state.round.cards_due
