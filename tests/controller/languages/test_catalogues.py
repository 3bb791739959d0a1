"""The catalogues: each has every text that the code has, and no other."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from babel.messages.catalog import Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po

import controller
import drivers
from controller.access.people import ROLES
from controller.games.spots import SPOT_NAMES
from controller.jackpot.claims import State, Step
from controller.languages.catalogues import CATALOGUES, message_ids
from controller.monitor.device_states import DEVICE_STATE_TEXTS
from controller.monitor.navigation import NAVIGATION
from controller.monitor.past.titles import TITLES as REFUSED
from controller.monitor.supervisor.requests import TITLES
from controller.monitor.supervisor.tile import PHASES
from controller.past.recall.audit import AUDIT_SORTS
from controller.round.keys import KEY_NAMES
from controller.round.prompts import TEMPLATES
from controller.table.record.choices import CHOICES
from controller.table.view.round_view import LAMP_NAMES
from controller.telemetry.link_counters import LINK_COUNTERS
from drivers.devices.reconnect import DEVICE_STATES

CODE = Path(controller.__file__).parent
PLACES = re.compile(r"\{\w*(?::[\w ]+)?\}|%\(\w+\)s|</?\w+>")


def entries() -> list[Message]:
    with (CATALOGUES / "es.po").open("rb") as file:
        return [message for message in read_po(file, locale="es") if message.id]


def texts_of(message: Message) -> list[tuple[str, str]]:
    """Pairs of English and translation; of a plural one for each form."""
    if isinstance(message.id, str):
        return [(message.id, str(message.string))]
    return list(zip(message.id, tuple(message.string or ()), strict=True))


def extracted() -> Iterator[str]:
    with (CODE.parent / "babel.cfg").open() as file:
        methods, options = parse_mapping_cfg(file)  # type: ignore[no-untyped-call]
    keywords = {"text": None, "_": None, "gettext": None, "ngettext": (1, 2)}
    for folder in (CODE, Path(drivers.__file__).parent):
        for _, _, found, _, _ in extract_from_dir(folder, methods, options, keywords):
            yield found if isinstance(found, str) else found[0]


@pytest.fixture(scope="module")
def catalogue() -> list[Message]:
    return entries()


def test_catalogue_has_each_text_of_the_code_and_no_other(catalogue: list[Message]) -> None:
    in_catalogue = {message.id if isinstance(message.id, str) else message.id[0] for message in catalogue}
    in_code = set(extracted())
    assert in_code - in_catalogue == set(), "run `make texts`, and translate what is new"
    assert in_catalogue - in_code == set(), "run `make texts`"


def test_every_entry_is_translated_and_certain(catalogue: list[Message]) -> None:
    unfinished = [
        message.id for message in catalogue if message.fuzzy or not all(map(all, texts_of(message)))
    ]
    assert unfinished == []


def test_a_translation_has_the_places_and_the_markup_of_its_text(catalogue: list[Message]) -> None:
    pairs = [pair for message in catalogue for pair in texts_of(message)]
    other = [pair for pair in pairs if set(PLACES.findall(pair[0])) != set(PLACES.findall(pair[1]))]
    assert other == []


def test_a_translation_begins_and_ends_as_its_text_does(catalogue: list[Message]) -> None:
    pairs = [pair for message in catalogue for pair in texts_of(message)]
    ends = [pair for pair in pairs if pair[0].endswith((".", ":")) != pair[1].endswith((".", ":"))]
    spaces = [pair for pair in pairs if pair[1] != pair[1].strip() and pair[0] == pair[0].strip()]
    assert (ends, spaces) == ([], [])


def test_no_template_names_a_place_twice(catalogue: list[Message]) -> None:
    names = [
        Counter(re.findall(r"\{(\w+)\}", pair[0])) for message in catalogue for pair in texts_of(message)
    ]
    assert [places for places in names if any(count > 1 for count in places.values())] == []


def values() -> Iterator[str]:
    """The texts that come to a page as values: of every role, state, key, choice, request and device."""
    yield from (*ROLES, *get_args(State), *get_args(Step), *DEVICE_STATES, *PHASES, *PHASES.values())
    yield from (*LAMP_NAMES.values(), *TITLES.values(), *AUDIT_SORTS, *REFUSED.values())
    yield from (counter.text for counter in LINK_COUNTERS.values())
    yield from (link.title for link in NAVIGATION)
    yield from KEY_NAMES
    yield from (key.label for key in KEY_NAMES.values())
    yield from (name.title for name in SPOT_NAMES.values() if " " not in name.title)
    yield from (template for template in TEMPLATES.values() if "fault" not in template)
    for choice in CHOICES.values():
        yield from (choice.label, choice.title, choice.submit, *choice.explanation, *choice.reasons)
    for state in DEVICE_STATE_TEXTS.values():
        yield from filter(None, (state.mark.word, state.meaning, state.fix, state.advice))


def test_each_value_that_a_page_shows_has_an_entry() -> None:
    known = set(message_ids())
    assert sorted({value for value in values() if value not in known}) == []
