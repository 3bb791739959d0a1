"""The causes for which a table is halted: what each of them says, and what people do."""

import pytest

from controller.daemon.halted.cause import HaltCause, cause_at_start, cause_in_play
from controller.jackpot import Books, Unbalanced
from controller.journal.errors import JournalDamaged, JournalError
from controller.monitor.outage.outage import cause_of
from controller.monitor.outage.page import render
from controller.process.traces import fault_location, trace
from controller.socket.results import HaltedView
from tests.controller.monitor.outage.test_page import WHY, outage


def bug() -> ValueError:
    """A bug whose values hold a face-down card."""
    try:
        raise ValueError("Ts of 9 is no card")
    except ValueError as error:
        return error


def shown(cause: HaltCause) -> str:
    """The page of the web server."""
    return render(outage(cause_of(HaltedView(cause.title, cause.why, cause.means, cause.steps, 0.0, None))))


def unbalanced() -> JournalError:
    """As a start finds it."""
    with pytest.raises(Unbalanced) as caught:
        Books(display=5)
    error = JournalDamaged("the journal cannot be replayed: books")
    error.__cause__ = caught.value
    return error


TITLES = {
    "The journal cannot be trusted": cause_at_start(JournalDamaged(WHY)),
    "The journal cannot be used": cause_at_start(JournalError("journal /j is not writable")),
    "The jackpots' books do not add up": cause_at_start(unbalanced()),
    "The journal cannot be written": cause_in_play(JournalError("row 3 cannot be written: disk is full")),
    "The software failed": cause_in_play(bug()),
}


@pytest.mark.parametrize("title", TITLES)
def test_each_cause_says_what_to_do(title: str) -> None:
    cause = TITLES[title]
    assert cause.title == title
    assert len(cause.steps) >= 3
    assert all(text.endswith(".") for text in (cause.means, *cause.steps))
    assert f'<h2 id="title">{title.replace(chr(39), "&#39;")}</h2>' in shown(cause)


def test_unbalanced_meter_books_halt_a_running_table() -> None:
    error = unbalanced().__cause__
    assert error is not None
    assert cause_in_play(error).title == "The jackpots' books do not add up"
    assert "display" in cause_in_play(error).why


def test_a_fault_is_told_without_its_values() -> None:
    text = f"{shown(cause_in_play(bug()))} {fault_location(bug())} {trace(bug())}"
    assert "ValueError in bug, line " in text
    assert "Ts" not in text.replace("Tableside", "")
