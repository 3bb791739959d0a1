"""Where somebody types a secret."""

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

Network = IPv4Network | IPv6Network
LOOPBACK: Final[tuple[Network, ...]] = (ip_network("127.0.0.0/8"), ip_network("::1/128"))
AT_TABLE: Final = "the table"
NO_ADDRESS: Final = "no address"
THIS_COMPUTER: Final = "127.0.0.1"
IPV6_PREFIX: Final = 64
"""Whoever has one IPv6 address has all addresses of its network with this prefix."""


@dataclass(frozen=True, slots=True)
class Origin:
    """`address`: the network address; empty for this computer. `at_table`: on the table's own screen,
    whatever the address is."""

    address: str
    at_table: bool = False

    @property
    def place(self) -> str:
        """The text by which attempts from here are counted: one for the table's own computer, one for each
        IPv4 address and each IPv6 network, and one for all that is not an address."""
        address = _parsed(self.address)
        if self.at_table or (address and address.is_loopback):
            return AT_TABLE
        if isinstance(address, IPv6Address):
            return str(ip_network((address, IPV6_PREFIX), strict=False))
        return str(address) if address else NO_ADDRESS

    def is_within(self, networks: tuple[Network, ...]) -> bool:
        """Whether this is the table's own screen, or an address of one of these networks."""
        address = _parsed(self.address)
        return self.at_table or any(address in network for network in networks if address)


def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text or THIS_COMPUTER)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
