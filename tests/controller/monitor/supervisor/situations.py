"""Views of tables that need a supervisor, or do not, made from real states."""

from dataclasses import replace

from controller.access.people import Person
from controller.monitor.live.renderer import PageRenderer
from controller.monitor.supervisor.page import SUPERVISOR
from controller.table.record.events import DeviceLost
from controller.table.record.views import AlarmView, AnsweredView, PaceView, RequestView, TableView
from controller.table.view.build import build_view
from drivers.messages import CardUnpermitted, CardUnreadable
from tests.fixtures.played_views import PLAYED
from tests.fixtures.state_table import StateTable
from tests.fixtures.table_views import DEVICES

ANN = Person("Ann", "supervisor")
AUDITOR = Person("Olga", "auditor")
DEALT = "1:main=1000 2:main=2500 3:main=500 close 9h 8h As 5h Tc 6d 8c 8s close"
CALM = PaceView(72, 70, 1_795_190_000.0)


def seen(table: StateTable) -> TableView:
    """The view of this table, with all devices well and every alert acknowledged."""
    return replace(build_view("Table 7", table.state, DEVICES), alarms=(), pace=CALM, croupier="D. Moreau")


def dealt() -> StateTable:
    """A round of EZ Bust in play: seats 1 to 3, the hole card is the eight of spades."""
    table = StateTable("ez-bust")
    table.play(DEALT)
    return table


def quiet() -> TableView:
    """Seat 1 is to act; nothing is wrong."""
    return seen(dealt())


def stray(*, unread: bool = False) -> TableView:
    """A ninth card is out, which was not due; the console is missing, too."""
    table = dealt()
    table.script.cards += 1
    count = table.script.cards
    table.shoe(CardUnreadable(count) if unread else CardUnpermitted(count, "9d"))
    table.apply(DeviceLost("console", "unplugged"))
    return replace(seen(table), alarms=(AlarmView(3, "Card 9 left the shoe", 1e9, 1e9 + 60, 2, 1),))


def asked(number: int, about: str, who: str, *grants: str, needs: int = 1) -> RequestView:
    return RequestView(
        number, about, who, "seen on the table", 1e9, needs, grants, ("Something follows",), "open", 1
    )


def requests() -> TableView:
    """Ann's own request, a dealer's, and one that Ann has granted."""
    done = replace(asked(3, "help", "D. Moreau"), state="granted")
    return replace(
        quiet(),
        requests=(
            asked(4, "void", " ANN"),
            asked(5, "undo", "D. Moreau"),
            asked(6, "parameters", "configuration", "Ann", needs=2),
        ),
        answered=(AnsweredView(done, "B. Okafor", 1e9 + 5, "on my way"),),
    )


def claims() -> TableView:
    """Claims in every state."""
    return replace(PLAYED["claims"], alarms=())


def panel(name: str, view: TableView, person: Person = ANN) -> str:
    """One panel as this person sees it."""
    return PageRenderer(SUPERVISOR, person).panels(view)[name]


def whole(view: TableView, person: Person = ANN) -> str:
    return PageRenderer(SUPERVISOR, person).document(view)
