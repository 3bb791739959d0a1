"""What the shoe reports of cards that left it."""

from controller.cards import DECK
from controller.table.apply import play
from controller.table.state.table_state import Stray, TableState
from drivers.link.limits import HIGHEST
from drivers.messages import CardDrawn, CardInterrupted, CardUnpermitted, CardUnreadable


def drawn(state: TableState, device: str, card: CardDrawn) -> None:
    """The next card left the shoe and was read."""
    follows = _counted(state, device, card.count)
    if follows and _again(state):
        play.read_again(state, card.card if card.card in DECK else "")
        return
    if card.card not in DECK:
        state.strays.append(Stray(card.count, "", play.UNREAD, regular=False))
    elif state.testing:
        state.strays.append(Stray(card.count, card.card, play.TESTED, regular=False))
    elif follows:
        state.strays.append(Stray(card.count, card.card, play.NOT_DUE, regular=True))
    else:
        why = "left the shoe, but others before it were never reported"
        state.strays.append(Stray(card.count, card.card, why, regular=False))
    play.settle_strays(state)


def unreadable(state: TableState, device: str, card: CardUnreadable) -> None:
    """The next card left the shoe, and could not be read."""
    _stray(state, device, Stray(card.count, "", play.UNREAD, regular=False))


def unpermitted(state: TableState, device: str, card: CardUnpermitted) -> None:
    """A card left although none might. It is not named: it may yet be the one that lies face down."""
    seen = card.card if card.card in DECK else ""
    _stray(state, device, Stray(card.count, seen, "left the shoe although it was locked", regular=False))


def interrupted(state: TableState, device: str, card: CardInterrupted) -> None:
    """The shoe lost its power while a card was leaving."""
    _stray(state, device, Stray(card.count, "", play.ON_ITS_WAY, regular=False))


def _counted(state: TableState, device: str, count: int) -> bool:
    """Whether this is the card after the last known one. An impossible count, in a row of an older version,
    is ignored."""
    known = state.devices[device]
    follows = count == known.cards + 1
    known.cards = max(count, known.cards) if count <= HIGHEST else known.cards
    return follows


def _again(state: TableState) -> bool:
    """Whether the next card is one that was out already; while the table is tested none is asked for."""
    return bool(state.strays) and state.strays[0].again and not state.testing


def _stray(state: TableState, device: str, stray: Stray) -> None:
    if _counted(state, device, stray.count) and _again(state) and not stray.card:
        play.read_again(state, "")
        return
    state.strays.append(stray)
    play.settle_strays(state)
