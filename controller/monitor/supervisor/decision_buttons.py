"""What a supervisor may say now, as buttons: what fits each reason why play stands still, and all else."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from controller.games.spots import spot_title
from controller.monitor.supervisor.decision_forms import available_choices
from controller.table.record.choices import CHOICES
from controller.table.record.views import TableView


@dataclass(frozen=True, slots=True)
class Button:
    """Opens the form at `form`."""

    form: str
    label: str
    grave: bool = False


@dataclass(frozen=True, slots=True)
class SuspensionReason:
    """Why play stands still, and what may be said about it; `passes`: it ends with its cause."""

    text: str
    passes: bool
    buttons: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class DecisionsPanel:
    """Reasons with what fits them, and all else that may be said; `testing`: the first one is test mode."""

    reasons: tuple[SuspensionReason, ...]
    buttons: tuple[Button, ...]
    testing: bool = False


def decisions_panel(view: TableView) -> DecisionsPanel:
    """What a supervisor may say of this table."""
    ruling = view.ruling
    fitting = {choice for reason in ruling.reasons for choice in reason.choices}
    others = [name for name in available_choices(view) if name not in fitting]
    reasons = (SuspensionReason(why.text, why.passes, tuple(_buttons(why.choices))) for why in ruling.reasons)
    return DecisionsPanel(tuple(reasons), (*_buttons(others), *_meters(view)), bool(view.testing))


def _meters(view: TableView) -> Iterable[Button]:
    """Their corrections are asked for between rounds, and not in test mode."""
    if view.phase == "betting" and not view.testing:
        for meter in view.meters:
            yield Button(f"meter/{meter.spot}", f"Meter of {spot_title(meter.spot)}")


def _buttons(names: Collection[str]) -> Iterable[Button]:
    for name, choice in CHOICES.items():
        if name in names:
            yield Button(f"decision/{name}", choice.label, choice.grave)
