"""Checks whether a table is closed: no wager is at stake, and nothing waits for a person."""

from controller.table.state.table_state import TableState


def update_hindrances(state: TableState, device: str) -> tuple[str, ...]:
    """A sentence for each thing that must be over before the firmware of `device` may be changed.

    That devices are missing is no hindrance while no daemon serves them, nor is a fault of that device:
    other firmware may be the cure.
    """
    excused = f"fault {device} "
    passing = state.suspension.passing.items()
    found = [f"Round {state.number} is in play: play it to its end"] if state.underway else []
    found += state.suspension.lasting.values()
    found += [why for about, why in passing if not about.startswith(("missing ", excused))]
    if state.unplaced:
        found.append("A card left the shoe and has no place yet: a supervisor decides")
    return tuple(found)
