"""Limits on connections to the pages.

A connection holds a place from the moment it is accepted, before any TLS, until it closes. There are few
enough places that the journal and the devices never run out of descriptors, and one address can hold only a
few of them. Programs on the table's own computer, above all its screen, have reserved places: a connection is
local if it comes from the very address that it connects to. If all places are taken, the address that
connected most often loses its oldest connection with a silent client: a crowd that connects and says nothing
displaces only itself.

A new connection costs more than an open one. So there is a limit of new connections a second for each
address, and another for all strangers together that connect often.
"""

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Final

from controller.access.errors import TooOften
from controller.access.lockout import Bucket

MOST: Final = 256
"""Places in all."""
MOST_OF_ONE: Final = 48
"""Places for one address; as many are reserved for this computer."""
MOST_UNFINISHED: Final = 16
"""Connections whose TLS handshake takes longer than BRISK: so many from strangers, and as many from this
computer."""
BRISK: Final = 0.25
"""Seconds within which an honest handshake ends."""
OWN: Final = "this computer"
BURST, REFILL = MOST_OF_ONE, 0.5
"""New connections at once from one address, and the seconds until one more is allowed."""
ALL_BURST, ALL_REFILL = MOST, 0.01
"""The same for all strangers together that connected more than SELDOM times."""
SELDOM: Final = 30
"""Connections. An address that connects once a second counts up to 20."""
WINDOW: Final = 10.0
"""Seconds after which half of an address's count is forgotten."""


@dataclass(slots=True, eq=False)
class Place:
    """The place of one connection. `party`: the name under which its limits are counted."""

    party: str
    since: float
    finished: bool = False
    """Whether the handshake has ended."""
    idle: Callable[[], bool] = field(default=lambda: True)
    """Whether the server waits for the client."""
    end: Callable[[], object] = field(default=lambda: None)
    """Ends the connection."""

    @property
    def own(self) -> bool:
        """Whether the connection comes from this computer."""
        return self.party == OWN


class Admission:
    """Gives out the places. `steady` is a clock that never jumps."""

    def __init__(self, steady: Callable[[], float]) -> None:
        self._steady = steady
        self._places: dict[Place, None] = {}
        self._each = Bucket(steady, burst=BURST, refill=REFILL)
        self._all = Bucket(steady, burst=ALL_BURST, refill=ALL_REFILL)
        self._arrivals = Counter[str]()
        self._next = steady() + WINDOW
        self.refused = 0
        """Connections that got no place, or lost it to another connection."""

    def __len__(self) -> int:
        return len(self._places)

    def admit(self, client: str, server: str) -> Place | None:
        """A place for a connection from one address to another; None if there is none."""
        party = party_of(client, server)
        self._arrive(party)
        if not (self._take_rate(party) and self._has_room(party)):
            self.refused += 1
            return None
        place = Place(party, self._steady())
        self._places[place] = None
        return place

    def leave(self, place: Place) -> None:
        """Free the place of a closed connection."""
        self._places.pop(place, None)

    def _arrive(self, came: str) -> None:
        now = self._steady()
        if now >= self._next:
            self._next = now + WINDOW
            self._arrivals = Counter(
                {each: count // 2 for each, count in self._arrivals.items() if count > 1}
            )
        self._arrivals[came] += 1

    def _take_rate(self, party: str) -> bool:
        """Take one connection of the party's rate; False if it connects too often."""
        if party == OWN:
            return True
        try:
            self._each.take(party)
            if self._arrivals[party] > SELDOM:
                self._all.take("")
        except TooOften:
            return False
        return True

    def _has_room(self, party: str) -> bool:
        peers = [place for place in self._places if place.own == (party == OWN)]
        own = [place for place in peers if place.party == party]
        since = self._steady() - BRISK
        unfinished = [place for place in peers if not place.finished and place.since < since]
        return (
            self._room(own, MOST_OF_ONE)
            and self._room(unfinished, MOST_UNFINISHED)
            and self._room([place for place in peers if place in self._places], MOST - MOST_OF_ONE)
        )

    def _room(self, places: Collection[Place], most: int) -> bool:
        """Whether these have room for one more; a silent connection may give its place up."""
        if len(places) < most:
            return True
        silent = [place for place in places if place.idle()]
        if not silent:
            return False
        victim = max(silent, key=lambda place: self._arrivals[place.party])  # the first is the oldest
        self.leave(victim)
        self.refused += 1
        victim.end()
        return True


def party_of(client: str, server: str) -> str:
    """The party that shares limits: this computer, an IPv4 address, or an IPv6 network (64 bits, RFC
    4291)."""
    return OWN if client == server else _party(client)


@lru_cache(maxsize=1024)
def _party(client: str) -> str:
    try:
        address = ip_address(client.partition("%")[0])
    except ValueError:
        return client
    if isinstance(address, IPv6Address):
        mapped = address.ipv4_mapped
        return str(mapped) if mapped else str(IPv6Address(int(address) >> 64 << 64))
    return str(address)
