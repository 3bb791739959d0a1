"""Render the pages about the past."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Protocol
from urllib.parse import urlencode

from jinja2 import Environment

from controller.currency.formatting import amount_text, signed_text
from controller.games import open_game
from controller.games.spots import spot_title
from controller.languages import day_text
from controller.languages.templating import template_environment, translating
from controller.monitor.live import formatting
from controller.monitor.navigation import links_for
from controller.monitor.past.messages import PageFrame, WorkerQuestion
from controller.past.recall.audit import AUDIT_SORTS
from controller.past.recall.query import OUTCOMES
from controller.past.recall.search import ROWS_AROUND
from controller.process.time_zone import time_zone_in_use
from controller.table.record.message_kinds import CODES
from controller.table.record.views import HIDDEN
from controller.table.view.round_view import LAMP_NAMES

TEMPLATES = Path(__file__).parents[1] / "templates"
_KEY_NOTATION = re.compile(r"([0-9]):([^=]+?)(?:=([0-9]+))?")
QUICK_FIELDS = ("last", "since", "seat", "above", "outcome", "before")
"""Fields of a search for rounds that its quick filters and its pager set."""
NAVIGATION_PATHS: Mapping[str, str] = {
    "rounds": "/rounds",
    "round": "/rounds",
    "replay": "/rounds",
    "audit": "/audit",
    "events": "/audit",
    "refused": "",
}
"""By template, the entry of the navigation that leads to the page."""


class Timed(Protocol):
    """Something with a time, in seconds of Unix time."""

    @property
    def at(self) -> float: ...


def render(name: str, question: WorkerQuestion, *folders: Path, **context: object) -> bytes:
    """The document for the person who asked. Templates in `folders` come before those of a table's pages."""
    person, frame = question.person, question.frame or PageFrame("", "/rounds")
    links = frame.links if question.frame else links_for(person) if person else ()
    html = (
        _environment(*folders)
        .get_template(f"recall/{name}.html")
        .render(
            context,
            table=question.table,
            person=person,
            ways=links,
            here=frame.rounds if question.frame else NAVIGATION_PATHS[name],
            frame=frame,
            facts=question.facts,
            asked={name: value for name, value in question.fields.items() if name != "limit"},
        )
    )
    return html.encode()


@cache
def _environment(*folders: Path) -> Environment:
    environment_ = template_environment(*folders, TEMPLATES)
    environment_.globals.update(
        AROUND=ROWS_AROUND,
        HIDDEN=HIDDEN,
        RED=formatting.RED,
        OUTCOMES=OUTCOMES,
        QUICK_FIELDS=QUICK_FIELDS,
        SORTS=AUDIT_SORTS,
        CODES=CODES,
        LAMPS=tuple(LAMP_NAMES.values()),
        zone=zone,
        lasting=duration,
    )
    environment_.filters.update(
        amount=amount_text,
        signed=signed_text,
        card_name=translating(formatting.card_name),
        card_runs=formatting.card_runs,
        rank_text=formatting.rank_text,
        local=local,
        utc=utc,
        day=day,
        game_title=game_title,
        query=query,
        asked_in=asked_in,
        emptied=emptied,
        spoken=spoken_key,
        groupby_day=by_day,
        pairs=pairs,
        spot_title=translating(spot_title),
    )
    return environment_


def game_title(game: str) -> str:
    """The title of the game with this id; the id of a game that cannot be used here."""
    try:
        return open_game(game).title
    except ValueError:
        return game


def local(at: float) -> str:
    """The local time of day, "20:05:13"."""
    return f"{_local(at):%H:%M:%S}"


def utc(at: float) -> str:
    """The time in UTC, with the day if it is another one: "19 Nov 23:05:13 UTC"."""
    there, here = datetime.fromtimestamp(at, UTC), _local(at)
    named = f"{there:%-d %b }" if there.date() != here.date() else ""
    return f"{named}{there:%H:%M:%S} UTC"


def day(at: float) -> str:
    """The local day, "Fri 20 Nov 2026", in the language in use."""
    return day_text(_local(at))


def by_day(lines: Sequence[Timed]) -> list[tuple[str, list[Timed]]]:
    """The lines grouped by day, in their order."""
    return [(on, list(group)) for on, group in groupby(lines, key=lambda line: day(line.at))]


def pairs(values: Iterable[str]) -> list[tuple[str, str]]:
    """Each value as the options of a form: value and text are the same."""
    return [(value, value) for value in values]


def zone(at: float) -> str:
    """The name of the local time zone then, "CET"."""
    return f"{_local(at):%Z}"


def spoken_key(came: str) -> str:
    """A key or a wager in the notation of scripts, "2:double=1500", as "seat 2: double, $15"."""
    found = _KEY_NOTATION.fullmatch(came)
    if not found:
        return came
    amount = f", {amount_text(int(found[3]))}" if found[3] else ""
    return f"seat {found[1]}: {found[2]}{amount}"


def duration(seconds: float) -> str:
    """A duration, "1 min 12 s"."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def query(fields: Mapping[str, str], **changes: object) -> str:
    """The query string of these fields, with changes."""
    whole = {**fields, **changes}
    return urlencode({name: value for name, value in whole.items() if value})


def asked_in(fields: Mapping[str, str], asked: Mapping[str, str]) -> bool:
    """Whether a search has all these fields."""
    return all(asked.get(name) == value for name, value in fields.items())


def emptied(fields: Mapping[str, str]) -> dict[str, str]:
    """The fields without values."""
    return dict.fromkeys(fields, "")


def _local(at: float) -> datetime:
    return datetime.fromtimestamp(at, UTC).astimezone(time_zone_in_use())
