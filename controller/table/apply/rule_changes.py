"""What a new configuration changes, in a sentence, when it comes in the middle of a round."""

from collections.abc import Iterator

from controller.table.record.rules import Rules


def change_text(now: Rules, coming: Rules) -> str:
    """What changes with the next round; empty if nothing does. Not of jackpots, which have their own."""
    changes = ", ".join(_changes(now, coming))
    return f"From the next round on the new configuration holds: {changes}" if changes else ""


def _changes(now: Rules, coming: Rules) -> Iterator[str]:
    for name in ("game", "seats", "bank", "pay_from"):
        before, after = getattr(now, name), getattr(coming, name)
        if before != after:
            yield f"{name} {after} instead of {before}"
    for option in sorted(now.options.keys() | coming.options.keys()):
        before, after = now.options.get(option), coming.options.get(option)
        if before != after:
            yield f"{option} {_value(after)} instead of {_value(before)}"


def changed_plugins(now: Rules, coming: Rules) -> str:
    """Which plug-ins of the round in play have another version than when it began; empty if none has."""
    changes = (
        f"{name} is of {after} now, and was of {before} when the round began"
        for name, before in now.plugins.items()
        if (after := coming.plugins.get(name, before)) != before
    )
    return "; ".join(changes)


def _value(value: object) -> str:
    """As in TOML."""
    words = {None: "the default", True: "true", False: "false"}
    return words[value] if isinstance(value, bool | None) else str(value)
