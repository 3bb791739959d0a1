"""The answer to each question about the past. This runs in a worker process."""

from collections.abc import Callable, Mapping
from pathlib import Path

from controller.calendar import Period
from controller.journal.errors import JournalError
from controller.journal.history import AFTER_LAST_ROW
from controller.monitor.past import drawing, queries
from controller.monitor.past.messages import WorkerQuestion, WorkerReply
from controller.monitor.past.titles import TITLES
from controller.past import significant
from controller.past.export import cells
from controller.past.export.lines import iso_time
from controller.past.export.seat_lines import HEADINGS as SEAT_HEADINGS
from controller.past.export.seat_lines import SeatsOfPeriod, csv_cells
from controller.past.recall import audit, search, story
from controller.past.recall.account import RoundStory
from controller.past.recall.audit import AuditPage
from controller.past.recall.query import MOST_SECONDS
from controller.past.recall.scenes import RoundSteps
from controller.past.recall.search import RoundsPage
from controller.past.recall.story import RoundNotFound
from controller.past.slips import page as slip_page
from controller.past.slips import slip as slips
from controller.past.slips.letterhead import Letterhead
from controller.table.record.codec import to_json

HEADINGS = ("row", "time", "sort", "who", "further persons", "what")


def audit_sheet(log: AuditPage) -> bytes:
    """The audit log as CSV, newest first."""
    written = [cells.csv_line(HEADINGS)]
    for line in log.lines:
        who, *others = line.persons or ("",)
        written.append(
            cells.csv_line((line.row, iso_time(line.at), line.sort, who, ", ".join(others), line.text))
        )
    return b"".join(written)


JSON = "application/json"
HTML = "text/html; charset=utf-8"
CSV = "text/csv; charset=utf-8"
ROUNDS_PER_PAGE = 50
LINES_PER_PAGE = 100
"""Lines of the audit log, or significant events, on one page."""

FORMS: Mapping[str, tuple[str, dict[str, object]]] = {
    "rounds page": ("rounds", {"found": RoundsPage((), 0)}),
    "audit page": ("audit", {"log": AuditPage((), 0)}),
    "events page": ("events", {"found": significant.SignificantPage((), more=False)}),
}
"""By question, the template with the form, and its empty result for a query that is not allowed."""

MEMORY = search.SearchMemory()
"""What this process remembers of the files that it has searched."""
AnswerFunction = Callable[[WorkerQuestion], WorkerReply]


def answer(question: WorkerQuestion) -> WorkerReply:
    """The reply for a browser. A failure is a sentence with status 404, 422 or 503."""
    try:
        return ANSWERS[question.what](question)
    except (RoundNotFound, slips.ClaimNotFound) as error:
        return _refused(question, 404, error)
    except JournalError as error:
        return _refused(question, 503, error)
    except ValueError as error:
        return _not_allowed(question, error)


def _refused(question: WorkerQuestion, status: int, error: Exception) -> WorkerReply:
    if question.person is None:
        return WorkerReply(status, JSON, to_json({"detail": str(error)}).encode())
    return WorkerReply(
        status, HTML, drawing.render("refused", question, said=str(error), title=TITLES[status])
    )


def _not_allowed(question: WorkerQuestion, error: ValueError) -> WorkerReply:
    """The form keeps its fields."""
    if question.what not in FORMS:
        return _refused(question, 422, error)
    name, empty = FORMS[question.what]
    return WorkerReply(422, HTML, drawing.render(name, question, said=str(error), **empty))


def _rounds(question: WorkerQuestion) -> RoundsPage:
    query = queries.round_query(question.fields)
    most = _most_rounds(question)
    return search.search(_path(question), query, most, memory=MEMORY, seconds=MOST_SECONDS)


def _story(question: WorkerQuestion) -> RoundStory:
    return story.round_story(_path(question), queries.whole_number(question.fields, "number"))


def _scenes(question: WorkerQuestion) -> RoundSteps:
    return story.steps_of_round(_path(question), queries.whole_number(question.fields, "number"))


def _audit(question: WorkerQuestion) -> AuditPage:
    query = queries.audit_query(question.fields)
    return audit.audit(_path(question), query, _most_lines(question), seconds=MOST_SECONDS)


def _most(question: WorkerQuestion, usual: int, allowed: int) -> int:
    """How many rounds or lines the answer has at most. A page with fewer has not searched all rows yet, or
    there are none."""
    return min(queries.whole_number(question.fields, "limit") or usual, allowed)


def _most_rounds(question: WorkerQuestion) -> int:
    return _most(question, ROUNDS_PER_PAGE, search.MOST)


def _most_lines(question: WorkerQuestion) -> int:
    return _most(question, LINES_PER_PAGE, audit.MOST)


def _sheet(question: WorkerQuestion) -> WorkerReply:
    log = audit.audit(_path(question), queries.audit_query(question.fields), audit.MOST)
    return WorkerReply(200, CSV, audit_sheet(log))


def _seats(question: WorkerQuestion) -> SeatsOfPeriod:
    """Only this question needs the odds, whose import takes long."""
    from controller.past.export.seats_in_period import seats_of_period

    fields = question.fields
    period = Period(fields["period"], fields["period"], float(fields["begins"]), float(fields["ends"]))
    return seats_of_period(_path(question), period, queries.whole_number(fields, "absent"))


def _seats_sheet(question: WorkerQuestion) -> WorkerReply:
    written = [cells.csv_line(SEAT_HEADINGS)]
    written += [cells.csv_line(csv_cells(line)) for line in _seats(question).sessions]
    return WorkerReply(200, CSV, b"".join(written))


def _slip(question: WorkerQuestion) -> WorkerReply:
    slip = slips.read_slip(_path(question), queries.whole_number(question.fields, "number"))
    house = Letterhead(question.fields["house"], question.fields["logo"])
    return WorkerReply(200, HTML, slip_page.slip_html(slip, house=house).encode())


def _events(question: WorkerQuestion) -> significant.SignificantPage:
    fields = question.fields
    span = queries.time_span(fields, None)
    query = significant.SignificantQuery(
        fields.get("code", ""),
        fields.get("text", ""),
        span.since,
        span.until,
        queries.whole_number(fields, "before") or AFTER_LAST_ROW,
    )
    return significant.search(_path(question), query, queries.whole_number(fields, "limit") or LINES_PER_PAGE)


def _rounds_page(question: WorkerQuestion) -> WorkerReply:
    return _page("rounds", question, found=_rounds(question), most=_most_rounds(question))


def _round_page(question: WorkerQuestion) -> WorkerReply:
    return _page("round", question, story=_story(question))


def _replay_page(question: WorkerQuestion) -> WorkerReply:
    return _page("replay", question, story=_story(question), play=_scenes(question))


def _audit_page(question: WorkerQuestion) -> WorkerReply:
    return _page("audit", question, log=_audit(question), most=_most_lines(question))


def _events_page(question: WorkerQuestion) -> WorkerReply:
    return _page("events", question, found=_events(question))


def _page(name: str, question: WorkerQuestion, **context: object) -> WorkerReply:
    return WorkerReply(200, HTML, drawing.render(name, question, said="", **context))


def _json(read: Callable[[WorkerQuestion], object]) -> AnswerFunction:
    return lambda question: WorkerReply(200, JSON, to_json(read(question)).encode())


def _path(question: WorkerQuestion) -> Path:
    return Path(question.journal)


ANSWERS: Mapping[str, AnswerFunction] = {
    "rounds": _json(_rounds),
    "round": _json(_story),
    "steps": _json(_scenes),
    "audit": _json(_audit),
    "audit sheet": _sheet,
    "significant events": _json(_events),
    "seats": _json(_seats),
    "seats sheet": _seats_sheet,
    "slip": _slip,
    "rounds page": _rounds_page,
    "round page": _round_page,
    "replay page": _replay_page,
    "audit page": _audit_page,
    "events page": _events_page,
}
