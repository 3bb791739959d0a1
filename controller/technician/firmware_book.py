"""A table's journal while the firmware of one of its devices is updated, with no daemon: what the device
tells and what it is asked for is kept as the daemon keeps it."""

from collections.abc import Callable
from typing import Any

from controller.journal.journal import Journal
from controller.table.apply import apply, is_repeat
from controller.table.events import Action, ActionEnded, DeviceEvent, DeviceUp, EventsMissing, Input, Started
from controller.table.notes import FirmwareUpdated
from controller.table.rows import row
from controller.table.state import TableState
from drivers.link import facts as link
from drivers.messages import CommandBody


class FirmwareBook:
    """Raises JournalError when the journal cannot be written: nothing is then sent or committed."""

    def __init__(self, journal: Journal, state: TableState, device: str, clock: Callable[[], float]) -> None:
        self._journal, self._state, self._device, self._clock = journal, state, device, clock

    def open(self, started: Started) -> None:
        """The configuration in force, as at the start of a daemon."""
        self._take(started)

    def note(self, update: FirmwareUpdated) -> None:
        """How the update stands."""
        self._journal.append([row(self._clock(), update)])

    def bookmark(self) -> link.Bookmark:
        """What the journal knows of the device."""
        return self._state.devices[self._device].bookmark()

    def told(self, event: link.HostEvent) -> int | None:
        """The device told something."""
        if (report := _REPORTS.get(type(event))) is None:
            return None
        told = report(self._device, event)
        if not is_repeat(self._state, told):
            self._take(told)
        return self.bookmark().newest if isinstance(told, DeviceEvent | EventsMissing) else None

    def order(self, key: int, record: CommandBody) -> None:
        """The device is about to be asked."""
        self._take(Action(self._device, key, record))

    def _take(self, event: Input) -> None:
        at = self._clock()
        notes = apply(self._state, event, at)
        self._journal.append([row(at, event), *(row(at, note) for note in notes)])


def _event(device: str, event: link.EventArrived) -> DeviceEvent:
    return DeviceEvent(
        device,
        event.log,
        event.number,
        event.uptime_us,
        event.boot,
        event.body,
        event.history,
        event.critical,
    )


_REPORTS: dict[type, Callable[[str, Any], Input]] = {
    link.Up: lambda device, up: DeviceUp(device, up.facts, up.relation),
    link.EventArrived: _event,
    link.EventsLost: lambda device, lost: EventsMissing(device, lost.log, lost.first, lost.last),
    link.ActionEnded: lambda device, ended: ActionEnded(device, ended.key, ended.status, ended.text),
}
