"""The files of the servers of a property: one that all of them have, with the keys that they trust, and one
for each. An installer copies them; `floor prepare` writes them again whenever it runs."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, urlsplit

from controller.floor.authority.authority import Authority
from controller.journal.names import write

MODE: Final = 0o644
SHARED: Final = "accounts.conf"
ROUTES_PORT: Final = 6222
"""The port under which the servers of a cluster reach each other."""
BEGIN: Final = "# Written by `tableside floor prepare`: it writes the file again, so change nothing here"


@dataclass(frozen=True, slots=True)
class ServerPaths:
    """Where a server finds its certificate, its private key, the certificate of the house, and its disk."""

    certificate: Path = Path("/etc/tableside/nats/server.crt")
    key: Path = Path("/etc/tableside/nats/server.key")
    ca: Path = Path("/etc/tableside/nats/ca.crt")
    store: Path = Path("/var/lib/tableside-nats")


@dataclass(frozen=True, slots=True)
class LeafNodes:
    """How the servers of a hub and those of its properties find each other. `domain`: a name for what these
    servers store, which tells it from what others store; `served`: the addresses under which those of a hub
    take connections; `hub`: the addresses to which those of a property connect, for `account`, with the
    `credentials` that the hub gave them."""

    domain: str
    served: tuple[str, ...] = ()
    hub: tuple[str, ...] = ()
    account: str = ""
    credentials: Path = Path()


def accounts(authority: Authority) -> tuple[str, ...]:
    """The lines that say whose signatures a server trusts. Raises AuthorityError."""
    system = authority.system_account
    return (
        f"operator: {authority.operator_jwt.strip()}",
        f"system_account: {system}",
        "resolver: MEMORY",
        "resolver_preload: {",
        f"  {authority.account}: {authority.account_jwt.strip()}",
        f"  {system}: {authority.system_jwt.strip()}",
        "}",
    )


def server_lines(
    cluster: str,
    servers: Sequence[str],
    monitors: Iterable[str],
    server: str,
    paths: ServerPaths,
    leaves: LeafNodes | None = None,
) -> tuple[str, ...]:
    """The configuration of `server`, one of the addresses in `servers`. `monitors`: the addresses of
    monitoring ports; the server serves the one on its host."""
    own = urlsplit(server)
    tls = _tls(paths)
    return (
        BEGIN,
        f"server_name: {_quoted(_name(own))}",
        f"port: {own.port}",
        *(_monitor(urlsplit(monitor)) for monitor in monitors if urlsplit(monitor).hostname == own.hostname),
        *(("tls {", *tls, "}") if own.scheme == "tls" else ('host: "127.0.0.1"',)),
        _jetstream(paths.store, leaves.domain if leaves else ""),
        *(_leaf_nodes(leaves, own, paths) if leaves else ()),
        *(_cluster(cluster, servers, server, tls) if len(servers) > 1 else ()),
        f"include ./{SHARED}",
    )


def write_server_files(folder: Path, files: Mapping[str, Iterable[str]]) -> None:
    """Write the lines of each file into `folder`. Raises OSError."""
    folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    for name, lines in files.items():
        write(folder / name, "".join(f"{line}\n" for line in lines).encode(), MODE)


def server_file(server: str) -> str:
    """The name of the file of the server with this address."""
    return f"{_name(urlsplit(server))}.conf"


def _name(address: SplitResult) -> str:
    """What other servers call it; the port tells two on one computer apart."""
    return f"{address.hostname}-{address.port}"


def _monitor(address: SplitResult) -> str:
    if address.scheme == "https":
        return f"https_port: {address.port}"
    return f'http: "127.0.0.1:{address.port}"'


def _jetstream(store: Path, domain: str) -> str:
    named = f", domain: {_quoted(domain)}" if domain else ""
    return f"jetstream {{ store_dir: {_quoted(str(store))}, sync_interval: always{named} }}"


def _leaf_nodes(leaves: LeafNodes, own: SplitResult, paths: ServerPaths) -> tuple[str, ...]:
    served = [urlsplit(address) for address in leaves.served if urlsplit(address).hostname == own.hostname]
    return (
        "leafnodes {",
        *(line for address in served for line in _served(address, paths)),
        *(_remote(leaves, paths) if leaves.hub else ()),
        "}",
    )


def _served(address: SplitResult, paths: ServerPaths) -> tuple[str, ...]:
    """Servers of a property use the addresses in their files only: those are the names in certificates."""
    here = ("  tls {", *(f"  {line}" for line in _tls(paths)), "  }")
    return (
        f"  port: {address.port}",
        "  no_advertise: true",
        *(here if address.scheme == "tls" else ('  host: "127.0.0.1"',)),
    )


def _remote(leaves: LeafNodes, paths: ServerPaths) -> tuple[str, ...]:
    """A remote is tried again each second."""
    tls = any(urlsplit(address).scheme == "tls" for address in leaves.hub)
    return (
        "  reconnect: 1",
        "  remotes: [ {",
        f"    urls: [{', '.join(map(_quoted, leaves.hub))}]",
        f"    account: {_quoted(leaves.account)}",
        f"    credentials: {_quoted(str(leaves.credentials))}",
        *((f"    tls {{ ca_file: {_quoted(str(paths.ca))} }}",) if tls else ()),
        "  } ]",
    )


def _tls(paths: ServerPaths) -> tuple[str, ...]:
    return (
        f"  cert_file: {_quoted(str(paths.certificate))}",
        f"  key_file: {_quoted(str(paths.key))}",
        f"  ca_file: {_quoted(str(paths.ca))}",
        '  min_version: "1.3"',
    )


def _cluster(name: str, servers: Sequence[str], server: str, tls: tuple[str, ...]) -> tuple[str, ...]:
    """Servers show each other their certificates."""
    others = (urlsplit(other).hostname for other in servers if other != server)
    routes = ", ".join(_quoted(f"nats-route://{other}:{ROUTES_PORT}") for other in others)
    return (
        "cluster {",
        f"  name: {_quoted(name)}",
        f"  port: {ROUTES_PORT}",
        f"  routes: [{routes}]",
        "  tls {",
        *(f"  {line}" for line in tls),
        "    verify: true",
        "  }",
        "}",
    )


def _quoted(text: str) -> str:
    return json.dumps(text)
