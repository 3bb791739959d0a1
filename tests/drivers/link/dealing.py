"""Dealing over a link: permitted cards leave a real shoe and arrive in the journal."""

from drivers.link.reports import CardsMissing, DeviceEvent
from drivers.messages import CardDrawn, Permit
from tests.drivers.link.rig import Rig
from tests.drivers.link.world import Faults
from tests.fixtures.link_pair import LinkPair

DECK = [rank + suit for rank in "A23456789TJQK" for suit in "shdc"]
HOSTILE = Faults(drop=0.02, flip=0.01, duplicate=0.02)


def cards_of(world: LinkPair) -> list[tuple[int, str]]:
    """The journal's cards."""
    bodies = [event.body for event in world.journal.events if isinstance(event, DeviceEvent)]
    return [(body.count, body.card) for body in bodies if isinstance(body, CardDrawn)]


def play(world: LinkPair, rig: Rig, cards: int) -> None:
    """As a table does: permits one card, which is drawn and reaches the journal."""
    for _ in range(cards):
        count = rig.memory.cards
        world.want(Permit(count + 1))
        world.run_until(lambda: rig.link.permitted == 1)
        rig.draw(DECK[count % 52], world.now)
        world.run_until(lambda: world.journal.cards == rig.memory.cards)
    assert cards_of(world) == list(enumerate(rig.cards, 1))
    assert not world.events_of(CardsMissing)
