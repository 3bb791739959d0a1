"""Persons who are called to a table: they name cards, burn, void, resume, and take claims to their end."""

from random import Random
from typing import Final

from controller.table.record.events import ClaimStep, Decision, Supervisor
from tests.system.drill.baton import Page
from tests.system.drill.hands import STEPS
from tests.system.drill.world import World

PASSING: Final = ("Missing: ", "Fault ", "A card is stuck", "The shoe's cover", "The shuffler")
"""Reasons that end by themselves."""
OFTEN_VOID: Final = 0.1
"""How often a claim is voided."""
CARD_VOID: Final = 0.3
"""How often a round is voided for a waiting card."""
IN_PLAY: Final = ("playing", "drawing")
"""Phases in which the crew notices a void round: it knows a round from its first cards on."""


class Floor:
    """Looks at the page now and then, and does one thing at a time. `said` counts the answers."""

    def __init__(self, world: World, chance: Random) -> None:
        self.said = 0
        self.refused: list[str] = []
        self._world, self._chance = world, chance
        self._asked, self._life = 0, 0
        self._stubborn = ""
        """Choices that were refused: something else is tried."""

    def look(self) -> None:
        """Says what is to be said."""
        if self._waits():
            return
        page = self._world.page
        word = self._word(page) if page and self._world.running else None
        if word is not None:
            self._asked, self._life = self._world.say(word), len(self._world.lives)

    def _waits(self) -> bool:
        """For an answer of the daemon that was asked; one that died gives none."""
        if not self._asked or self._life != len(self._world.lives):
            self._asked = 0
            return False
        answer = self._world.answers.pop(self._asked, None)
        if answer is None:
            return True
        self._asked, self._stubborn = 0, answer
        self.said += not answer
        if answer:
            self.refused.append(answer)
        return False

    def _word(self, page: Page) -> Decision | None:
        if page.waiting:
            return self._about_card(page)
        if any(not reason.startswith(PASSING) for reason in page.suspended):
            return Supervisor("resume", "Ann", "compared", None)
        if page.claims:
            number, state = next(iter(page.claims.items()))
            step, who = STEPS[state]
            if not self._stubborn and self._chance.random() < OFTEN_VOID:
                return ClaimStep(number, "void", "Vic", "the camera shows another card")
            return ClaimStep(number, step, who, "the camera shows it")
        return None

    def _about_card(self, page: Page) -> Decision:
        """An unexpected card is burned; an unread one is named."""
        count, first = (
            page.waiting[0],
            next(reason for reason in page.suspended if reason.startswith("Card ")),
        )
        if self._stubborn.startswith("no card is due"):
            return Supervisor("burn", "Ann", self._stubborn, None)
        if self._stubborn or (page.phase in IN_PLAY and self._chance.random() < CARD_VOID):
            return Supervisor("void", "Ann", self._stubborn or "it is not to be seen", None, "Bob")
        if "could not be read" in first or "lost its power" in first:
            lie = dict(self._world.see("shoe")["shoe"]["out"])
            return Supervisor("card", "Ann", "saw it", lie[count])
        return Supervisor("burn", "Ann", "it was pulled", None)
