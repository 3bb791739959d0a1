"""What is answered to each question about the past, in the process that was started for it.

The audit log as comma-separated values.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from controller.journal.errors import JournalError
from controller.monitor.past import drawing, queries
from controller.monitor.past.messages import Question, Reply
from controller.past import significant
from controller.past.export import cells
from controller.past.export.lines import stamp
from controller.past.recall import audit, search, story
from controller.past.recall.account import Story
from controller.past.recall.audit import Log
from controller.past.recall.scenes import Play
from controller.past.recall.search import Found
from controller.past.recall.story import NoRound
from controller.past.recall.stretches import LAST
from controller.past.slips import page as slip_page
from controller.past.slips import slip as slips
from controller.table.record.records import text

HEADINGS = ("row", "time", "sort", "who", "further persons", "what")


def lines(log: Log) -> bytes:
    """All of it, newest first; no text becomes a formula where it is opened."""
    written = [cells.line(HEADINGS)]
    for line in log.lines:
        who, *others = line.persons or ("",)
        written.append(cells.line((line.row, stamp(line.at), line.sort, who, ", ".join(others), line.text)))
    return b"".join(written)


JSON = "application/json"
HTML = "text/html; charset=utf-8"
CSV = "text/csv; charset=utf-8"
PAGE = 50
"""Rounds of one page."""
LINES = 100
"""Deeds, or significant events, of one page."""

TITLES = {404: "Not found", 422: "Not allowed", 503: "The journal cannot be read"}
FORMS: Mapping[str, tuple[str, dict[str, object]]] = {
    "rounds page": ("rounds", {"found": Found((), 0)}),
    "audit page": ("audit", {"log": Log((), 0)}),
    "events page": ("events", {"found": significant.Found((), more=False)}),
}
"""By what is asked, the template with a form, and what it shows where that is not allowed."""

Answer = Callable[[Question], Reply]


def answer(question: Question) -> Reply:
    """What a browser gets; what cannot be told is said in a sentence, with status 404, 422 or 503."""
    try:
        return ANSWERS[question.what](question)
    except (NoRound, slips.NoClaim) as error:
        return _refused(question, 404, error)
    except JournalError as error:
        return _refused(question, 503, error)
    except ValueError as error:
        return _not_allowed(question, error)


def _refused(question: Question, status: int, error: Exception) -> Reply:
    if question.person is None:
        return Reply(status, JSON, text({"detail": str(error)}).encode())
    return Reply(status, HTML, drawing.draw("refused", question, said=str(error), title=TITLES[status]))


def _not_allowed(question: Question, error: ValueError) -> Reply:
    """A form stays as it was filled in."""
    if question.what not in FORMS:
        return _refused(question, 422, error)
    name, empty = FORMS[question.what]
    return Reply(422, HTML, drawing.draw(name, question, said=str(error), **empty))


def _rounds(question: Question) -> Found:
    wanted = queries.wanted(question.asked)
    return search.search(_path(question), wanted, queries.whole(question.asked, "limit") or PAGE)


def _story(question: Question) -> Story:
    return story.story(_path(question), queries.whole(question.asked, "number"))


def _scenes(question: Question) -> Play:
    return story.scenes(_path(question), queries.whole(question.asked, "number"))


def _audit(question: Question) -> Log:
    asked = queries.asked(question.asked)
    return audit.audit(_path(question), asked, queries.whole(question.asked, "limit") or LINES)


def _sheet(question: Question) -> Reply:
    log = audit.audit(_path(question), queries.asked(question.asked), audit.MOST)
    return Reply(200, CSV, lines(log))


def _slip(question: Question) -> Reply:
    slip = slips.slip(_path(question), queries.whole(question.asked, "number"))
    return Reply(200, HTML, slip_page.page(slip).encode())


def _events(question: Question) -> significant.Found:
    asked = question.asked
    span = queries.span(asked, None)
    wanted = significant.Wanted(
        asked.get("code", ""), asked.get("text", ""), span.since, span.until,
        queries.whole(asked, "before") or LAST,
    )  # fmt: skip
    return significant.search(_path(question), wanted, queries.whole(asked, "limit") or LINES)


def _rounds_page(question: Question) -> Reply:
    return _page("rounds", question, found=_rounds(question))


def _round_page(question: Question) -> Reply:
    return _page("round", question, told=_story(question))


def _replay_page(question: Question) -> Reply:
    return _page("replay", question, told=_story(question), play=_scenes(question))


def _audit_page(question: Question) -> Reply:
    return _page("audit", question, log=_audit(question))


def _events_page(question: Question) -> Reply:
    return _page("events", question, found=_events(question))


def _page(name: str, question: Question, **told: object) -> Reply:
    return Reply(200, HTML, drawing.draw(name, question, said="", **told))


def _json(tell: Callable[[Question], object]) -> Answer:
    return lambda question: Reply(200, JSON, text(tell(question)).encode())


def _path(question: Question) -> Path:
    return Path(question.journal)


ANSWERS: Mapping[str, Answer] = {
    "rounds": _json(_rounds),
    "round": _json(_story),
    "steps": _json(_scenes),
    "audit": _json(_audit),
    "audit sheet": _sheet,
    "significant events": _json(_events),
    "slip": _slip,
    "rounds page": _rounds_page,
    "round page": _round_page,
    "replay page": _replay_page,
    "audit page": _audit_page,
    "events page": _events_page,
}
"""By what is asked."""
