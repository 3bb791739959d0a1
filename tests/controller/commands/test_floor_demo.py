"""What `tableside floor demo` refuses before it starts anything."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from controller.commands.app import app
from controller.commands.floor_demo import MOST_TABLES
from controller.demo.reservations import MOST_FOLDER
from controller.floor.demo import roster


@pytest.mark.parametrize("tables", ["0", str(MOST_TABLES + 1)])
def test_a_floor_has_as_many_tables_as_there_are_pits_for(tables: str) -> None:
    result = CliRunner(env={"COLUMNS": "400"}).invoke(app, ["floor", "demo", "--tables", tables])
    assert result.exit_code == 2
    assert "--tables" in result.stderr
    assert MOST_TABLES == roster.MOST_TABLES


def test_a_folder_name_that_is_too_long_for_the_sockets_of_tables_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / ("x" * (MOST_FOLDER - len(str(tmp_path)) - len("/table-1") - 1))
    assert len(str(folder)) < MOST_FOLDER
    result = CliRunner().invoke(app, ["floor", "demo", "--json", "--folder", str(folder)])
    assert result.exit_code == 1
    assert f"allowed: up to {MOST_FOLDER}" in result.stderr
    assert not folder.exists()
