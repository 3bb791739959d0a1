"""The command `tableside journal slip`."""

from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

import typer

from controller.commands.arguments import read_config
from controller.commands.config_file import ConfigFile
from controller.commands.exit_codes import failed
from controller.commands.journal_money import use_currency_of
from controller.commands.output_file import output
from controller.journal.errors import JournalError
from controller.monitor.house import house_of
from controller.past.slips.page import slip_html
from controller.past.slips.slip import read_slip

Number = Annotated[int, typer.Argument(metavar="CLAIM", min=1, help="The claim's number.")]
Output = Annotated[Path, typer.Option("--output", metavar="FILE", help="The page, with mode 0600.")]


def slip_command(claim: Number, config: ConfigFile, to_file: Output) -> None:
    """Write the slip of a won jackpot as one HTML page, to print, to sign and to keep.

    The journal is only read; its table may run meanwhile.

    Example: tableside journal slip 12 --output slip-12.html --config table.toml
    """
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
