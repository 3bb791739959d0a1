"""A table on a real journal with devices that write down what is asked of them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from controller.journal.journal import ROLL_ROWS, Journal
from controller.table.errors import NotAllowed
from controller.table.events import Answered, Asked, ClaimStep, Input, MeterCorrection, Started, Supervisor
from controller.table.fixtures import Fixtures
from controller.table.loop import Clocks, Heard, Table
from controller.table.recovery import recover
from controller.table.tokens import carried
from controller.table.witness import Witness
from drivers.messages import CommandBody
from drivers.protocol.codes import LevelState


@dataclass
class Recorded:
    """Every kind of device at once: keeps the calls, in order."""

    name: str
    calls: list[tuple[object, ...]]
    key: int = 0

    def commit(self, number: int) -> None:
        self.calls.append((self.name, "commit", number))

    def reserve_key(self) -> int:
        self.key += 1
        return self.key

    def act(self, key: int, record: CommandBody) -> None:
        self.calls.append((self.name, "act", key, record))

    def permit(self, up_to: int) -> None:
        self.calls.append((self.name, "permit", up_to))

    def lock(self) -> None:
        self.calls.append((self.name, "lock"))

    def show(self, lamps: bytes) -> None:
        self.calls.append((self.name, "show", lamps))

    def prompt(self, text: str, seat: int = 0) -> None:
        self.calls.append((self.name, "prompt", text, seat))

    def key_lamps(self, mask: int) -> None:
        self.calls.append((self.name, "key_lamps", mask))

    def buzz(self, ms: int) -> None:
        self.calls.append((self.name, "buzz", ms))

    def level(self, number: int, cents: int, state: LevelState = LevelState.RUNS) -> None:
        self.calls.append((self.name, "level", number, cents, state))

    def text(self, line: int, text: str) -> None:
        self.calls.append((self.name, "text", line, text))


@dataclass
class Stage:
    """An open table; time stands still unless a test moves it."""

    table: Table
    journal: Journal
    calls: list[tuple[object, ...]]
    renewed: list[str] = field(default_factory=list)

    def take(self, *events: Input) -> None:
        """One turn for each event; whoever decides has looked at the preview."""
        for event in events:
            self.table.turn([heard(looked(self.table, event))])

    def asked(self, device: str, verb: str) -> list[tuple[object, ...]]:
        """What was asked of a device, oldest first."""
        return [call[2:] for call in self.calls if call[:2] == (device, verb)]

    def kinds(self) -> list[str]:
        """The kinds of all rows."""
        return [entry.content.kind for entry in self.journal.since(0)]


def looked(table: Table, event: Input) -> Input:
    """A decision with the token of its preview, where it has none and could be done."""
    if not isinstance(event, Supervisor | ClaimStep | MeterCorrection | Asked | Answered) or carried(event):
        return event
    with suppress(NotAllowed):
        token = table.preview(event).token
        if not isinstance(event, Asked):
            return replace(event, token=token)
        if event.word:
            return replace(event, word=replace(event.word, token=token))
        if event.meter:
            return replace(event, meter=replace(event.meter, token=token))
    return event


def heard(event: Input) -> Heard:
    return Heard(1000.0, 0.0, event)


@contextmanager
def stage(
    path: Path, started: Started, witnesses: Sequence[Witness] = (), most: int = ROLL_ROWS
) -> Iterator[Stage]:
    """A table with all five devices, started on the journal at `path`, of whose files each is closed when it
    has so many rows."""
    calls: list[tuple[object, ...]] = []
    renewed: list[str] = []
    shoe, sensors, console, shuffler, display = (
        Recorded(name, calls) for name in ("shoe", "sensors", "console", "shuffler", "display")
    )
    with Journal(path, most=most) as journal:
        state = recover(journal, started)
        fixtures = Fixtures(shoe, sensors, console, shuffler, display)
        clocks = Clocks(lambda: 1000.0, lambda: 0.0)
        table = Table(journal, state, fixtures, clocks, witnesses=witnesses, renew=renewed.append)
        table.begin(started)
        yield Stage(table, journal, calls, renewed)
