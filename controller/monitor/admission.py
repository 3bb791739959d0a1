"""Who may have a connection to the pages.

A connection has a place from when it is accepted, before any TLS, until it is gone. There are so few places
that the descriptors of journal and devices never run out, and one address has a few of them only. Programs on
the table's own computer, its screen above all, have places that nobody else can take: they are those that
connect from the very address that they connect to. Where all places are taken, the address that came most
often gives one up whose client is silent, the oldest first: a crowd that connects and says nothing displaces
itself alone.

What is new costs more than what is there, so each address may make so many new connections a second, and all
strangers together that come often, too.
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
"""Places."""
MOST_OF_ONE: Final = 48
"""Places of one address; those of this computer are kept for it."""
MOST_UNFINISHED: Final = 16
"""Connections whose TLS handshake takes longer than BRISK: of strangers, and as many of this computer."""
BRISK: Final = 0.25
"""Seconds in which an honest handshake is over."""
OWN: Final = "this computer"
BURST, REFILL = MOST_OF_ONE, 0.5
"""New connections at once from one address, and the seconds until it may have one more."""
ALL_BURST, ALL_REFILL = MOST, 0.01
"""The same of all strangers together that came more than SELDOM times."""
SELDOM: Final = 30
"""Arrivals. An address that makes one connection a second counts up to 20 of them."""
WINDOW: Final = 10.0
"""Seconds after which half of what an address did is forgotten."""


@dataclass(slots=True, eq=False)
class Place:
    """Of one connection. `party`: who shares its limits."""

    party: str
    since: float
    finished: bool = False
    """Whether the handshake is over."""
    idle: Callable[[], bool] = field(default=lambda: True)
    """Whether its client has to say something next."""
    end: Callable[[], object] = field(default=lambda: None)
    """Ends the connection."""

    @property
    def own(self) -> bool:
        """Whether it comes from this computer."""
        return self.party == OWN


class Admission:
    """The places. `steady`: a clock that never jumps."""

    def __init__(self, steady: Callable[[], float]) -> None:
        self._steady = steady
        self._places: dict[Place, None] = {}
        self._each = Bucket(steady, burst=BURST, refill=REFILL)
        self._all = Bucket(steady, burst=ALL_BURST, refill=ALL_REFILL)
        self._arrivals = Counter[str]()
        self._next = steady() + WINDOW
        self.refused = 0
        """Connections that got no place, or lost it to another one."""

    def __len__(self) -> int:
        return len(self._places)

    def admit(self, client: str, server: str) -> Place | None:
        """A place for a connection from one address to another; None: there is none."""
        party = party_of(client, server)
        self._arrive(party)
        if not (self._is_slow(party) and self._has_room(party)):
            self.refused += 1
            return None
        place = Place(party, self._steady())
        self._places[place] = None
        return place

    def leave(self, place: Place) -> None:
        """The connection is gone."""
        self._places.pop(place, None)

    def _arrive(self, came: str) -> None:
        now = self._steady()
        if now >= self._next:
            self._next = now + WINDOW
            self._arrivals = Counter(
                {each: count // 2 for each, count in self._arrivals.items() if count > 1}
            )
        self._arrivals[came] += 1

    def _is_slow(self, party: str) -> bool:
        """Whether so many connections are no flood."""
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
        """Whether there is room for one more among these; a silent one gives it up."""
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
    """Who shares limits: this computer, an IPv4 address, or a network of IPv6 (64 bits, RFC 4291)."""
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
