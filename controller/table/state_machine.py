"""The table's state machine: `apply` takes one input, changes the state and returns what followed.

An input (record/events.py) is anything that can happen to a table: a device reports, a person decides, the
daemon notices something. `apply` looks up the function for the class of the input in APPLIERS and then
makes the checks that follow every input. What followed is a list of notes (record/notes.py), in order. The
loop writes the input and its notes to the journal in one transaction, and only then shows the new state to
devices and people: disk before lamp. A start reads the inputs back and applies them again (recovery.py).

What holds, and what breaks without it:

- The new state depends on the old state, the input and the stamp of its row, and on nothing else: no clock,
  no I/O, no randomness. Otherwise a restart would show another table than the one that people left.
- An input is applied whole or not at all. A function that refuses a person raises NotAllowed before it
  changes anything. Otherwise the state would hold half of an input that the journal does not have.
- A device repeats its events until they are committed, and a screen its keys. The caller asks `is_repeat`
  first; otherwise a card would be dealt twice.
- Rules change only between rounds (`TableState.begin_round`), so that latched wagers settle by the rules
  under which they were placed.
- After each input the books of all jackpots balance. `audit` raises Unbalanced, which stops the daemon:
  that is a fault of the program, and the table must not pay by wrong books.
- An input of an older version does what that version did. Where later versions do something else, a field
  of `Rules` tells the two apart (`claims`, `approvals`, `unplayed`).

The causes of alerts end after all other checks, because each of them may end one.
"""

from collections.abc import Callable
from typing import Any

from controller.currency import using
from controller.round import EventRefused, Key
from controller.table.apply import (
    alert_endings,
    chips,
    claims,
    conditions,
    jackpots,
    keys,
    linked_levels,
    play,
    rule_changes,
    test_mode,
)
from controller.table.apply.device_events import apply_device_event, apply_past_event
from controller.table.errors import NotAllowed
from controller.table.people import decisions, floor_commands
from controller.table.people.requests import lifecycle, parameters
from controller.table.record.causes import Cause, cause
from controller.table.record.events import (
    Acknowledged,
    Action,
    ActionEnded,
    ActTaken,
    CardsMissing,
    ClaimStep,
    CommandRefused,
    CommandTaken,
    ConsoleKey,
    DealerOn,
    DeviceEvent,
    DeviceLost,
    DeviceRunning,
    DeviceUp,
    DiskSpace,
    EventsMissing,
    FloorCommand,
    Input,
    LampReported,
    LampTest,
    LevelChanged,
    MeterCorrection,
    Noticed,
    RequestAnswered,
    RequestMade,
    ShareWon,
    Started,
    Supervisor,
    TestMode,
)
from controller.table.record.notes import Note, Resumed
from controller.table.record.rules import Rules
from controller.table.state.device_record import DeviceRecord
from controller.table.state.table_state import TableState
from drivers.messages import UPDATES, CommandBody
from drivers.protocol.codes import Status

SHOE = "shoe"
SHUFFLER = "shuffler"
SENSORS = "sensors"


def begin(started: Started) -> TableState:
    """The state of a table that nothing has happened to, before `started` is applied."""
    return TableState(_rules(started))


def is_repeat(state: TableState, event: Input) -> bool:
    """Whether a device, or a screen, says again what the journal has already."""
    if isinstance(event, ConsoleKey):
        return keys.press_id(event) in state.shift.presses
    if isinstance(event, DeviceEvent):
        return state.devices[event.device].has_event(event.log, event.number)
    if isinstance(event, EventsMissing):
        return state.devices[event.device].has_event(event.log, event.last)
    return False


def apply(state: TableState, event: Input, at: float = 0.0) -> list[Note]:
    """Change the state by one input; what followed, in order. `at`: its stamp, seconds of Unix time.

    Raises NotAllowed for a person's word that cannot be followed; nothing has changed then. Raises Unbalanced
    where a jackpot's books do not add up: a fault of ours.
    """
    with using(state.rules.money):
        test_mode.check_allowed(state, event)
        suspended = bool(state.suspension)
        state.notes, state.shift.at = [], at
        APPLIERS[type(event)](state, event)
        jackpots.audit(state)
        lifecycle.close_late_requests(state)
        if suspended and not state.suspension:
            state.notes.append(Resumed())
        chips.alert_unplayed_spots(state)
        alert_endings.end_alerts(state)
        return state.notes


def due_action(state: TableState) -> CommandBody | None:
    """What the shuffler is to do once, now; to be applied as an Action under a fresh key."""
    known = state.devices.get(SHUFFLER)
    if known is None or not known.running or state.testing:
        return None
    decks = state.coming_game.options.decks
    return state.cycle.due_action(decks, shoe_wanted=state.shoe_wanted and not state.underway)


def _started(state: TableState, started: Started) -> None:
    state.table, state.version = started.table, started.version
    state.epoch = started.epoch or state.epoch
    floor_commands.renew_nonce(state, started.version)
    rules = parameters.rules_until_granted(state, _rules(started)) if started.approvals else _rules(started)
    if (
        state.underway
        and (change_text := rule_changes.change_text(state.rules, rules))
        and change_text not in state.alerts
    ):
        state.alert(cause("configuration", state.number), change_text)
    if state.underway and (other := rule_changes.changed_plugins(state.rules, rules)):
        state.alert(cause("configuration", state.number), f"The round in play goes on: {other}")
    state.set_coming_rules(rules)
    linked_levels.forget_amounts(state)
    for name in state.devices.keys() - started.devices.keys():
        del state.devices[name]
        state.lift(_missing(name))
        state.lift(_held(name))
    for name, serial in started.devices.items():
        known = state.devices.get(name)
        if known is None or known.serial != serial:
            state.devices[name] = DeviceRecord(serial)
            if known is not None:
                why = f"Another device serves as {name} now: {serial}, not {known.serial}"
                _renewed(state, name, why, anew=True)
        state.devices[name].running = False
        state.lift(_held(name))
        state.suspend_unalarmed(_missing(name), _gone(name))
    if not state.underway:
        state.begin_round()


def _up(state: TableState, up: DeviceUp) -> None:
    state.lift(_held(up.device))
    if state.devices[up.device].take_over(up):
        why = f"The memory of the {up.device} is another one than before: {up.relation}"
        _renewed(state, up.device, why, anew=up.relation == "new log")


def _running(state: TableState, running: DeviceRunning) -> None:
    state.devices[running.device].running = True
    state.lift(_missing(running.device))


def _lost(state: TableState, lost: DeviceLost) -> None:
    state.devices[lost.device].running = False
    state.suspend(_missing(lost.device), _gone(lost.device))
    state.lift(_held(lost.device))
    if lost.held:
        state.suspend(_held(lost.device), lost.why)


def _event(state: TableState, event: DeviceEvent) -> None:
    state.devices[event.device].newest = event.number
    taker = apply_past_event if event.history else apply_device_event
    taker(state, event)


def _events_missing(state: TableState, missing: EventsMissing) -> None:
    state.devices[missing.device].newest = missing.last
    lost = f"Events {missing.first} to {missing.last} of the {missing.device} are lost"
    why = f"{lost}: compare the table with the page"
    state.suspend(cause("events", missing.device), why, lasting=True)


def _cards_missing(state: TableState, missing: CardsMissing) -> None:
    state.devices[missing.device].cards = missing.shoe_cards
    play.count_lost_cards(state, missing.shoe_cards - missing.ours)
    text = f"The shoe gave out {missing.shoe_cards} cards, but {missing.ours} were reported"
    state.suspend(cause("cards"), text, lasting=True)


def _action(state: TableState, action: Action) -> None:
    if not state.devices[action.device].open_action(action.key):
        return
    if action.device == SHUFFLER and not isinstance(action.record, UPDATES):
        state.cycle.action_sent(action.key, action.record)


def _ended(state: TableState, ended: ActionEnded) -> None:
    known = state.devices[ended.device]
    if ended.key in known.open_actions:
        known.open_actions.remove(ended.key)
    if ended.device == SHUFFLER:
        state.cycle.action_ended(ended.key, ended.status)


def _console_key(state: TableState, key: ConsoleKey) -> None:
    try:
        keys.check_round(state, key)
        keys.press_key(state, Key(key.action, key.seat, key.cents or None))
    except EventRefused as refused:
        raise NotAllowed(refused.reason) from refused
    if name := keys.press_id(key):
        state.shift.presses.appendleft(name)


def _dealer(state: TableState, on: DealerOn) -> None:
    state.shift.croupier = on.who


def _acknowledged(state: TableState, seen: Acknowledged) -> None:
    try:
        state.shift.alarms.acknowledge(seen.alarm, seen.who, state.shift.at)
    except LookupError as absent:
        raise NotAllowed(str(absent)) from None


def _act_taken(state: TableState, act: ActTaken) -> None:
    state.shift.acts.appendleft(act)


def _command_refused(state: TableState, refused: CommandRefused) -> None:
    status = Status(refused.status).name
    text = f"The {refused.device} does not take {refused.record}: {status} {refused.text}".strip()
    state.alert(cause("command", refused.device), text)


APPLIERS: dict[type, Callable[[TableState, Any], None]] = {
    Started: _started,
    DeviceUp: _up,
    DeviceRunning: _running,
    DeviceLost: _lost,
    DeviceEvent: _event,
    EventsMissing: _events_missing,
    CardsMissing: _cards_missing,
    ConsoleKey: _console_key,
    DealerOn: _dealer,
    Acknowledged: _acknowledged,
    RequestMade: lifecycle.open_request,
    RequestAnswered: lifecycle.answer_request,
    Action: _action,
    ActionEnded: _ended,
    CommandRefused: _command_refused,
    Supervisor: decisions.decide,
    ClaimStep: claims.apply_step,
    MeterCorrection: claims.correct_meter,
    DiskSpace: conditions.apply_disk_space,
    Noticed: conditions.apply_notice,
    TestMode: test_mode.switch_test_mode,
    LampTest: test_mode.apply_lamp_test,
    LampReported: test_mode.apply_lamp_report,
    ActTaken: _act_taken,
    FloorCommand: floor_commands.carry_out,
    CommandTaken: floor_commands.note_answer,
    LevelChanged: linked_levels.change_level,
    ShareWon: claims.decide_share,
}


def _renewed(state: TableState, device: str, why: str, *, anew: bool) -> None:
    """Nothing that was known of a device holds any more: a round in play waits for a person, the shoe is
    loaded afresh. `anew`: it will tell once more what lies there."""
    if device == SHUFFLER:
        state.cycle.reset()
    if device == SENSORS and anew:
        state.clear_chips()
    if state.underway:
        state.suspend(cause("memory", device), why, lasting=True)
    elif device == SENSORS:
        state.alert(cause("chips"), f"{why}. Compare the chips with the page")
    if device == SHOE:
        state.ledger.count_at_load = None
        state.end_shoe()


def _missing(device: str) -> Cause:
    return cause("missing", device)


def _held(device: str) -> Cause:
    return cause("held", device)


def _gone(device: str) -> str:
    return f"Missing: the {device}"


def _rules(started: Started) -> Rules:
    return Rules(
        started.game,
        started.seats,
        started.options,
        started.bank,
        started.jackpots,
        started.claims,
        started.approvals,
        started.unplayed,
        started.linked,
        started.pay_from,
        started.currency,
        started.plugins,
    )
