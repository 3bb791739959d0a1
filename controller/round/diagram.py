"""The state machine as Mermaid, drawn from the table that drives it."""

from controller.games.game import Game
from controller.round.course import TRANSITIONS, WINDOWS, Row


def diagram(game: Game) -> str:
    """A Mermaid state diagram of a round of `game`."""
    rows = [row for row in TRANSITIONS if {row.source, row.dest}.isdisjoint(WINDOWS - game.windows)]
    ends = dict.fromkeys(row.dest for row in rows if all(row.dest != other.source for other in rows))
    lines = [
        f"[*] --> {rows[0].source}",
        *map(_edge, rows),
        *(f"{end} --> [*]" for end in ends),
    ]
    return "\n".join([f"---\ntitle: {game.title}\n---\nstateDiagram-v2", *(f"    {line}" for line in lines)])


def _edge(row: Row) -> str:
    effects = ", ".join(effect.__name__.replace("_", " ") for effect in row.then)
    cause = "" if row.trigger == "advance" else f"{row.trigger}, "
    return f"{row.source} --> {row.dest}: {cause}{row.says}{f' / {effects}' if effects else ''}"
