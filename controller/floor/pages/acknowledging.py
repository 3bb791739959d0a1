"""Acknowledging the floor's own alerts about a table."""

from collections.abc import Callable, Sequence
from typing import Annotated

from fastapi import FastAPI, HTTPException, Path

from controller.access.people import Person
from controller.floor.acknowledgements import Acknowledgement, AcknowledgementTrail
from controller.floor.day_file import StoreError
from controller.floor.pages.context import Context, TableName
from controller.floor.pages.rendering import ACKNOWLEDGING
from controller.floor.tables.picture import FloorPicture
from controller.floor.tables.tile import TileAlert
from controller.monitor.authorization import Actor, for_roles
from controller.socket.texts import Reason, RequestModel
from controller.table.people.supervisor_commands import MOST_NUMBER


class AcknowledgeBody(RequestModel):
    """`why`: what the person found, or did about it."""

    why: Reason


class FloorAlertDesk:
    """Acknowledges alerts: first on disk, then in the picture. `clock`: Unix time."""

    def __init__(
        self, picture: FloorPicture, trail: AcknowledgementTrail, clock: Callable[[], float]
    ) -> None:
        self._picture, self._trail, self._clock = picture, trail, clock

    def trail(self, table: str) -> Sequence[Acknowledgement]:
        """Who acknowledged what about this table, newest first."""
        return self._trail.of_table(table)

    def acknowledge(self, table: str, number: int, person: Person, why: str) -> None:
        """Raises LookupError if this table has no such alert, or somebody has acknowledged it already, and
        StoreError."""
        alert = self._open_alert(table, number)
        now = self._clock()
        about = alert.number, alert.kind, alert.text, alert.since
        self._trail.add(Acknowledgement(now, table, *about, person.name, person.role, why))
        self._picture.acknowledge(number, person.name, now)

    def _open_alert(self, table: str, number: int) -> TileAlert:
        tile = self._picture.tiles.get(table)
        for alert in tile.alerts if tile else ():
            if (alert.source, alert.number, alert.who) == ("floor", number, ""):
                return alert
        raise LookupError(f"table {table!r} has no open alert {number} of the floor")


Number = Annotated[int, Path(ge=1, le=MOST_NUMBER)]


def add(app: FastAPI) -> None:
    """Adds the route that acknowledges an alert."""

    @app.post(
        "/api/v1/floor/tables/{table}/alerts/{number}/acknowledgement",
        status_code=204,
        summary="Acknowledge an alert of the floor about a table",
        **for_roles(*ACKNOWLEDGING),
    )
    async def acknowledgement(
        table: TableName, number: Number, body: AcknowledgeBody, session: Actor, context: Context
    ) -> None:
        """409: there is no such alert, or somebody has acknowledged it already. 503: the disk refuses it."""
        try:
            context.alerts.acknowledge(table, number, session.person, body.why)
        except LookupError as error:
            raise HTTPException(409, str(error.args[0])) from None
        except StoreError as error:
            raise HTTPException(503, str(error)) from None
        context.look()
