"""How cards find their places, and what follows from what the round says."""

from controller.cards import Card
from controller.round import Alert as WagerAlert
from controller.round import CardOut, Command, Refused, Revealed, Settled, Void
from controller.table import chips, jackpots
from controller.table.errors import NotAllowed
from controller.table.events import Supervisor
from controller.table.hands import round_view
from controller.table.notes import Cleared, RoundEnded
from controller.table.state import Stray, TableState


def settle_strays(state: TableState) -> None:
    """Give waiting cards their places, for as long as they left regularly and one is due."""
    while state.strays and state.strays[0].regular and state.round.cards_due:
        put(state, take_stray(state))
    if state.strays:
        first = state.strays[0]
        state.suspend(_about(first), f"Card {first.count} {first.why}", lasting=True)


def take_stray(state: TableState) -> str:
    """The card that waits first, no longer waiting; empty where nobody read it."""
    stray = state.strays.popleft()
    state.suspension.lasting.pop(_about(stray), None)
    return stray.card


def put(state: TableState, card: str) -> None:
    """A card takes its place in the round; raises Refused when none is due."""
    hidden = state.round.hidden
    commands = state.tell(CardOut(Card(card)))
    turned = sum(isinstance(command, Revealed) for command in commands)
    count(state, "" if state.round.hidden + turned > hidden else card)
    follow(state, commands)


def count(state: TableState, card: str) -> None:
    """A card is out; empty: nobody has seen which."""
    if impossible := state.ledger.leave(card):
        state.suspend(f"ledger {card}", impossible, lasting=True)
    if state.deep:
        state.end_shoe()


def follow(state: TableState, commands: tuple[Command, ...]) -> None:
    """Note what the round says, and begin the next one when it has ended."""
    jackpots.lock(state)
    for command in commands:
        if isinstance(command, WagerAlert):
            state.alert(command.text)
            continue
        state.notes.append(command)
        if isinstance(command, Settled) and state.round.phase != "void":
            jackpots.settle(state)
        if isinstance(command, Revealed) and (impossible := state.ledger.turn(command.card)):
            state.suspend(f"ledger {command.card}", impossible, lasting=True)
    chips.look(state)
    if state.round.phase in {"over", "void"}:
        end_round(state)


def end_round(state: TableState) -> None:
    """Keep the round, and lay out the next."""
    ended = round_view(state)
    kept = RoundEnded(ended, state.written.script(state.rules.game, state.rules.options))
    state.notes.append(kept)
    state.ended.appendleft(kept)
    state.number += 1
    state.unmoved = {}
    if ended.outcome == "settled":
        state.bank = state.coming.banks_after(ended.bank or 0)
    state.alerts.clear()
    state.shoe_wanted = state.shoe_wanted or state.cut_out
    state.begin_round()


def decide(state: TableState, decision: Supervisor) -> None:
    """A supervisor's word; raises NotAllowed, and has then changed nothing."""
    DECISIONS[decision.choice](state, decision)
    settle_strays(state)


def _burn(state: TableState, _decision: Supervisor) -> None:
    _waiting(state)
    count(state, take_stray(state))


def _card(state: TableState, decision: Supervisor) -> None:
    stray = _waiting(state)
    card = decision.card or stray.card
    if not card:
        raise NotAllowed(f"card {stray.count} could not be read: name it")
    if not state.round.cards_due:
        raise NotAllowed(f"no card is due: {state.round.due.text}; burn it or void the round")
    take_stray(state)
    put(state, card)


def _void(state: TableState, decision: Supervisor) -> None:
    unburned = state.round.cards_due if state.round.phase == "burning" else 0
    jackpots.check_movable(state, decision.who, decision.second)
    try:
        commands = state.tell(Void(decision.who, decision.why))
    except Refused as refused:
        raise NotAllowed(refused.reason) from refused
    state.burn = state.burn or unburned
    while state.strays:
        count(state, take_stray(state))
    _clear(state)
    why = f"Round {state.number} is void: {decision.why}"
    jackpots.put_back(state, why, decision.who, decision.second)
    follow(state, commands)


def _resume(state: TableState, _decision: Supervisor) -> None:
    if state.strays:
        raise NotAllowed(f"card {state.strays[0].count} waits: say burn, card or void")
    _clear(state)


def _reload(state: TableState, _decision: Supervisor) -> None:
    state.end_shoe()


DECISIONS = {"burn": _burn, "card": _card, "void": _void, "resume": _resume, "reload": _reload}


def _clear(state: TableState) -> None:
    """A person has seen every lasting reason, and says that devices may serve again."""
    state.suspension.lasting.clear()
    state.notes.extend(Cleared(device) for device in sorted(state.unread | state.suspension.held))
    state.unread.clear()


def _waiting(state: TableState) -> Stray:
    if not state.strays:
        raise NotAllowed("no card waits for a decision")
    return state.strays[0]


def _about(stray: Stray) -> str:
    return f"card {stray.count}"
