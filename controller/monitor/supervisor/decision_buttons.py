"""The decisions that a supervisor may take now, as buttons: those for each reason of a suspension, and
others."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from controller.games.spots import spot_title
from controller.monitor.supervisor.decision_forms import available_choices
from controller.table.record.choices import CHOICES
from controller.table.record.views import TableView


@dataclass(frozen=True, slots=True)
class Button:
    """A button that opens the form at the path `form`. `grave`: the decision is serious."""

    form: str
    label: str
    grave: bool = False


@dataclass(frozen=True, slots=True)
class SuspensionReason:
    """A reason of the suspension, with the decisions that fit it. `passes`: it ends together with its
    cause."""

    text: str
    passes: bool
    buttons: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class DecisionsPanel:
    """The reasons with their buttons, and the buttons of all other decisions. `testing`: test mode is on,
    and is the first reason."""

    reasons: tuple[SuspensionReason, ...]
    buttons: tuple[Button, ...]
    testing: bool = False


def decisions_panel(view: TableView) -> DecisionsPanel:
    """The decisions that a supervisor may take at this table."""
    ruling = view.ruling
    fitting = {choice for reason in ruling.reasons for choice in reason.choices}
    others = [name for name in available_choices(view) if name not in fitting]
    reasons = (SuspensionReason(why.text, why.passes, tuple(_buttons(why.choices))) for why in ruling.reasons)
    return DecisionsPanel(tuple(reasons), (*_buttons(others), *_meters(view)), bool(view.testing))


def _meters(view: TableView) -> Iterable[Button]:
    """Corrections of meters. They can be requested only between rounds and outside of test mode."""
    if view.phase == "betting" and not view.testing:
        for meter in view.meters:
            yield Button(f"meter/{meter.spot}", f"Meter of {spot_title(meter.spot)}")


def _buttons(names: Collection[str]) -> Iterable[Button]:
    for name, choice in CHOICES.items():
        if name in names:
            yield Button(f"decision/{name}", choice.label, choice.grave)
