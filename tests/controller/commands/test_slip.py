"""`tableside journal slip`."""

from pathlib import Path

from typer.testing import CliRunner, Result

from controller.commands.app import app
from controller.past.slips.letterhead import Letterhead
from controller.past.slips.page import slip_html
from tests.controller.past.slips.jackpot_hit import end, jackpot_hit, slip_of
from tests.fixtures.played_journal import CONFIG


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["slip", *arguments])


def test_a_slip_is_written_as_a_page_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(f'{CONFIG}[web]\nhouse = "Grand"\n')
    with jackpot_hit(tmp_path) as at:
        end(at)
        config, file = str(tmp_path / "table.toml"), tmp_path / "slip.html"
        result = run("1", "--config", config, "--output", str(file))
        assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
        assert file.read_text("utf-8") == slip_html(slip_of(tmp_path), house=Letterhead("Grand"))
        assert file.stat().st_mode & 0o777 == 0o600
        result = run("2", "--config", config, "--output", str(file))
        assert (result.exit_code, result.stderr) == (1, "tableside: claim 2 is not in the journal\n")
        result = run("1", "--config", config, "--output", str(tmp_path / "no" / "slip.html"))
        assert "no/slip.html cannot be written: No such file or directory" in result.stderr
        assert run("1", "--config", "absent.toml", "--output", str(file)).exit_code == 2
