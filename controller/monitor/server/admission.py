"""Limits on connections to the pages.

A connection holds a place from the moment it is accepted, before the TLS handshake, until it closes. The
number of places is small enough that the journal and the devices never run out of descriptors, and one
address can hold only some of them. Programs on the table's own computer, such as its screen, have reserved
places. A connection is local if its client has the same address as the server. If all places are taken, the
address that connected most often loses its oldest idle connection, so that a crowd of idle clients
displaces only itself.

People who are signed in go before all others. A connection is anonymous until its first request shows a valid
session, so the order cannot be applied when it is accepted. Instead, some places are reserved: anonymous
connections lose theirs first, those beyond the reserve even while they are served.

The port of the kiosk has places of its own: as many as one address, for whoever connects from this computer.

A new connection costs more than an open one. Therefore the rate of new connections is limited for each
address, and once more for all other computers together that connect often.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Final

from controller.access.errors import TooOften
from controller.access.lockout import TokenBucket

MOST_CONNECTIONS: Final = 256
"""Places in total."""
MOST_PER_ADDRESS: Final = 48
"""Places for one address. The same number is reserved for this computer."""
RESERVED: Final = 80
RESERVED_PER_ADDRESS: Final = 16
"""Of the places for other computers, and of those for one address: places that anonymous connections hold
only until somebody else comes."""
MOST_HANDSHAKES: Final = 16
"""Connections whose TLS handshake takes longer than FAST_HANDSHAKE: this many from other computers, and as
many from this computer."""
FAST_HANDSHAKE: Final = 0.25
"""Seconds within which the handshake of an ordinary client ends."""
LOCAL_PARTY: Final = "this computer"
KIOSK_PARTY: Final = "the kiosk"
OWN_PARTIES: Final = frozenset({LOCAL_PARTY, KIOSK_PARTY})
"""Parties that no other computer can belong to."""
BURST = MOST_PER_ADDRESS
REFILL = 0.5
"""New connections that one address may open at once, and the seconds until it may open one more."""
ALL_BURST = MOST_CONNECTIONS
ALL_REFILL = 0.01
"""The same for all other computers together that connected more than FREQUENT_ARRIVALS times."""
FREQUENT_ARRIVALS: Final = 30
"""Connections above which an address counts as frequent. One connection a second gives a count of about
20."""
WINDOW: Final = 10.0
"""Seconds after which the count of each address is halved."""


@dataclass(slots=True, eq=False)
class ConnectionSlot:
    """The place of one connection. `party`: the name under which its limits are counted."""

    party: str
    since: float
    finished: bool = False
    """Whether the TLS handshake is complete."""
    signed_in: bool = False
    """Whether its last request came from a signed-in person."""
    looked_up: float = 0.0
    """When that was looked up, in seconds of the steady clock."""
    idle: Callable[[], bool] = field(default=lambda: True)
    """Whether the server waits for data from the client."""
    close: Callable[[], object] = field(default=lambda: None)
    """Ends the connection."""

    @property
    def local(self) -> bool:
        """Whether the connection comes from this computer."""
        return self.party in OWN_PARTIES


class Admission:
    """Assigns the places of one port. `steady` is a monotonic clock in seconds; `party` names the party of a
    connection between a client and a server, given their addresses."""

    def __init__(self, steady: Callable[[], float], party: Callable[[str, str], str] | None = None) -> None:
        self._steady, self._party_of = steady, party or party_of
        self._slots: dict[ConnectionSlot, None] = {}
        self._each = TokenBucket(steady, burst=BURST, refill=REFILL)
        self._all = TokenBucket(steady, burst=ALL_BURST, refill=ALL_REFILL)
        self._arrivals = Counter[str]()
        self._next = steady() + WINDOW
        self.refused = 0
        """Connections that got no place, or lost their place to another connection."""

    def __len__(self) -> int:
        return len(self._slots)

    def admit(self, client: str, server: str) -> ConnectionSlot | None:
        """A place for a connection between these two addresses; None if a limit refuses it."""
        party = self._party_of(client, server)
        self._count_arrival(party)
        if not (self._take_rate(party) and self._has_room(party)):
            self.refused += 1
            return None
        slot = ConnectionSlot(party, self._steady())
        self._slots[slot] = None
        return slot

    def release(self, slot: ConnectionSlot) -> None:
        """Free the place of a closed connection."""
        self._slots.pop(slot, None)

    def _count_arrival(self, party: str) -> None:
        now = self._steady()
        if now >= self._next:
            self._next = now + WINDOW
            self._arrivals = Counter(
                {each: count // 2 for each, count in self._arrivals.items() if count > 1}
            )
        self._arrivals[party] += 1

    def _take_rate(self, party: str) -> bool:
        """Count one connection against the party's rate; False if the party connects too often."""
        if party in OWN_PARTIES:
            return True
        try:
            self._each.take(party)
            if self._arrivals[party] > FREQUENT_ARRIVALS:
                self._all.take("")
        except TooOften:
            return False
        return True

    def _has_room(self, party: str) -> bool:
        peers = [place for place in self._slots if place.local == (party in OWN_PARTIES)]
        of_party = [place for place in peers if place.party == party]
        since = self._steady() - FAST_HANDSHAKE
        unfinished = [place for place in peers if not place.finished and place.since < since]
        return (
            self._room(of_party, MOST_PER_ADDRESS, RESERVED_PER_ADDRESS)
            and self._room(unfinished, MOST_HANDSHAKES, 0)
            and self._room(
                [place for place in peers if place in self._slots],
                MOST_CONNECTIONS - MOST_PER_ADDRESS,
                RESERVED,
            )
        )

    def _room(self, places: Collection[ConnectionSlot], most: int, reserved: int) -> bool:
        """Whether these places have room for one more. If they are full, one connection is closed if any may
        be."""
        if len(places) < most:
            return True
        candidates = next(filter(None, _displaceable(places, most - reserved)), None)
        if candidates is None:
            return False
        victim = max(candidates, key=lambda place: self._arrivals[place.party])  # the oldest among equals
        self.release(victim)
        self.refused += 1
        victim.close()
        return True


def _displaceable(
    places: Collection[ConnectionSlot], most_anonymous: int
) -> Iterator[Sequence[ConnectionSlot]]:
    """Groups of connections that may lose their place, those that lose it first at the beginning."""
    anonymous = [place for place in places if not place.signed_in]
    yield [place for place in anonymous if place.idle()]
    yield anonymous if len(anonymous) > most_anonymous else ()
    yield [place for place in places if place.idle()]


def party_of(client: str, server: str) -> str:
    """The party whose connections share limits: this computer, an IPv4 address, or an IPv6 network of 64 bits
    (RFC 4291)."""
    return LOCAL_PARTY if client == server else _party(client)


def kiosk_party(_client: str, _server: str) -> str:
    """The party of every connection to the port of the kiosk."""
    return KIOSK_PARTY


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
