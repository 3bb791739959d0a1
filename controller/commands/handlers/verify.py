"""What `tableside journal verify` does."""

import re
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import typer
from rich.console import Console

from controller.commands.arguments import print_json
from controller.commands.config_file import journal_config
from controller.commands.configurations import read_config
from controller.commands.exit_codes import failed, usage
from controller.commands.journal_money import use_currency_of
from controller.journal.errors import JournalError
from controller.journal.trust import read_public
from controller.past.anchor import ALLOWED, Anchor, read_anchors
from controller.past.verify.audit import available_processors, verify
from controller.past.verify.external import VerifyDemands
from controller.past.verify.output import overview, remarks, verify_json
from controller.process.faults import FAILED

_HASH = re.compile(r"[0-9a-f]{64}", re.IGNORECASE | re.ASCII)


def handle(
    journal: Path | None,
    *,
    config: Path | None,
    mirror: Path | None,
    public: str | None,
    anchor: list[str] | None,
    rules: bool,
    processes: int,
    as_json: bool,
) -> None:
    path, mirror_path, known = _journal(journal, config, mirror)
    use_currency_of(path)
    demands = VerifyDemands(
        _key(public) if public else known,
        tuple(chain.from_iterable(map(_anchors, anchor or ()))),
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
    if journal and config:
        raise usage(f"{journal} is not allowed with --config; allowed: one of them")
    if journal:
        return journal, mirror, None
    try:
        section = read_config(config or journal_config()).journal
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


def _anchors(written: str) -> Sequence[Anchor]:
    """The anchor ROW:HASH, or those in a file."""
    if ":" in written or not Path(written).exists():
        try:
            return [Anchor.parse(written)]
        except ValueError as error:
            raise usage(f"--anchor {error}, or a file of them") from None
    try:
        return read_anchors(Path(written))
    except OSError as error:
        raise usage(f"--anchor {written}: {error.strerror}; allowed: {ALLOWED}, or a file of them") from None
    except ValueError as error:
        raise usage(f"--anchor {written}, {error}") from None
