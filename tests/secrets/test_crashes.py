"""What is said about an error names no card: no traceback, no log line, no repr of a record."""

import asyncio
import io
import re
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.cards import Card
from controller.daemon.halted.cause import cause_in_play
from controller.process.traces import trace
from controller.round import CardOut
from controller.table.record.codec import to_row
from controller.table.record.events import DeviceEvent, Input, Supervisor
from controller.table.record.notes import Note
from controller.table.state.table_state import TableState, UnplacedCard
from controller.table.state_machine import apply
from drivers.messages import CardDrawn, CardUnpermitted
from tests.secrets.clockwork import VirtualLoop
from tests.secrets.courses import PLAYS
from tests.secrets.leaks import hole
from tests.secrets.outlets import TIMESTAMP
from tests.secrets.story import Restart, Said, Story, story
from tests.secrets.twins import written
from tests.secrets.watched_table import Glass, behind_glass

ADDRESS = re.compile("0x[0-9a-f]+")
RECORDS: tuple[Callable[[str], Any], ...] = (
    lambda card: CardDrawn(1, card),
    lambda card: CardUnpermitted(1, card),
    lambda card: DeviceEvent("shoe", b"", 1, 1, b"", CardDrawn(1, card), history=False),
    lambda card: CardOut(Card(card)),
    lambda card: UnplacedCard(1, card, "could not be read", regular=False),
    lambda card: Supervisor("card", "Ann", "seen", card),
    lambda card: to_row(0.0, DeviceEvent("shoe", b"", 1, 1, b"", CardDrawn(1, card), history=False)),
)
"""Records that may hold the face-down card."""


@pytest.mark.parametrize("make", RECORDS)
def test_no_repr_names_a_card(make: Callable[[str], Any]) -> None:
    assert repr(make("9h")) == repr(make("Tc"))
    assert make("9h") != make("Tc")


FAULTS: dict[str, Callable[[TableState, Input], BaseException]] = {
    "a key that is not there": lambda _, event: KeyError(event),
    "a card that has no place": lambda state, _: AssertionError(state.unplaced, state.round),
    "anything": lambda *_: RuntimeError("it broke"),
}
"""Our own bugs, with what they might carry."""


@pytest.mark.parametrize("fault", FAULTS)
def test_no_report_of_a_crash_names_the_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    def breaking(state: TableState, event: Input, at: float) -> list[Note]:
        notes = apply(state, event, at)
        if hole(state):
            raise FAULTS[fault](state, event)
        return notes

    monkeypatch.setattr("controller.table.loop.apply", breaking)
    course = PLAYS["easy jack"]
    one, other = (crashed(tmp_path / card, story(course, card)) for card in ("As", "Tc"))
    assert "in breaking" in one
    assert one == other


def crashed(folder: Path, story: Story) -> str:
    """Everything shown when the table fails: printed, logged, and on the page of a halted one."""
    folder.mkdir()
    with written() as log, asyncio.Runner(loop_factory=VirtualLoop) as runner:
        error = runner.run(_broken(folder, story))
        runner.get_loop().call_exception_handler({"message": "never retrieved", "exception": error})
        halted = f"{cause_in_play(error)} {trace(error)}"
        shown = "".join(traceback.format_exception(error)) + halted
        return ADDRESS.sub("0x", TIMESTAMP.sub("", shown + log.getvalue()))


async def _broken(folder: Path, story: Story) -> BaseException:
    async with behind_glass(folder, story.started, io.StringIO()) as glass:
        for event in story.opening:
            await glass.take(event)
        return await _fault(glass, story)


async def _fault(glass: Glass, story: Story) -> BaseException:
    for _, act in story.acts:
        assert not isinstance(act, Said | Restart)
        try:
            await glass.take(act)
        except (KeyError, AssertionError, RuntimeError) as error:
            return error
    raise AssertionError("nothing broke")
