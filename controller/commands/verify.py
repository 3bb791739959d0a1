"""The command `tableside verify`."""

import re
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from controller.commands.arguments import AsJson, JournalConfig, print_json, read_config
from controller.commands.exit_codes import failed, usage
from controller.daemon.faults import FAILED
from controller.journal.errors import JournalError
from controller.journal.trust import read_public
from controller.past.verify.audit import available_processors, verify
from controller.past.verify.external import VerifyDemands
from controller.past.verify.output import overview, remarks, verify_json

Journal = Annotated[
    Path | None,
    typer.Argument(
        metavar="JOURNAL", help="The journal's file, unless --config names it.", show_default=False
    ),
]
Mirror = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Its mirror, where no configuration names it.")
]
Public = Annotated[
    str | None,
    typer.Option(metavar="HEX|FILE", help="The key that must have signed, or the file that it is in."),
]
Expect = Annotated[
    list[str] | None,
    typer.Option(metavar="ROW:HASH", help="A row and the hash that was noted for it; may be repeated."),
]
Rules = Annotated[
    bool,
    typer.Option("--rules", help="Settle each round once more by the rules, too; it takes longer."),
]
Processes = Annotated[int, typer.Option(min=0, help="Processes at most; 0: one for each processor.")]
_HASH = re.compile(r"[0-9a-f]{64}", re.IGNORECASE | re.ASCII)
_NOTED = re.compile(r"([1-9][0-9]{0,17}):([0-9a-f]{64})", re.IGNORECASE | re.ASCII)


def verify_command(
    journal: Journal = None,
    config: JournalConfig = None,
    mirror: Mirror = None,
    public: Public = None,
    expect: Expect = None,
    rules: Rules = False,
    processes: Processes = 0,
    as_json: AsJson = False,
) -> None:
    """Check a whole journal: chain, signatures, meters, money, mirror.

    The journal is only read; its table may run meanwhile. Status 1: something is wrong.

    Example: tableside verify table.journal --rules
    """
    path, mirror_path, known = _journal(journal, config, mirror)
    demands = VerifyDemands(
        _key(public) if public else known,
        tuple(map(_noted, expect or ())),
        mirror_path,
        rules,
        processes or available_processors(),
    )
    try:
        report = verify(path, demands)
    except JournalError as error:
        raise failed(str(error)) from None
    if as_json:
        print_json(verify_json(report))
    else:
        console = Console(markup=False, highlight=False)
        console.print(overview(report))
        console.print(*remarks(report), sep="\n", soft_wrap=True)
    raise typer.Exit(FAILED if report.findings else 0)


def _journal(
    journal: Path | None, config: Path | None, mirror: Path | None
) -> tuple[Path, Path | None, bytes | None]:
    """The journal, its mirror, and the public key beside the configuration."""
    if config is None:
        if journal is None:
            raise usage("no journal is named; allowed: its file, or --config FILE of its table")
        return journal, mirror, None
    if journal:
        raise usage(f"{journal} is not allowed with --config; allowed: one of them")
    try:
        section = read_config(config).journal
        known = read_public(Path(section.public))
    except JournalError as error:
        raise failed(str(error)) from None
    return Path(section.path), mirror or (Path(section.mirror) if section.mirror else None), known


def _key(text: str) -> bytes:
    digits = text
    if not _HASH.fullmatch(text):
        try:
            digits = Path(text).read_text("ascii", errors="replace").strip()
        except OSError as error:
            raise usage(
                f"--public {text}: {error.strerror}; allowed: 64 hexadecimal digits or a file with them"
            ) from None
    if not _HASH.fullmatch(digits):
        raise usage(f"--public {text}: no key is in there; allowed: 64 hexadecimal digits")
    return bytes.fromhex(digits)


def _noted(text: str) -> tuple[int, bytes]:
    found = _NOTED.fullmatch(text)
    if not found:
        raise usage(f"--expect {text!r} is not allowed; allowed: ROW:HASH, a hash of 64 hexadecimal digits")
    return int(found[1]), bytes.fromhex(found[2])
