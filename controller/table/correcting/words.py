"""What would be different in a round that is told anew, in sentences."""

from collections.abc import Iterator, Mapping

from controller.money import sum_cents, text
from controller.round import CardOut, Key, Round
from controller.round.retold import Laid
from controller.table.correcting.remade import Remade, keys, number, places

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
