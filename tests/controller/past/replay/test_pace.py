"""A round replayed at its own pace, in virtual time."""

import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from controller.journal.history import History
from controller.past.replay.account import RoundAccount, account_of
from controller.past.replay.output import paced, print_in_time
from controller.past.replay.rounds import ended_rounds
from tests.fixtures.played_journal import journal, played_table, replay


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with played_table(tmp_path) as at:
        at.play("1:main=500 close 5h Tc 6s pay")
    return tmp_path


@pytest.fixture
def round_account(folder: Path) -> RoundAccount:
    """Five steps, the third after two seconds, the fourth after the clock was set back."""
    (kept,) = ended_rounds(History(journal(folder)).rows())
    found = account_of(kept)
    times = (1000.0, 1000.5, 1002.5, 900.0, 901.0)
    steps = zip(found.steps, times, strict=True)
    return replace(found, steps=tuple(replace(step, at=at) for step, at in steps))


@pytest.mark.parametrize(
    ("speed", "waits"), [(1, [0.5, 2.0, 1.0]), (4, [0.125, 0.5, 0.25]), (0.5, [1, 4, 2])]
)
def test_the_time_between_two_steps_is_spent(
    round_account: RoundAccount, speed: float, waits: list[float]
) -> None:
    spent: list[float] = []
    assert list(paced(round_account.steps, speed, spent.append)) == list(round_account.steps)
    assert spent == waits


def test_each_step_is_printed_before_the_next_wait(round_account: RoundAccount) -> None:
    paper = io.StringIO()
    seen: list[int] = []
    print_in_time(
        Console(file=paper, width=100),
        round_account,
        1,
        lambda _: seen.append(paper.getvalue().count("00:1")),
    )
    assert seen == [1, 2, 4]
    assert "Deal 2 cards: 5h\n          seat 1: 5h = 5\n" in paper.getvalue()
    assert "The rules settle this round the same." in paper.getvalue()


def test_no_steps_take_no_time() -> None:
    assert list(paced((), 1, lambda _: None)) == []


def test_ctrl_c_ends_a_paced_replay(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("controller.commands.handlers.replay.print_in_time", interrupted)
    result = replay(folder, "1", "--speed", "1")
    assert (result.exit_code, result.stderr) == (0, "")


def test_the_command_replays_at_the_given_speed(folder: Path) -> None:
    result = replay(folder, "1", "--speed", "1000")
    assert result.exit_code == 0
    assert "00:16:40  Deal 2 cards: 5h\n" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["--speed", "1"], "--speed needs the number of a round"),
        (["1", "--speed", "0"], "--speed 0.0 is not allowed; allowed: a number over 0, as 10 or 0.5"),
        (["1", "--speed", "nan"], "--speed nan is not allowed"),
        (["1", "--speed", "inf"], "--speed inf is not allowed"),
        (["1", "--speed", "1", "--json"], "--script, --json and --speed are not allowed together"),
    ],
)
def test_an_impossible_speed_is_refused(folder: Path, arguments: list[str], fault: str) -> None:
    result = replay(folder, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert fault in result.stderr
