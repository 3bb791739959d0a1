"""Replies of a worker process: pages, JSON and refusals."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from controller.monitor.past import drawing
from controller.monitor.past.answers import HTML, JSON
from controller.monitor.past.messages import WorkerQuestion, WorkerReply

TEMPLATES: Final = Path(__file__).parent / "templates"
TITLES: Final = {404: "Not found", 422: "Not allowed", 503: "The store cannot be read"}


def page(name: str, question: WorkerQuestion, status: int = 200, **context: object) -> WorkerReply:
    """A page of the floor, from its own templates."""
    return WorkerReply(status, HTML, drawing.render(name, question, TEMPLATES, **context))


def json_reply(value: Mapping[str, Any] | Sequence[Any]) -> WorkerReply:
    return WorkerReply(200, JSON, json.dumps(value).encode())


def refused(question: WorkerQuestion, status: int, error: Exception) -> WorkerReply:
    """A sentence, on a page if a person asked for one."""
    if question.person is None:
        return WorkerReply(status, JSON, json.dumps({"detail": str(error)}).encode())
    html = drawing.render("refused", question, said=str(error), title=TITLES[status])
    return WorkerReply(status, HTML, html)
