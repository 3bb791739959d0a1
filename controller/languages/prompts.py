"""The prompts of the dealer's console in the language in use.

The console displays English, and controller/round/prompts.py reads a prompt back from it as an object. The
object is written again with the translation of its template.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from controller.languages.catalogues import gettext, ngettext
from controller.languages.language import language_in_use
from controller.languages.pseudo import pseudo_text
from controller.round.prompts import TEMPLATES, FixBets, Prompt, fill, parse, seats_text
from controller.round.prompts import text as english_text

Translate = Callable[[str], str]


def translate_prompt(console_text: str, translate: Translate) -> str:
    """A console's text in the language in use; empty if it does not begin with a prompt. `translate`: for
    what the table appended, and for names and faults within the prompt."""
    prompt = parse(console_text)
    if prompt is None or isinstance(prompt, FixBets):  # what is wrong with a wager is a sentence
        return ""
    english = english_text(prompt)
    if not console_text.startswith(english):
        return ""
    written = pseudo_text(english) if language_in_use().pseudo else _written(prompt, translate)
    appended = console_text[len(english) :].removeprefix(". ")
    return f"{written}. {translate(appended)}" if appended else written


def _written(prompt: Prompt, translate: Translate) -> str:
    return fill(gettext(TEMPLATES[type(prompt)]), prompt, _forms(translate))


def _forms(translate: Translate) -> Mapping[str, Callable[[Any], str]]:
    """As FORMS of the prompts has them."""
    return {
        "number": str,
        "cards": lambda count: ngettext("{count} card", "{count} cards", count).format(count=count),
        "wagers": lambda count: ngettext("{count} wager", "{count} wagers", count).format(count=count),
        "seats": _seats,
        "bank": lambda seat: gettext("Seat {seat}").format(seat=seat) if seat else gettext("The third party"),
        "total": _total,
        "reason": gettext,
        "no natural": lambda _: gettext("No natural"),
        "name": translate,
        "choices": _choices,
        "text": translate,
        "prompt": lambda prompt: _written(prompt, translate),
    }


def _seats(numbers: Sequence[int]) -> str:
    runs = seats_text(numbers).partition(" ")[2]
    return ngettext("seat {seats}", "seats {seats}", len(numbers)).format(seats=runs)


def _total(total: str) -> str:
    soft, _, number = total.rpartition("soft ")
    return gettext("soft {total}").format(total=number) if soft or total.startswith("soft") else total


def _choices(choices: str) -> str:
    """ "hit, stand or double"."""
    others, _, last = choices.rpartition(" or ")
    if not others:
        return gettext(last)
    named = ", ".join(map(gettext, others.split(", ")))
    return gettext("{choices} or {last}").format(choices=named, last=gettext(last))
