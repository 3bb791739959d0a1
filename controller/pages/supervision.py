"""The tables of device states and of alerts, from the tables that the program uses."""

from controller.monitor.device_states import DEVICE_STATE_TEXTS
from controller.pages.markdown import table
from controller.table.apply.alert_endings import ALERT_KINDS


def device_states() -> str:
    rows = ((state, text.meaning, text.fix) for state, text in DEVICE_STATE_TEXTS.items())
    return table(("state", "meaning", "fix"), rows)


def alert_kinds() -> str:
    rows = ((f"`{name}`", kind.meaning, kind.ends) for name, kind in ALERT_KINDS.items())
    return table(("kind", "alert", "ends"), rows)
