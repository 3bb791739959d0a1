"""What the dealer's console says in a round, and what a program reads back from it.

Theory of operation. The console displays text, at most 120 bytes of it, and only that text travels to the
device. Each prompt is a frozen record. `TEMPLATES` has its wording, and both directions follow from that one
line: `text` fills the template in, and `parse` turns a console's text into the record again. A part in
brackets is left out if its field is None. `{field:form}` is written and read as `FORMS` says. The table may
append a sentence, which `parse` ignores, and may cut the text at 120 bytes.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from controller.round.keys import CHOICES


@dataclass(frozen=True, slots=True)
class PlaceBets:
    """Betting is open. `bank`: the seat that banks, 0 for the third party, None for the house."""

    wagers: int | None = None
    bank: int | None = None


@dataclass(frozen=True, slots=True)
class FixBets:
    """A seat's wagers prevent closing."""

    seat: int
    fault: str


@dataclass(frozen=True, slots=True)
class BurnCards:
    cards: int


@dataclass(frozen=True, slots=True)
class DealCards:
    cards: int


@dataclass(frozen=True, slots=True)
class CloseWindow:
    """A window is open, and no hand can act."""


@dataclass(frozen=True, slots=True)
class OfferInsurance:
    """The seats that may insure, and those that may take even money."""

    insurance: tuple[int, ...] | None = None
    even_money: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Peek:
    """The round looks at the hole card by itself."""


@dataclass(frozen=True, slots=True)
class PlayHand:
    """A hand is to act. `hand` counts from 1; None: it is the seat's only one. `no_natural`: the dealer has
    just looked."""

    seat: int
    hand: int | None
    total: str
    choices: str
    no_natural: bool | None = None


@dataclass(frozen=True, slots=True)
class DrawCard:
    """A hand waits for its card. `reason`: "hits", "doubles" or "is split"."""

    seat: int
    hand: int | None
    total: str
    reason: str
    no_natural: bool | None = None


@dataclass(frozen=True, slots=True)
class OpenWindow:
    """Seats may place side wagers. `placed`: how many the table sees. `then`: what is due besides."""

    window: str
    seats: tuple[int, ...]
    placed: int | None
    then: "Prompt"


@dataclass(frozen=True, slots=True)
class DealerDraws:
    total: str


@dataclass(frozen=True, slots=True)
class PaySeat:
    seat: int
    others: tuple[int, ...] | None = None
    """The seats to pay afterwards, in that order."""


@dataclass(frozen=True, slots=True)
class RoundOver:
    """Every wager is settled."""


@dataclass(frozen=True, slots=True)
class RoundVoid:
    """Every wager is returned."""


Prompt = (
    PlaceBets
    | FixBets
    | BurnCards
    | DealCards
    | CloseWindow
    | OfferInsurance
    | Peek
    | PlayHand
    | DrawCard
    | OpenWindow
    | DealerDraws
    | PaySeat
    | RoundOver
    | RoundVoid
)

TEMPLATES: Mapping[type, str] = {
    PlaceBets: "Place your bets[: {wagers:wagers}][. {bank:bank} banks]",
    BurnCards: "Burn {cards:cards}",
    DealCards: "Deal {cards:cards}",
    CloseWindow: "Close when done",
    OfferInsurance: "[Insurance: {insurance:seats}. ][Even money: {even_money:seats}. ]Close when done",
    Peek: "Look at the hole card",
    PlayHand: "[{no_natural:no natural}. ]Seat {seat:number}[ hand {hand:number}] has {total:total}:"
    " {choices:choices}",
    DrawCard: "[{no_natural:no natural}. ]Seat {seat:number}[ hand {hand:number}] has {total:total}"
    " and {reason:reason}: draw a card",
    OpenWindow: "{window:name} open: {seats:seats}[ ({placed:number} placed)]. {then:prompt}",
    DealerDraws: "Dealer has {total:total}: draw",
    PaySeat: "Pay seat {seat:number}[, then {others:seats}]",
    RoundOver: "The round is over",
    RoundVoid: "The round is void",
    FixBets: "Seat {seat:number}: {fault:text}",
}


def text(prompt: Prompt) -> str:
    """What the console says."""
    return fill(TEMPLATES[type(prompt)], prompt, {name: form.write for name, form in FORMS.items()})


def fill(template: str, prompt: Prompt, forms: Mapping[str, Callable[[Any], str]]) -> str:
    """The prompt in the words of `template`, a line of TEMPLATES or a translation of it. `forms` writes each
    field, by the names of FORMS."""
    return "".join(_filled(part, prompt, forms) for part in _PART.findall(template))


def parse(console_text: str) -> Prompt | None:
    """The prompt with which a console's text begins; None if it is about something else than the round."""
    found = (_template(kind).read(console_text) for kind in TEMPLATES)
    return next((prompt for prompt in found if prompt is not None), None)


def seats_text(numbers: Sequence[int]) -> str:
    """ "seat 3", "seats 1-3, 5"; in falling order "seats 5, 3-1"."""
    return f"seat{'s' * (len(numbers) > 1)} {', '.join(_runs(numbers))}"


def choices_text(choices: Collection[str]) -> str:
    """ "hit, stand or double"; what is not in CHOICES comes last."""
    *others, last = (choice.replace("-", " ") for choice in sorted(choices, key=_rank))
    return f"{', '.join(others)} or {last}" if others else last


@dataclass(frozen=True, slots=True)
class Form:
    """How a field stands in a prompt."""

    pattern: str
    write: Callable[[Any], str]
    read: Callable[[str], Any]


def _seats(written: str) -> tuple[int, ...]:
    """ "seats 1-3, 5" are 1, 2, 3 and 5; "seats 5, 3-1" are 5, 3, 2 and 1."""
    runs = (run.split("-") for run in written.partition(" ")[2].split(", "))
    return tuple(seat for run in runs for seat in _run(int(run[0]), int(run[-1])))


def _run(first: int, last: int) -> range:
    """The numbers from `first` to `last`, rising or falling."""
    step = 1 if first <= last else -1
    return range(first, last + step, step)


def _counted(noun: str) -> Form:
    return Form(
        rf"\d+ {noun}s?",
        lambda count: f"{count} {noun}{'s' * (count != 1)}",
        lambda written: int(written.partition(" ")[0]),
    )


FORMS: Mapping[str, Form] = {
    "number": Form(r"\d+", str, int),
    "cards": _counted("card"),
    "wagers": _counted("wager"),
    "seats": Form(r"seats? \d+(?:-\d+)?(?:, \d+(?:-\d+)?)*", seats_text, _seats),
    "bank": Form(
        r"Seat \d+|The third party",
        lambda seat: f"Seat {seat}" if seat else "The third party",
        lambda written: int(written.removeprefix("Seat ")) if written.startswith("Seat") else 0,
    ),
    "total": Form(r"(?:soft )?\d+", str, str),
    "reason": Form("hits|doubles|is split", str, str),
    "no natural": Form("No natural", lambda _: "No natural", lambda _: True),
    "name": Form(r"[\w ]+", str, str),
    "choices": Form(r"[^.]+", str, str),
    "text": Form(r".+", str, str),
    "prompt": Form(r".+", text, parse),
}

_FIELD = re.compile(r"\{(\w+):([\w ]+)\}")
_PART = re.compile(r"\[[^\]]*\]|[^\[]+")


class _Template:
    """One line of TEMPLATES, as a pattern."""

    def __init__(self, kind: type) -> None:
        self._kind = kind
        template = TEMPLATES[kind]
        self._forms = {name: FORMS[form] for name, form in _FIELD.findall(template)}
        pattern = "".join(map(self._pattern, _PART.findall(template)))
        self._regex = re.compile(rf"{pattern}(?=$|\. )")

    def read(self, console_text: str) -> Prompt | None:
        found = self._regex.match(console_text)
        if found is None:
            return None
        fields = {name: written for name, written in found.groupdict().items() if written is not None}
        values = dict.fromkeys(self._forms) | {name: self._forms[name].read(fields[name]) for name in fields}
        prompt: Prompt = self._kind(**values)
        return prompt

    def _pattern(self, part: str) -> str:
        if part.startswith("["):
            return f"(?:{self._pattern(part[1:-1])})?"
        literals = _FIELD.split(part)[::3]
        fields = [f"(?P<{name}>{self._forms[name].pattern})" for name, _ in _FIELD.findall(part)]
        pairs = zip(literals, [*fields, ""], strict=True)
        return "".join(re.escape(literal) + field for literal, field in pairs)


def _filled(part: str, prompt: Prompt, forms: Mapping[str, Callable[[Any], str]]) -> str:
    """A part of a template; empty if it is in brackets and one of its fields is None."""
    values = {name: getattr(prompt, name) for name, _ in _FIELD.findall(part)}
    if None in values.values():
        return ""
    return _FIELD.sub(lambda found: forms[found[2]](values[found[1]]), part.strip("[]"))


@cache
def _template(kind: type) -> _Template:
    return _Template(kind)


def _runs(numbers: Sequence[int]) -> Iterator[str]:
    """Runs of adjacent numbers, as 1-3 for 1 2 3 and 3-1 for 3 2 1."""
    while numbers:
        first = numbers[0]
        step = -1 if first - 1 in numbers[1:2] else 1
        length = next((at for at, number in enumerate(numbers) if number != first + at * step), len(numbers))
        yield f"{first}-{numbers[length - 1]}" if length > 1 else f"{first}"
        numbers = numbers[length:]


def _rank(choice: str) -> tuple[int, str]:
    return (CHOICES.index(choice) if choice in CHOICES else len(CHOICES)), choice
