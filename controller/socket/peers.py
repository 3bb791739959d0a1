"""Who is at the other end of a connection, as the kernel says, and which kinds of client that user may be."""

import os
import pwd
import socket
import struct
from dataclasses import dataclass
from typing import Final, get_args

from controller.socket.params import PeerKind

ROOT: Final = 0
KINDS: frozenset[PeerKind] = frozenset(get_args(PeerKind))
_CREDENTIALS = struct.Struct("3i")


@dataclass(frozen=True, slots=True)
class Peer:
    """The process at the other end when it connected."""

    pid: int
    uid: int
    gid: int


@dataclass(frozen=True, slots=True)
class PeerUsers:
    """The user ids of the satellites; None for a user that this machine does not have."""

    web: int | None = None
    uplink: int | None = None
    bridge: int | None = None


def peer_of(connection: socket.socket) -> Peer:
    """The peer of a Unix socket."""
    found = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    return Peer(*_CREDENTIALS.unpack(found))


def user_id(name: str) -> int | None:
    """The id of a user of this machine; None if there is no such user."""
    try:
        return pwd.getpwnam(name).pw_uid
    except KeyError:
        return None


def may_be_any(uid: int) -> bool:
    """Whether the clients of this user may be of any kind: those of root and of the core's own user."""
    return uid in {ROOT, os.geteuid()}


def possible_kinds(peer: Peer, users: PeerUsers) -> frozenset[PeerKind]:
    """What the peer may be. If it may be anything, `hello` chooses."""
    if may_be_any(peer.uid):
        return KINDS
    satellites: dict[int | None, PeerKind] = {
        users.bridge: "bridge",
        users.uplink: "uplink",
        users.web: "web",
    }
    return frozenset({satellites.get(peer.uid, "cli")})
