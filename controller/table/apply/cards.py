"""What the shoe reports of cards that left it."""

from controller.cards import DECK
from controller.table.apply import play
from controller.table.state.table_state import TableState, UnplacedCard
from drivers.link.limits import HIGHEST
from drivers.messages import CardDrawn, CardInterrupted, CardUnpermitted, CardUnreadable


def card_drawn(state: TableState, device: str, card: CardDrawn) -> None:
    """The next card left the shoe and was read."""
    follows = _count_card(state, device, card.count)
    if follows and _awaits_reread(state):
        play.card_reread(state, card.card if card.card in DECK else "")
        return
    if card.card not in DECK:
        state.unplaced.append(UnplacedCard(card.count, "", play.UNREAD, regular=False))
    elif state.testing:
        state.unplaced.append(UnplacedCard(card.count, card.card, play.IN_TEST_MODE, regular=False))
    elif follows:
        state.unplaced.append(UnplacedCard(card.count, card.card, play.NOT_DUE, regular=True))
    else:
        why = "left the shoe, but others before it were never reported"
        state.unplaced.append(UnplacedCard(card.count, card.card, why, regular=False))
    play.place_waiting_cards(state)


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


def _count_card(state: TableState, device: str, count: int) -> bool:
    """Whether this is the card after the last known one. An impossible count, in a row of an older version,
    is ignored."""
    known = state.devices[device]
    follows = count == known.cards + 1
    known.cards = max(count, known.cards) if count <= HIGHEST else known.cards
    return follows


def _awaits_reread(state: TableState) -> bool:
    """Whether the next card is one that was out already; while the table is tested none is asked for."""
    return bool(state.unplaced) and state.unplaced[0].again and not state.testing


def _queue_card(state: TableState, device: str, stray: UnplacedCard) -> None:
    if _count_card(state, device, stray.count) and _awaits_reread(state) and not stray.card:
        play.card_reread(state, "")
        return
    state.unplaced.append(stray)
    play.place_waiting_cards(state)
