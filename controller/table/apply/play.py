"""Cards take their places, and what the round commands is carried out."""

from dataclasses import replace

from controller.cards import Card
from controller.round import CardOut, Command, Revealed, Settled, WagerAlert
from controller.table.apply import chips, jackpots
from controller.table.record.causes import Cause, cause
from controller.table.record.notes import RoundEnded
from controller.table.state.card_ledger import CardFate
from controller.table.state.table_state import TableState, UnplacedCard
from controller.table.view.round_view import round_view

NOT_DUE = "left the shoe, but no card was due"
UNREAD = "could not be read"
IN_TEST_MODE = "left the shoe in test mode"
INTERRUPTED = "was on its way when the shoe lost its power"
PLACEABLE = frozenset({NOT_DUE, UNREAD, INTERRUPTED})
"""Such cards take the next place once they are read."""
OTHERWISE = "name it, or void the round"


def place_or_queue(state: TableState, card: UnplacedCard) -> None:
    """A regular card takes its place if one is due. Any other card waits behind those that wait already."""
    if card.regular and not state.unplaced and state.round.cards_due:
        place_card(state, card.card)
        return
    state.unplaced.append(card)
    place_waiting_cards(state)


def place_waiting_cards(state: TableState) -> None:
    """Place waiting cards while the first one is regular and one is due. If a card is left, suspend play."""
    while state.unplaced and state.unplaced[0].regular and state.round.cards_due:
        place_card(state, take_waiting_card(state))
    if state.unplaced:
        first = state.unplaced[0]
        state.suspend(_about(first), f"Card {first.count} {first.why}", lasting=True)


def take_waiting_card(state: TableState) -> str:
    """Remove the card that waits first from the queue; empty if nobody has read it."""
    stray = state.unplaced.popleft()
    state.suspension.lasting.pop(_about(stray), None)
    return stray.card


def card_reread(state: TableState, card: str) -> None:
    """The card that waits first went through the shoe once more, and is not counted again. `card` is empty if
    the shoe could not read it this time either."""
    stray = state.unplaced[0]
    if state.ledger.count_at_load is not None:
        state.ledger.count_at_load += 1  # the shoe counted it twice
    if not card:
        state.unplaced[0] = replace(stray, again=False)
        state.alert(_about(stray), f"Card {stray.count} could not be read again: {OTHERWISE}")
    elif stray.why in PLACEABLE:
        state.unplaced[0] = UnplacedCard(stray.count, card, NOT_DUE, regular=True)
    else:
        state.unplaced[0] = replace(stray, card=card, again=False)
    place_waiting_cards(state)


def place_card(state: TableState, card: str) -> None:
    """A card takes its place in the round; raises Refused when none is due."""
    hidden, fate = state.round.hidden, _next_fate(state)
    commands = state.apply_to_round(CardOut(Card(card)))
    turned = sum(isinstance(command, Revealed) for command in commands)
    count_card(state, "" if state.round.hidden + turned > hidden else card, fate)
    apply_commands(state, commands)


def count_card(state: TableState, card: str, fate: CardFate) -> None:
    """A card is out; empty: nobody has seen which."""
    if impossible := state.ledger.add(card, fate):
        state.suspend(cause("ledger", card), impossible, lasting=True)
    if state.cut_card_is_out:
        state.end_shoe()


def count_lost_cards(state: TableState, cards: int) -> None:
    """This number of cards left the shoe without an event."""
    state.ledger.add_lost(cards)
    if state.cut_card_is_out:
        state.end_shoe()


def apply_commands(state: TableState, commands: tuple[Command, ...]) -> None:
    """Note what the round says, and begin the next one when it has ended."""
    jackpots.lock_shares(state)
    for command in commands:
        if isinstance(command, WagerAlert):
            state.alert(cause("wager", state.number), command.text)
            continue
        state.notes.append(command)
        if isinstance(command, Settled) and state.round.phase != "void":
            jackpots.settle_shares(state)
        if isinstance(command, Revealed):
            _reveal(state, command.card)
    chips.check_round(state)
    if state.round.phase in {"over", "void"}:
        end_round(state)


def end_round(state: TableState) -> None:
    """Keep the round, and lay out the next."""
    ended = round_view(state)
    rules = state.rules
    script = state.script_writer.script(rules.game, rules.options, rules.plugins)
    kept = RoundEnded(ended, script)
    state.notes.append(kept)
    state.ended_rounds.appendleft(kept)
    state.shift.round_ends.appendleft(state.shift.at)
    state.number += 1
    state.meters_before, state.linked_before = {}, {}
    if ended.outcome == "settled":
        state.bank = state.coming.next_bank(ended.bank or 0)
    state.alerts.clear()
    state.shoe_wanted = state.shoe_wanted or state.cut_out
    state.begin_round()


def _next_fate(state: TableState) -> CardFate:
    """What becomes of the next card."""
    return "burned" if state.round.phase == "burning" else "dealt"


def _reveal(state: TableState, card: str) -> None:
    """The face-down card is turned."""
    if state.round_log.hole_is_of_older_shoe:
        return
    if impossible := state.ledger.reveal(card):
        state.suspend(cause("ledger", card), impossible, lasting=True)


def _about(stray: UnplacedCard) -> Cause:
    return cause("card", stray.count)
