"""What would be different in a round that is told anew, in sentences.

What would be different in a round that is told anew, side by side.
"""

from collections.abc import Iterator, Mapping

from controller.cards import FACE_DOWN, Card
from controller.games.game import Game
from controller.games.layout import Hand, Settlement
from controller.money import sum_cents, text
from controller.round import CardOut, Key, Round
from controller.round.replay import Laid
from controller.table.people.corrections.replay import Remade, keys, number, places
from controller.table.record.preview import Change

UNTOLD = "The face-down card decides how it goes on from there: nobody is told before this is accepted"


def sentences(remade: Remade) -> tuple[str, ...]:
    """What moves, what falls away, what is given back, what is paid otherwise, and what is due then."""
    said = (*_cards(remade), *_keys(remade), *_wagers(remade.old.round, remade.shown.round))
    if remade.secret:
        return (*said, UNTOLD)
    due = () if remade.new.round.phase == "over" else (f"Then: {remade.new.round.due.text}",)
    return (*said, *payments(remade), *due)


def payments(remade: Remade) -> tuple[str, ...]:
    """What seats that were paid already are to give or to get."""
    old, new = remade.old.round, remade.new.round
    return tuple(filter(None, (_payment(seat, old, new) for seat in sorted(paid(old)))))


def paid(played: Round) -> frozenset[int]:
    """Seats whose wagers were taken and paid."""
    return frozenset(played.net) - frozenset(played.unpaid)


def place(laid: Laid | None) -> str:
    """Where a card lies: "seat 2", "hand 2 of seat 2", "the dealer"."""
    if laid is None:
        return "the burned cards"
    if laid.seat == 0:
        return "the dealer"
    return f"seat {laid.seat}" if laid.hand == 1 else f"hand {laid.hand} of seat {laid.seat}"


def named(key: Key) -> str:
    """A key as people name it: "stand of seat 2", "close"."""
    return f"{key.action} of seat {key.seat}" if key.seat else key.action


def _cards(remade: Remade) -> Iterator[str]:
    """Which lie elsewhere; nothing of the one that lies face down."""
    before, after = places(remade.old), places(remade.shown)
    shown = len(remade.shown.took) + len(remade.shown.passed)
    faceless = {remade.old.hidden, remade.new.hidden}
    for at in remade.cards:
        event = remade.events[at]
        if at >= shown or at in faceless or not isinstance(event, CardOut):
            continue
        what = f"Card {number(remade, at)} ({event.card})"
        if at in remade.shown.passed and at not in remade.old.passed:
            yield f"{what} has no place any more: it is burned"
        elif place(before.get(at)) != place(after.get(at)):
            known = at in before or at in remade.old.passed
            whence = f" from {place(before.get(at))}" if known else ""
            yield f"{what} goes{whence} to {place(after.get(at))}"


def _keys(remade: Remade) -> Iterator[str]:
    old, new = {*remade.old.passed}, {*remade.shown.passed}
    for key in keys(remade.events, sorted(new - old)):
        if key.action != "pay":
            yield f"{named(key)} falls away"
    for key in keys(remade.events, sorted(old & {*remade.shown.took})):
        if key.action != "pay":
            yield f"{named(key)} counts again"


def _wagers(old: Round, new: Round) -> Iterator[str]:
    before, after = wagered(old), wagered(new)
    for (seat, spot), cents in before.items():
        left = after.get((seat, spot), 0)
        if cents is None or left is None:
            if cents != left:
                yield f"Seat {seat}: the {spot} wager is given back"
        elif left < cents:
            yield f"Seat {seat}: {text(cents - left)} of {spot} is given back"
        elif left > cents:
            yield f"Seat {seat}: {text(left - cents)} more is wagered on {spot}"


def wagered(played: Round) -> Mapping[tuple[int, str], int | None]:
    """What is wagered by seat and spot, in cents; hands under the name of their line."""
    found: dict[tuple[int, str], list[int | None]] = {}
    for at, seat in played.seats.items():
        for hand in seat.hands:
            found.setdefault((at, played.game.main), []).append(hand.bet)
            for spot, cents in hand.wagers.items():
                found.setdefault((at, spot), []).append(cents)
        for spot in seat.wagers.keys() - {*played.game.hand_spots}:
            found.setdefault((at, spot), []).append(seat.wagers[spot])
    return {about: sum_cents(amounts) for about, amounts in sorted(found.items())}


def _payment(seat: int, old: Round, new: Round) -> str:
    """To a seat that was paid; whatever is not settled any more is taken back or given back first."""
    was, now = old.net[seat], new.net[seat] if seat in paid(new) else 0
    anew = "" if seat in paid(new) else "; it is settled anew"
    if was is None or now is None:
        return f"Seat {seat} was paid: compare by hand what changes{anew}"
    if was == now:
        return f"Seat {seat} was paid{anew}" if anew else ""
    if was < now:
        return f"Seat {seat} was paid: it gets {text(now - was)} more{anew}"
    return f"Seat {seat} was paid: it gives back {text(was - now)}{anew}"


DEALER = "Dealer"


def changes(remade: Remade) -> tuple[Change, ...]:
    """Hands and settled wagers that would be others."""
    before, after = _table(remade.old.round), _table(remade.shown.round)
    if remade.secret:
        after = dict(_hands(remade.shown.round))
        after[DEALER] = _unturned(remade)
    return beside(before, after)


def beside(before: dict[str, str], after: dict[str, str]) -> tuple[Change, ...]:
    """What is not the same, in the order in which it is told."""
    return tuple(
        Change(about, before.get(about, ""), after.get(about, ""))
        for about in dict.fromkeys((*before, *after))
        if before.get(about) != after.get(about)
    )


def line(settled: Settlement) -> tuple[str, str]:
    """A settled wager: which, and what became of it."""
    pays = f" {settled.pays}" if settled.pays else ""
    paid = "" if settled.paid is None else f", {text(settled.paid)}"
    about = f"Seat {settled.seat}, hand {settled.hand}, {settled.wager}"
    return about, f"{settled.outcome}{pays}{paid}: {settled.reason}"


def _table(played: Round) -> dict[str, str]:
    return dict([*_hands(played), _dealer(played), *map(line, played.settlements)])


def _hands(played: Round) -> Iterator[tuple[str, str]]:
    for seat_number, seat in played.seats.items():
        for place, hand in enumerate(seat.hands, 1):
            if hand.cards:
                yield f"Seat {seat_number}, hand {place}", _hand(played.game, hand)


def _unturned(remade: Remade) -> str:
    """The up-card, where the game has one, and the card that lies face down still."""
    up = remade.shown.round.dealer.cards[: len(remade.old.round.dealer.cards) - 1]
    return " ".join((*up, FACE_DOWN))


def _hand(game: Game, hand: Hand) -> str:
    label = game.label(hand)
    return f"{' '.join(hand.cards)}: {game.total(hand.cards)}{f', {label}' * bool(label)}"


def _dealer(played: Round) -> tuple[str, str]:
    dealer = played.dealer
    if dealer.total is None:
        return DEALER, " ".join(dealer.cards)
    return DEALER, _hand(played.game, Hand(tuple(map(Card, dealer.cards))))
