"""The tables of device states, alerts and a supervisor's choices, from the tables that the program uses."""

from controller.monitor.device_states import DEVICE_STATE_TEXTS
from controller.pages.markdown import table
from controller.table.apply.alert_endings import ALERT_KINDS
from controller.table.record.choices import CHOICES, Choice

SECOND_PERSON = "if it moves a jackpot"
UNKNOWN_NUMBER = ".."
"""Stands for the number of a card or of a round, as in the pages' other quotations."""


def device_states() -> str:
    rows = ((state, text.meaning, text.fix) for state, text in DEVICE_STATE_TEXTS.items())
    return table(("state", "meaning", "fix"), rows)


def alert_kinds() -> str:
    rows = (
        (f"`{name}`", kind.meaning, kind.ends, f"`{kind.severity}`") for name, kind in ALERT_KINDS.items()
    )
    return table(("kind", "alert", "ends", "severity at the floor"), rows)


def choice_effects() -> str:
    rows = (
        (choice.label, f"`{name}`", _effect(choice), SECOND_PERSON if choice.may_need_two else "")
        for name, choice in CHOICES.items()
    )
    return table(("button", "choice", "effect", "second person"), rows)


def choice_options() -> str:
    """The choices as the command line takes them."""
    rows = (
        (f"`{name}`", choice.summary.rstrip("."), ", ".join(f"`--{field}`" for field in choice.fields))
        for name, choice in CHOICES.items()
    )
    return table(("choice", "meaning", "options"), rows)


def _effect(choice: Choice) -> str:
    return " ".join(choice.explanation).format(card=UNKNOWN_NUMBER, round=UNKNOWN_NUMBER)
