"""What is different in a configuration that came in the middle of a round, in words."""

from collections.abc import Iterator

from controller.table.record.rules import Rules


def change_text(now: Rules, coming: Rules) -> str:
    """A sentence for whoever wonders why nothing changed yet; empty where nothing will. Jackpots have words
    of their own."""
    changes = ", ".join(_changes(now, coming))
    return f"From the next round on the new configuration holds: {changes}" if changes else ""


def _changes(now: Rules, coming: Rules) -> Iterator[str]:
    for name in ("game", "seats", "bank"):
        before, after = getattr(now, name), getattr(coming, name)
        if before != after:
            yield f"{name} {after} instead of {before}"
    for option in sorted(now.options.keys() | coming.options.keys()):
        before, after = now.options.get(option), coming.options.get(option)
        if before != after:
            yield f"{option} {_value(after)} instead of {_value(before)}"


def _value(value: object) -> str:
    """As TOML has it; an option that is not given has the game's own default."""
    words = {None: "the default", True: "true", False: "false"}
    return words[value] if isinstance(value, bool | None) else str(value)
