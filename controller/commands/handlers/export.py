"""What `tableside journal export` does."""

from collections.abc import Iterator
from pathlib import Path

import typer

from controller.commands.config_file import journal_config
from controller.commands.configurations import configured_journal
from controller.commands.exit_codes import failed, usage
from controller.commands.export import Format, What
from controller.commands.journal_money import use_currency_of
from controller.commands.output_file import output
from controller.journal.chain import JournalRow
from controller.journal.errors import JournalError
from controller.journal.history import History
from controller.past.export import cells, span
from controller.past.export.chapters import RoundRows, round_of, rounds_of_rows
from controller.past.export.evidence import as_tar, evidence
from controller.past.export.lines import as_line
from controller.past.export.proof import prove
from controller.past.export.seat_lines import HEADINGS, csv_cells, json_line
from controller.past.export.seat_sessions import corrected_rounds, line_of, seat_sessions
from controller.past.export.sheets import SHEETS
from controller.past.export.span import ExportSpan, SpanEnd


def handle(
    journal: Path | None,
    *,
    config: Path | None,
    as_format: Format,
    what: What | None,
    begin: str | None,
    end: str | None,
    one: int | None,
    absent: int,
    evidence_of: int | None,
    to_file: Path | None,
) -> None:
    if what not in {None, What.SEATS} and as_format != Format.CSV:
        raise usage("--what is allowed with --format csv only, but for seats")
    spanned = _span(begin, end, one)
    path = _journal(journal, config)
    use_currency_of(path)
    try:
        if what == What.SEATS and evidence_of is None:
            _seats(path, spanned, absent, as_format, to_file)
        elif evidence_of is not None:
            _bundle(path, evidence_of, to_file, ranged=spanned != ExportSpan())
        else:
            _rows(path, spanned, what or What.SETTLEMENTS if as_format == Format.CSV else None, to_file)
    except JournalError as error:
        raise failed(str(error)) from None
    except BrokenPipeError:
        raise
    except OSError as error:
        raise failed(f"{to_file} cannot be written: {error.strerror}") from None


def _journal(named: Path | None, config: Path | None) -> Path:
    if config and named:
        raise usage(f"{named} and --config are not allowed together; allowed: one of them")
    return named or configured_journal(config or journal_config())


def _span(begin: str | None, end: str | None, one: int | None) -> ExportSpan:
    if one is not None and (begin or end):
        raise usage("--round and --from or --to are not allowed together; allowed: --round, or the others")
    if one is not None:
        return ExportSpan(SpanEnd(round=one), SpanEnd(round=one))
    try:
        return ExportSpan(span.first(begin) if begin else SpanEnd(), span.last(end) if end else SpanEnd())
    except ValueError as error:
        raise usage(str(error)) from None


def _bundle(path: Path, number: int, to_file: Path | None, *, ranged: bool) -> None:
    if to_file is None or ranged:
        raise usage("--evidence needs --output FILE, and no --round, --from or --to")
    bundle = evidence(prove(History(path).rows(), number))
    with output(to_file) as write:
        write(as_tar(bundle, number))
    typer.echo(f"tableside: evidence {bundle.hash}", err=True)


def _rows(path: Path, wanted_span: ExportSpan, what: What | None, to_file: Path | None) -> None:
    written = _json_lines(path, wanted_span) if what is None else _csv_lines(path, wanted_span, what)
    with output(to_file) as write:
        for line in written:
            write(line)


def _seats(path: Path, wanted_span: ExportSpan, absent: int, as_format: Format, to_file: Path | None) -> None:
    history = History(path)
    corrected = corrected_rounds(history.rows())
    sessions = seat_sessions(rounds_of_rows(history.rows()), corrected, wanted_span, absent)
    with output(to_file) as write:
        if as_format == Format.CSV:
            write(cells.csv_line(HEADINGS))
        for line in map(line_of, sessions):
            write(cells.csv_line(csv_cells(line)) if as_format == Format.CSV else json_line(line))


def _json_lines(path: Path, wanted_span: ExportSpan) -> Iterator[bytes]:
    return (as_line(entry) for _, entry in _publishable_rows(path, wanted_span))


def _csv_lines(path: Path, wanted_span: ExportSpan, what: What) -> Iterator[bytes]:
    sheet = SHEETS[what]
    yield cells.csv_line(sheet.headings)
    for number, entry in _publishable_rows(path, wanted_span):
        yield from map(cells.csv_line, sheet.lines(number, entry))


def _publishable_rows(path: Path, wanted_span: ExportSpan) -> Iterator[tuple[int, JournalRow]]:
    """The rows that may be published, each with the number of its round. Prints what is left out."""
    for chapter in rounds_of_rows(History(path).rows()):
        for entry in chapter.rows:
            number = round_of(chapter, entry)
            if wanted_span.holds(number, entry.content.at):
                yield number, entry
        _report_withheld(chapter)


def _report_withheld(chapter: RoundRows) -> None:
    if chapter.withheld is not None:
        message = f"round {chapter.number} has not ended yet: rows from {chapter.withheld} on are left out"
        typer.echo(f"tableside: {message}", err=True)
