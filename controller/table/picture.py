"""The whole table as anyone may see it, drawn from its state."""

from collections.abc import Callable, Sequence

from controller.table import hands, jackpot_picture
from controller.table.console import keys, prompt
from controller.table.display import display
from controller.table.state import TableState
from controller.table.view import DeviceView, JackpotView, ShoeView, TableView
from drivers.protocol.codes import KEYS


def view(table: str, state: TableState, devices: Sequence[DeviceView]) -> TableView:
    """Everything a page shows; `table` is the table's name."""
    text, seat = prompt(state)
    legal = keys(state)
    return TableView(
        table=table,
        game=state.game.title,
        round=state.number,
        phase=state.round.phase,
        prompt=text,
        prompt_seat=seat,
        keys=tuple(key for key in KEYS if key in legal),
        suspended=state.suspension.reasons,
        alerts=(
            *state.after_round.values(),
            *state.standing.values(),
            *jackpot_picture.waiting(state),
            *state.alerts,
        ),
        dealer=hands.dealer(state.round),
        seats=tuple(hands.seats(state)),
        lines=hands.lines(state.round),
        shoe=_shoe(state),
        display=display(state),
        devices=tuple(devices),
        rounds=state.rounds,
        bank=state.round.bank,
        window=WINDOWS.get(state.round.phase, _no_window)(state),
        jackpots=tuple(JackpotView(spot, state.meters[spot].cents) for spot in state.game.meters),
        meters=jackpot_picture.meters(state),
        claims=jackpot_picture.claims(state),
    )


def _no_window(_state: TableState) -> str:
    return ""


WINDOWS: dict[str, Callable[[TableState], str]] = {
    "insuring": lambda _: "insurance",
    "offering": lambda state: state.game.window,
}
"""By phase, what a window is for."""


def _shoe(state: TableState) -> ShoeView:
    shuffler = state.cycle.stage if "shuffler" in state.devices else ""
    ledger = state.ledger
    return ShoeView(
        not state.shoe_wanted, ledger.decks, ledger.out, state.cut_out, shuffler, ledger.last
    )  # fmt: skip
