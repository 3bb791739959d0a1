"""What `tableside demo` refuses before it starts anything."""

from pathlib import Path

from typer.testing import CliRunner

from controller.cli import app


def test_an_unknown_game_is_a_usage_error() -> None:
    result = CliRunner().invoke(app, ["demo", "--game", "chess"])
    assert result.exit_code == 2
    assert "'chess' is no game; allowed: " in result.stderr


def test_a_commercial_shoe_is_not_on_usb() -> None:
    done = CliRunner().invoke(app, ["demo", "--shoe", "bee-tek", "--usb"])
    assert done.exit_code == 2
    assert "a bee-tek is not on USB" in done.output


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = CliRunner().invoke(app, ["demo", "--json", "--folder", str(tmp_path / "file" / "below")])
    assert result.exit_code == 1
    assert str(tmp_path / "file" / "below") in result.stderr
