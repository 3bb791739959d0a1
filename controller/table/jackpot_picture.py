"""The jackpots and their claims as anyone may see them, drawn from the table's state."""

from dataclasses import fields

from controller.jackpot import Books, Claim, Meter, Parameters
from controller.jackpot.claim import possible
from controller.money import shown
from controller.table.jackpot_view import BooksView, ClaimView, FedView, MeterView
from controller.table.state import PENDING, TableState


def meters(state: TableState) -> tuple[MeterView, ...]:
    """All of them; those of the game that is played first."""
    spots = dict.fromkeys((*state.game.meters, *state.meters))
    return tuple(_meter(state, spot, state.meters[spot]) for spot in spots)


def claims(state: TableState) -> tuple[ClaimView, ...]:
    """All that are open and the last closed ones, the newest first."""
    return tuple(map(_claim, reversed(state.register.claims)))


def waiting(state: TableState) -> tuple[str, ...]:
    """A sentence for each jackpot whose new parameters wait."""
    return tuple(f"{spot}: {PENDING}" for spot in state.game.meters if state.meters[spot].pending)


def _meter(state: TableState, spot: str, meter: Meter) -> MeterView:
    won = any(claim.spot == spot for claim in state.register.of_round(state.number))
    runs = "won" if won else "runs"
    return MeterView(
        spot,
        meter.cents,
        runs if spot in state.game.meters else "waits",
        _books(meter.books),
        _fed(meter.parameters),
        _fed(meter.pending) if meter.pending else None,
    )


def _books(books: Books) -> BooksView:
    return BooksView(**{field.name: getattr(books, field.name) for field in fields(BooksView)})


def _fed(fed: Parameters) -> FedView:
    return FedView(
        fed.seed, fed.again, shown(fed.contribution), shown(fed.reserve), fed.limit, fed.threshold
    )  # fmt: skip


def _claim(claim: Claim) -> ClaimView:
    told = {name: getattr(claim, name) for name in _SAME}
    return ClaimView(steps=tuple(move.step for move in possible(claim)), **told)


_SAME = tuple(field.name for field in fields(ClaimView) if field.name != "steps")
