"""Sends lamps, permit, prompt and display lines to the devices when they differ from what was sent last."""

from itertools import zip_longest

from controller.currency import using
from controller.table.devices import TableDevices
from controller.table.state.table_state import TableState
from controller.table.view.console import key_lamps, permit, prompt
from controller.table.view.display import display, levels
from controller.table.view.lamps import lamps
from drivers.protocol.codes import LevelState

Level = tuple[int, LevelState]


class Outputs:
    """Keeps what was last sent to the lamps, the lock, the console and the display."""

    def __init__(self, fixtures: TableDevices) -> None:
        self._fixtures = fixtures
        self._lamps = b""
        self._prompt: tuple[str, int] | None = None
        self._keys: int | None = None
        self._up_to: int | None = None
        self._lines: tuple[str, ...] = ()
        self._levels: tuple[tuple[int, LevelState], ...] = ()

    def permit(self, state: TableState) -> int | None:
        """The shoe's permit if it is new and must be journaled before it is sent; None if it has not changed
        or if the shoe is locked."""
        up_to = permit(state)
        return up_to if up_to and up_to != self._up_to else None

    def update(self, state: TableState) -> None:
        """Send what has changed. The state and the permit must be on disk."""
        with using(state.rules.money):
            self._show_lamps(state)
            self._show_lock(state)
            self._show_console(state)
            self._show_display(state)
            self._show_levels(state)

    def _show_lamps(self, state: TableState) -> None:
        pattern = lamps(state)
        if pattern != self._lamps:
            self._lamps = pattern
            self._fixtures.sensors.show(pattern)

    def _show_lock(self, state: TableState) -> None:
        up_to = permit(state)
        if up_to == self._up_to:
            return
        self._up_to = up_to
        if up_to:
            self._fixtures.shoe.permit(up_to)
        else:
            self._fixtures.shoe.lock()

    def _show_console(self, state: TableState) -> None:
        due, keys = prompt(state), key_lamps(state)
        console = self._fixtures.console
        if console is None:
            return
        if due != self._prompt:
            self._prompt = due
            console.prompt(*due)
        if keys != self._keys:
            self._keys = keys
            console.key_lamps(keys)

    def _show_display(self, state: TableState) -> None:
        lines = display(state)
        if self._fixtures.display is None or lines == self._lines:
            return
        for number, line in enumerate(lines):
            if self._lines[number : number + 1] != (line,):
                self._fixtures.display.text(number, line)
        self._lines = lines

    def _show_levels(self, state: TableState) -> None:
        wanted = levels(state)
        current = tuple(
            _pending_first(level, was) for level, was in zip_longest(wanted, self._levels[: len(wanted)])
        )
        if self._fixtures.display is None or current == self._levels:
            return
        for number, (cents, level) in enumerate(current):
            if self._levels[number : number + 1] != ((cents, level),):
                self._fixtures.display.level(number, cents, level)
        self._levels = current


def _pending_first(wanted: Level, was: Level | None) -> Level:
    """The level to send now: a new win is sent as pending first. The next batch, at most half a second later,
    sends the win."""
    is_new = wanted[1] is LevelState.WIN and (was is None or was[1] is LevelState.RUNS)
    return (wanted[0], LevelState.PENDING) if is_new else wanted
