"""The forms of a supervisor's decisions. A form asks only for the fields of its choice."""

from dataclasses import replace

from controller.monitor.supervisor.form import CardPad, Form, hand_choices
from controller.table.people.decisions import CABINET
from controller.table.record.choices import CHOICES, ChoiceName
from controller.table.record.views import RoundView, TableView

SEND = "POST /api/v1/decisions"
PREVIEW = "POST /api/v1/decisions/preview"


def available_choices(view: TableView) -> tuple[ChoiceName, ...]:
    """What a supervisor may choose now, with the choices that are only recorded."""
    return tuple(
        name for name, choice in CHOICES.items() if choice.only_recorded or name in view.ruling.choices
    )


def decision_form(view: TableView, name: str, number: int = 0) -> Form:
    """The form of the choice `name`. `number` is the round whose card was misread, 0 the round in play.
    Raises LookupError if the table does not allow the choice now, or does not keep the round."""
    known = next((known for known in available_choices(view) if known == name), None)
    if known is None:
        possible = ", ".join(view.ruling.choices) or "nothing"
        raise LookupError(f"{name} is not possible now; possible: {possible}")
    choice, waiting = CHOICES[known], view.ruling.waiting
    numbers = {"card": waiting.count if waiting else 0, "round": view.round}
    form = Form(
        choice.title.format(**numbers),
        tuple(sentence.format(**numbers) for sentence in choice.explanation),
        choice.submit,
        SEND,
        {"choice": known},
        "" if choice.only_recorded else PREVIEW,
        choice.grave,
        choice.reasons,
        at_once=choice.preview_on_open,
    )
    return _with_fields(form, choice.fields, view, number)


def _with_fields(form: Form, fields: tuple[str, ...], view: TableView, number: int) -> Form:
    if "device" in fields:
        return replace(form, devices=(CABINET, *(device.name for device in view.devices)))
    if "number" in fields:
        return _with_picks(form, view, number)
    if "card" in fields:
        form = replace(form, pad=_pad(view))
    return replace(form, hands=hand_choices(view)) if "hand" in fields else form


def _pad(view: TableView) -> CardPad:
    """The card must be named if the shoe has not read it; otherwise it may be named."""
    waiting = view.ruling.waiting
    return "must" if waiting and waiting.unread else "may"


def _with_picks(form: Form, view: TableView, number: int) -> Form:
    ended = tuple(past.number for past in view.rounds if past.outcome != "void")
    rounds = (0, *ended) if _cards_are_out(view) else ended
    chosen = number or rounds[0]
    body = {**form.body, "round": chosen} if chosen else form.body
    return replace(
        form, body=body, pad="must", picks=hand_choices(_round(view, chosen)), rounds=rounds, round=chosen
    )


def _cards_are_out(view: TableView) -> bool:
    return view.phase != "betting" and any(place.cards for place in hand_choices(view))


def _round(view: TableView, number: int) -> TableView | RoundView:
    if number == 0:
        return view
    found = next((past for past in view.rounds if past.number == number), None)
    if found is None or found.outcome == "void":
        raise LookupError(f"no card of round {number} can be put right: it is void, or not kept")
    return found
