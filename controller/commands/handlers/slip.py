"""What `tableside journal slip` does."""

from pathlib import Path
from zoneinfo import ZoneInfo

from controller.commands.configurations import read_config
from controller.commands.exit_codes import failed
from controller.commands.journal_money import use_currency_of
from controller.commands.output_file import output
from controller.journal.errors import JournalError
from controller.monitor.house import house_of
from controller.past.slips.page import slip_html
from controller.past.slips.slip import read_slip


def handle(claim: int, config: Path, to_file: Path) -> None:
    found = read_config(config)
    path = Path(found.journal.path)
    use_currency_of(path)
    try:
        slip, zone = read_slip(path, claim), ZoneInfo(found.table.time_zone)
        written = slip_html(slip, zone, house_of(found.web).letterhead).encode()
        with output(to_file) as write:
            write(written)
    except JournalError as error:
        raise failed(str(error)) from None
    except OSError as error:
        raise failed(f"{to_file} cannot be written: {error.strerror}") from None
