"""The course of a firmware update, or of another maker's key: what all of them have for `Updater`."""

from dataclasses import dataclass
from typing import Literal, Protocol

from drivers.link.reports import LinkEvent
from drivers.messages import CommandBody

UpdateResult = Literal["confirmed", "runs already", "reverted", "reverts", "replaced", "failed"]


@dataclass(frozen=True, slots=True)
class UpdateEnd:
    """How it ended. `text` is a sentence for a technician."""

    result: UpdateResult
    text: str


class UpdateCourse(Protocol):
    """Takes the events of the link and says which action is due, from one session to the next, until it has
    `ended`."""

    ended: UpdateEnd | None

    @property
    def deadline(self) -> float:
        """When `tick` has something to do."""

    def handle(self, event: LinkEvent, now: float) -> None:
        """Takes an event of the link."""

    def tick(self, now: float) -> None:
        """Ends it if a phase takes too long."""

    def due(self, now: float) -> CommandBody | None:
        """The action to journal and send now. Call `action_sent` once it is journaled."""

    def action_sent(self, key: int, record: CommandBody) -> None:
        """Notes that the action goes out under this key."""
