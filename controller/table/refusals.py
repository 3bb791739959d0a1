"""What is kept of a person's word that the table refused."""

from controller.table.errors import NotAllowed
from controller.table.events import Answered, Asked, ConsoleKey, Input
from controller.table.notes import Refusal

WORDS: dict[type, str] = {Asked: "ask", Answered: "answer"}
"""What they wanted; any other word than a key was a supervisor's."""


def refusal(event: Input, refused: NotAllowed) -> Refusal:
    """Who wanted what, and why it was not done."""
    who = getattr(event, "who", "")
    if isinstance(event, ConsoleKey):
        return Refusal(event.action, event.seat, str(refused), who)
    return Refusal(WORDS.get(type(event), "supervise"), 0, str(refused), who)
