"""A table that records its inputs, to replay them through a journal to a daemon that starts."""

from pathlib import Path

from controller.journal.journal import Journal
from controller.table.record.codec import snapshot_row, to_row
from controller.table.record.events import Input
from controller.table.record.notes import Note, RoundEnded
from controller.table.recovery import recover
from controller.table.state.table_state import TableState
from drivers.messages import CardUnreadable
from tests.fixtures.state_table import StateTable, of_kind


class RecordedTable(StateTable):
    """A state table that records its inputs."""

    def __init__(self, tokens: str = "", game: str = "ez-bust", **options: object) -> None:
        self.inputs: list[Input] = []
        super().__init__(game, **options)
        self.play(tokens)

    def apply(self, *events: Input) -> list[Note]:
        self.inputs += events
        return super().apply(*events)

    def unreadable_card(self) -> list[Note]:
        self.script.cards += 1
        return self.shoe(CardUnreadable(self.script.cards))

    def recovered(self, path: Path) -> TableState:
        """The state after a start on a journal with the same inputs and a snapshot behind every round."""
        started = self.script.started()
        with Journal(path) as journal:
            table = StateTable.of(recover(journal, started), self.script)
            for event in self.inputs:
                notes = table.apply(event)
                ended = [snapshot_row(0.0, table.state)] if of_kind(RoundEnded, notes) else []
                journal.append([to_row(0.0, event), *(to_row(0.0, note) for note in notes), *ended])
        with Journal(path) as journal:
            return recover(journal, started)
