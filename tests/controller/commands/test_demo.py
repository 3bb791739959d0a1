"""What `tableside demo` refuses before it starts anything."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from controller.commands.app import app
from controller.demo.reservations import MOST_FOLDER


def test_an_unknown_game_is_a_usage_error() -> None:
    result = CliRunner().invoke(app, ["demo", "--game", "chess"])
    assert result.exit_code == 2
    assert "'chess' is not a game; allowed: " in result.stderr


def test_a_commercial_shoe_is_not_on_usb() -> None:
    done = CliRunner().invoke(app, ["demo", "--shoe", "bee-tek", "--usb"])
    assert done.exit_code == 2
    assert "a bee-tek is not on USB" in done.output


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = CliRunner().invoke(app, ["demo", "--json", "--folder", str(tmp_path / "file" / "below")])
    assert result.exit_code == 1
    assert str(tmp_path / "file" / "below") in result.stderr


def test_a_folder_name_too_long_for_sockets_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / ("x" * MOST_FOLDER)
    result = CliRunner().invoke(app, ["demo", "--json", "--folder", str(folder)])
    assert result.exit_code == 1
    assert f"a name of {len(str(folder))} bytes; allowed: up to {MOST_FOLDER}" in result.stderr
    assert not folder.exists()


@pytest.mark.parametrize("given", [("--rounds", "3"), ("--json",)])
@pytest.mark.parametrize("part", ["--dealer", "--players"])
def test_rounds_and_figures_are_not_for_people_who_play(part: str, given: tuple[str, ...]) -> None:
    done = CliRunner().invoke(app, ["demo", part, "me", *given], env={"COLUMNS": "200"})
    assert done.exit_code == 2
    assert "only for --dealer crew and --players crew" in done.output
    assert given[0] in done.output
