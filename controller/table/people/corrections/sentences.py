"""Describes a corrected round: sentences about what changes, and the changed hands and wagers side by
side."""

from collections.abc import Iterator, Mapping

from controller.cards import FACE_DOWN, Card
from controller.games.game import Game
from controller.games.layout import Hand, Settlement
from controller.money import sum_cents, text
from controller.round import CardOut, Key, Round
from controller.round.replay import CardPosition
from controller.table.people.corrections.replay import RoundComparison, card_number, card_places, key_events
from controller.table.record.preview import Change

UNDISCLOSED = "What follows depends on the face-down card, and is not shown before this is accepted"


def sentences(comparison: RoundComparison) -> tuple[str, ...]:
    """Cards that move, keys that fall away, wagers given back, payments that change, and what is due then."""
    lines = (
        *_cards(comparison),
        *_keys(comparison),
        *_wagers(comparison.old.round, comparison.visible.round),
    )
    if comparison.secret:
        return (*lines, UNDISCLOSED)
    due = () if comparison.new.round.phase == "over" else (f"Then: {comparison.new.round.due.text}",)
    return (*lines, *payments(comparison), *due)


def payments(comparison: RoundComparison) -> tuple[str, ...]:
    """What seats that were already paid have to give or to get."""
    old, new = comparison.old.round, comparison.new.round
    return tuple(filter(None, (_payment(seat, old, new) for seat in sorted(paid_seats(old)))))


def paid_seats(played: Round) -> frozenset[int]:
    """The seats whose wagers have been taken and paid."""
    return frozenset(played.net) - frozenset(played.unpaid)


def place_name(at: CardPosition | None) -> str:
    """Where a card lies: "seat 2", "hand 2 of seat 2", "the dealer"."""
    if at is None:
        return "the burned cards"
    if at.seat == 0:
        return "the dealer"
    return f"seat {at.seat}" if at.hand == 1 else f"hand {at.hand} of seat {at.seat}"


def key_name(key: Key) -> str:
    """A key in words: "stand of seat 2", "close"."""
    return f"{key.action} of seat {key.seat}" if key.seat else key.action


def _cards(comparison: RoundComparison) -> Iterator[str]:
    """The cards that go to another place. The face-down card is left out."""
    before, after = card_places(comparison.old), card_places(comparison.visible)
    count = len(comparison.visible.accepted) + len(comparison.visible.refused)
    faceless = {comparison.old.hidden, comparison.new.hidden}
    for at in comparison.cards:
        event = comparison.events[at]
        if at >= count or at in faceless or not isinstance(event, CardOut):
            continue
        what = f"Card {card_number(comparison, at)} ({event.card})"
        if at in comparison.visible.refused and at not in comparison.old.refused:
            yield f"{what} has no place any more: it is burned"
        elif place_name(before.get(at)) != place_name(after.get(at)):
            had_place = at in before or at in comparison.old.refused
            whence = f" from {place_name(before.get(at))}" if had_place else ""
            yield f"{what} goes{whence} to {place_name(after.get(at))}"


def _keys(comparison: RoundComparison) -> Iterator[str]:
    old, new = {*comparison.old.refused}, {*comparison.visible.refused}
    for key in key_events(comparison.events, sorted(new - old)):
        if key.action != "pay":
            yield f"{key_name(key)} falls away"
    for key in key_events(comparison.events, sorted(old & {*comparison.visible.accepted})):
        if key.action != "pay":
            yield f"{key_name(key)} counts again"


def _wagers(old: Round, new: Round) -> Iterator[str]:
    before, after = wagers_by_spot(old), wagers_by_spot(new)
    for (seat, spot), cents in before.items():
        left = after.get((seat, spot), 0)
        if cents is None or left is None:
            if cents != left:
                yield f"Seat {seat}: the {spot} wager is given back"
        elif left < cents:
            amount = text(cents - left)
            yield f"Seat {seat}: {amount} of {spot} is given back"
        elif left > cents:
            amount = text(left - cents)
            yield f"Seat {seat}: {amount} more is wagered on {spot}"


def wagers_by_spot(played: Round) -> Mapping[tuple[int, str], int | None]:
    """The cents wagered by seat and spot. Hands count for the main wager of the game; None is unknown."""
    by_spot: dict[tuple[int, str], list[int | None]] = {}
    for at, seat in played.seats.items():
        for hand in seat.hands:
            by_spot.setdefault((at, played.game.main), []).append(hand.bet)
            for spot, cents in hand.wagers.items():
                by_spot.setdefault((at, spot), []).append(cents)
        for spot in seat.wagers.keys() - {*played.game.hand_spots}:
            by_spot.setdefault((at, spot), []).append(seat.wagers[spot])
    return {about: sum_cents(amounts) for about, amounts in sorted(by_spot.items())}


def _payment(seat: int, old: Round, new: Round) -> str:
    """The change for a seat that was paid. A wager that is no longer settled is first taken back or given
    back."""
    was, now = old.net[seat], new.net[seat] if seat in paid_seats(new) else 0
    anew = "" if seat in paid_seats(new) else "; it is settled anew"
    if was is None or now is None:
        return f"Seat {seat} was paid: compare by hand what changes{anew}"
    if was == now:
        return f"Seat {seat} was paid{anew}" if anew else ""
    if was < now:
        return f"Seat {seat} was paid: it gets {text(now - was)} more{anew}"
    return f"Seat {seat} was paid: it gives back {text(was - now)}{anew}"


DEALER = "Dealer"


def changes(comparison: RoundComparison) -> tuple[Change, ...]:
    """The hands and settled wagers that change."""
    before, after = _table(comparison.old.round), _table(comparison.visible.round)
    if comparison.secret:
        after = dict(_hands(comparison.visible.round))
        after[DEALER] = _unturned(comparison)
    return differences(before, after)


def differences(before: dict[str, str], after: dict[str, str]) -> tuple[Change, ...]:
    """The entries that differ, in their order."""
    return tuple(
        Change(about, before.get(about, ""), after.get(about, ""))
        for about in dict.fromkeys((*before, *after))
        if before.get(about) != after.get(about)
    )


def settlement_line(settled: Settlement) -> tuple[str, str]:
    """The name of a settled wager, and its outcome."""
    pays = f" {settled.pays}" if settled.pays else ""
    paid = "" if settled.paid is None else f", net {text(settled.paid)}"
    about = f"Seat {settled.seat}, hand {settled.hand}, {settled.wager}"
    return about, f"{settled.outcome}{pays}{paid}: {settled.reason}"


def _table(played: Round) -> dict[str, str]:
    return dict([*_hands(played), _dealer(played), *map(settlement_line, played.settlements)])


def _hands(played: Round) -> Iterator[tuple[str, str]]:
    for seat_number, seat in played.seats.items():
        for place, hand in enumerate(seat.hands, 1):
            if hand.cards:
                yield f"Seat {seat_number}, hand {place}", _hand(played.game, hand)


def _unturned(comparison: RoundComparison) -> str:
    """The up-card, if the game has one, and the card that still lies face down."""
    up = comparison.visible.round.dealer.cards[: len(comparison.old.round.dealer.cards) - 1]
    return " ".join((*up, FACE_DOWN))


def _hand(game: Game, hand: Hand) -> str:
    label = game.label(hand)
    return f"{' '.join(hand.cards)}: {game.total(hand.cards)}{f', {label}' * bool(label)}"


def _dealer(played: Round) -> tuple[str, str]:
    dealer = played.dealer
    if dealer.total is None:
        return DEALER, " ".join(dealer.cards)
    return DEALER, _hand(played.game, Hand(tuple(map(Card, dealer.cards))))
