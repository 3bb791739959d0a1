"""The state of a table, as an event: what it is doing now, and why it does not play."""

from controller.bridge.events import Content, Event
from controller.bridge.place import Place
from controller.socket.results import HaltedView
from controller.table.record.views import TableView


def content_of_view(view: TableView) -> Content:
    """Of a table whose daemon answers. What lies on the table is not in it."""
    return _content(
        "suspended" if view.suspended else "open",
        view.suspended,
        game=view.game,
        round_number=view.round,
        phase=view.phase,
        dealer=view.croupier,
        testing=bool(view.testing),
    )


def content_of_halt(halted: HaltedView) -> Content:
    return _content("halted", (halted.why,))


AWAY = ("the table's daemon does not answer",)


def content_of_absence() -> Content:
    """Of a table whose daemon does not answer."""
    return _content("away", AWAY)


def state_event(last: Place, at: float, content: Content) -> Event:
    """`last`: the last row that may leave the house. `at`: seconds of Unix time."""
    number = f"{last.journal}-{last.row}-{round(at * 1000)}"
    return Event(number, "state", last.journal, last.row, last.hash, at, content)


def _content(
    status: str,
    why: tuple[str, ...],
    *,
    game: str = "",
    round_number: int | None = None,
    phase: str = "",
    dealer: str = "",
    testing: bool = False,
) -> Content:
    return {
        "status": status,
        "why": list(why),
        "game": game,
        "round": round_number,
        "phase": phase,
        "dealer": dealer,
        "testing": testing,
    }
