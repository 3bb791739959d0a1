"""Acknowledging the floor's own alerts."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any, Final

from fastapi import FastAPI, HTTPException, Path

from controller.access.people import Person
from controller.floor.acknowledgements import Acknowledgement, AcknowledgementTrail
from controller.floor.approvals.acts import NotActing
from controller.floor.day_file import StoreError
from controller.floor.pages.context import Context, FloorContext, TableName
from controller.floor.pages.rendering import ACKNOWLEDGING
from controller.floor.tables.picture import FloorPicture
from controller.floor.tables.tile import TileAlert
from controller.monitor.api.sending import Problem
from controller.monitor.authorization import Actor, for_roles
from controller.socket.texts import Reason, RequestModel
from controller.table.people.supervisor_commands import MOST_NUMBER

KIND: Final = "acknowledgement"
"""The kind of the entry in the floor's own journal."""


class AcknowledgeBody(RequestModel):
    """`why`: what the person found, or did about it."""

    why: Reason


Record = Callable[[str, Mapping[str, Any]], Awaitable[object]]
"""Writes into the floor's own journal. Raises NotActing."""


class FloorAlertDesk:
    """Acknowledges alerts of the floor about a table, or about the floor itself if `table` is empty: first in
    the floor's own journal, then in the trail, then in the picture. `clock`: Unix time."""

    def __init__(
        self, picture: FloorPicture, trail: AcknowledgementTrail, record: Record, clock: Callable[[], float]
    ) -> None:
        self._picture, self._trail, self._record, self._clock = picture, trail, record, clock

    def trail(self, table: str) -> Sequence[Acknowledgement]:
        """Who acknowledged what about this table, newest first."""
        return self._trail.of_table(table)

    def open_alert(self, table: str, number: int) -> TileAlert:
        """Raises LookupError if the floor has no such alert, or if it is acknowledged already."""
        for alert in self._alerts(table):
            if (alert.source, alert.number, alert.who) == ("floor", number, ""):
                return alert
        about = f"table {table!r} has" if table else "there is"
        raise LookupError(f"{about} no open alert {number} of the floor")

    async def acknowledge(self, table: str, number: int, person: Person, why: str) -> None:
        """Raises LookupError as `open_alert`, NotActing and StoreError."""
        alert, now = self.open_alert(table, number), self._clock()
        about = alert.number, alert.kind, alert.text, alert.since
        entry = Acknowledgement(now, table, *about, person.name, person.role, why)
        await self._record(KIND, asdict(entry))
        self.open_alert(table, number)  # another person may have acknowledged it meanwhile
        self._trail.add(entry)
        self._picture.acknowledge(number, person.name, now)

    def _alerts(self, table: str) -> Sequence[TileAlert]:
        if not table:
            return self._picture.own_alerts
        tile = self._picture.tiles.get(table)
        return tile.alerts if tile else ()


Number = Annotated[int, Path(ge=1, le=MOST_NUMBER)]
RESPONSES = {
    409: {"model": Problem, "description": "The alert does not exist, or it is acknowledged already"},
    503: {"model": Problem, "description": "The floor cannot write its own journal now"},
}


def add(app: FastAPI) -> None:
    """Adds the routes that acknowledge an alert."""
    guarded = for_roles(*ACKNOWLEDGING)
    guard = guarded | {"responses": guarded["responses"] | RESPONSES}

    @app.post(
        "/api/v1/floor/tables/{table}/alerts/{number}/acknowledgement",
        status_code=204,
        summary="Acknowledge an alert of the floor about a table",
        **guard,
    )
    async def about_table(
        table: TableName, number: Number, body: AcknowledgeBody, session: Actor, context: Context
    ) -> None:
        """The table's own alerts have another path."""
        await _acknowledge(context, table, number, session.person, body.why)

    @app.post(
        "/api/v1/floor/alerts/{number}/acknowledgement",
        status_code=204,
        summary="Acknowledge an alert about the floor itself",
        **guard,
    )
    async def about_floor(number: Number, body: AcknowledgeBody, session: Actor, context: Context) -> None:
        """Such an alert belongs to no table."""
        await _acknowledge(context, "", number, session.person, body.why)


async def _acknowledge(context: FloorContext, table: str, number: int, person: Person, why: str) -> None:
    try:
        await context.alerts.acknowledge(table, number, person, why)
    except LookupError as error:
        raise HTTPException(409, str(error.args[0])) from None
    except (StoreError, NotActing) as error:
        raise HTTPException(503, str(error)) from None
    context.look()
