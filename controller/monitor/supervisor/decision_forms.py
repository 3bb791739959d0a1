"""The forms of a supervisor's decisions, each with only the fields that its choice is told with."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from controller.monitor.supervisor.form import CardPad, Form, hand_choices
from controller.monitor.supervisor.words import CHOICE_WORDS
from controller.table.people.decisions import CABINET
from controller.table.record.views import RoundView, TableView

SEND = "POST /api/v1/decisions"
PREVIEW = "POST /api/v1/decisions/preview"


def decision_form(view: TableView, choice: str, number: int = 0) -> Form:
    """The form of a choice; `number` is the round whose card was misread, 0 the one in play. Raises
    LookupError where the table would not take it now, and for a round that is not kept."""
    if choice not in CHOICE_WORDS or choice not in (*view.ruling.choices, "entry"):
        raise LookupError(
            f"{choice} is not possible now; possible: {', '.join(view.ruling.choices) or 'nothing'}"
        )
    words, waiting = CHOICE_WORDS[choice], view.ruling.waiting
    named = {"card": waiting.count if waiting else 0, "round": view.round}
    form = Form(
        words.title.format(**named),
        tuple(sentence.format(**named) for sentence in words.sentences),
        words.button,
        SEND,
        {"choice": choice},
        PREVIEW if words.previewed else "",
        words.grave,
        words.reasons,
        at_once=words.at_once,
    )
    return FIELDS_FOR.get(choice, _plain)(form, view, number)


def _plain(form: Form, _view: TableView, _number: int) -> Form:
    return form


def _card(form: Form, view: TableView, _number: int) -> Form:
    return replace(form, pad=_pad(view))


def _assign(form: Form, view: TableView, _number: int) -> Form:
    return replace(form, pad=_pad(view), hands=hand_choices(view))


def _pad(view: TableView) -> CardPad:
    """The shoe has read most cards."""
    waiting = view.ruling.waiting
    return "must" if waiting and waiting.unread else "may"


def _correct(form: Form, view: TableView, number: int) -> Form:
    ended = tuple(past.number for past in view.rounds if past.outcome != "void")
    rounds = (0, *ended) if _cards_are_out(view) else ended
    chosen = number or rounds[0]
    body = {**form.body, "round": chosen} if chosen else form.body
    return replace(
        form, body=body, pad="must", picks=hand_choices(_round(view, chosen)), rounds=rounds, round=chosen
    )


def _entry(form: Form, view: TableView, _number: int) -> Form:
    return replace(form, devices=(CABINET, *(device.name for device in view.devices)))


def _cards_are_out(view: TableView) -> bool:
    return view.phase != "betting" and any(place.cards for place in hand_choices(view))


def _round(view: TableView, number: int) -> TableView | RoundView:
    if number == 0:
        return view
    found = next((past for past in view.rounds if past.number == number), None)
    if found is None or found.outcome == "void":
        raise LookupError(f"no card of round {number} can be put right: it is void, or not kept")
    return found


FIELDS_FOR: Mapping[str, Callable[[Form, TableView, int], Form]] = {
    "card": _card,
    "assign": _assign,
    "correct": _correct,
    "entry": _entry,
}
"""What a choice is asked beside the reason."""
