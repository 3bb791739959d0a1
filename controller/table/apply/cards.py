"""What the shoe reports of cards that left it."""

from controller.cards import DECK
from controller.table.apply import play
from controller.table.state.table_state import TableState, UnplacedCard
from drivers.link.limits import HIGHEST
from drivers.messages import CardDrawn, CardInterrupted, CardUnpermitted, CardUnreadable


def card_drawn(state: TableState, device: str, card: CardDrawn) -> None:
    """The next card left the shoe and was read."""
    follows = _count_card(state, device, card.count)
    face = card.card if card.card in DECK else ""
    if follows and _awaits_reread(state):
        play.card_reread(state, face)
        return
    why = _reason_to_wait(state, face, follows=follows)
    play.place_or_queue(state, UnplacedCard(card.count, face, why or play.NOT_DUE, regular=not why))


def card_unreadable(state: TableState, device: str, card: CardUnreadable) -> None:
    """The next card left the shoe, and could not be read."""
    _queue_card(state, device, UnplacedCard(card.count, "", play.UNREAD, regular=False))


def card_unpermitted(state: TableState, device: str, card: CardUnpermitted) -> None:
    """A card left although none might. It is not named: it may yet be the one that lies face down."""
    seen = card.card if card.card in DECK else ""
    _queue_card(
        state, device, UnplacedCard(card.count, seen, "left the shoe although it was locked", regular=False)
    )


def card_interrupted(state: TableState, device: str, card: CardInterrupted) -> None:
    """The shoe lost its power while a card was leaving."""
    _queue_card(state, device, UnplacedCard(card.count, "", play.INTERRUPTED, regular=False))


def _reason_to_wait(state: TableState, face: str, *, follows: bool) -> str:
    """Why a card may not take its place even if one is due; empty for a regular card."""
    if not face:
        return play.UNREAD
    if state.testing:
        return play.IN_TEST_MODE
    return "" if follows else "left the shoe, but others before it were never reported"


def _count_card(state: TableState, device: str, count: int) -> bool:
    """Whether this is the card after the last known one. An older version may have recorded an impossible
    count, which is ignored."""
    known = state.devices[device]
    follows = count == known.cards + 1
    known.cards = max(count, known.cards) if count <= HIGHEST else known.cards
    return follows


def _awaits_reread(state: TableState) -> bool:
    """Whether the next card goes through the shoe once more. In test mode nobody has asked for that."""
    return bool(state.unplaced) and state.unplaced[0].again and not state.testing


def _queue_card(state: TableState, device: str, card: UnplacedCard) -> None:
    if _count_card(state, device, card.count) and _awaits_reread(state) and not card.card:
        play.card_reread(state, "")
    else:
        play.place_or_queue(state, card)
