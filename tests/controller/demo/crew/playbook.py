"""The playbook of a made-up game: two circles, one for late wagers, and three cards each."""

from collections.abc import Sequence

from controller.demo.crew.playbook import Circle, Playbook, PlayerView

STAKES = (500, 1000)


def count(cards: Sequence[str]) -> str:
    """The number of these cards."""
    return str(len(cards))


def advise(held: PlayerView) -> str:
    """Split two cards of one rank, hit two others, stand on three, double with one that is split."""
    cards = held.hands[held.turn]
    if len(held.hands) > 1:
        return "double" if len(cards) == 2 else "stand"
    if len(cards) == 2 and cards[0][0] == cards[1][0]:
        return "split"
    return "hit" if len(cards) == 2 else "stand"


PLAYBOOK = Playbook(
    circles=(
        Circle("main", STAKES),
        Circle("side", (100, 700), chance=0.5, at_most_first=True),
        Circle("late", (200,), chance=0.5, late=True, at_splits=True),
    ),
    deal=("seats", "dealer down", "seats", "dealer up"),
    count=count,
    advise=advise,
    says_play=True,
    insures_for_less=True,
)
