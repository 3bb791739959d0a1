"""What `tableside floor prepare` does: the floor's key, the keys of the servers, the files of the servers and
credentials, and the streams on the servers."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import nats.errors
import structlog
from nats.aio.client import Client

from controller.floor.authority.authority import Authority, AuthorityError
from controller.floor.authority.permissions import PREPARING_INBOX
from controller.floor.authority.server_files import (
    SHARED,
    LeafNodes,
    ServerPaths,
    accounts,
    server_file,
    server_lines,
    write_server_files,
)
from controller.floor.connection import ConnectionEndedError, Servers, ServersError, connection
from controller.floor.keys import prepared_signer
from controller.floor.monitoring import check_disk_writes
from controller.floor.progressive.replacing import replace_log
from controller.floor.service.servers import servers_of
from controller.floor.settings import FloorConfig
from controller.floor.streams import prepare

ANSWER_LIMIT: Final = 30.0
"""Seconds in which the servers answer."""
PAUSE: Final = 0.5
"""Seconds between two attempts while the servers have no leader."""
SERVERS: Final = "servers"
"""The folder of the files of the servers, in that of their keys."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """`public`: the key that tables pin, in hex; `made`: the streams that were missing; `streams`: all."""

    public: str
    made: tuple[str, ...]
    streams: tuple[str, ...]


def prepare_keys(config: FloorConfig, clock: Callable[[], float] = time.time) -> str:
    """Make the keys and files that are missing, without a server. Returns the public key that tables pin, in
    hex. Raises KeyFault, AuthorityError."""
    public = prepared_signer(Path(config.key)).public.hex()
    if config.authority:
        authority, now = Authority(Path(config.authority), config.property), int(clock())
        authority.prepare(now)
        _make_credentials(authority, config, now)
        write_accounts(authority)
        _write_servers(authority, config)
    return public


def server_folder(config: FloorConfig) -> Path | None:
    """Where the files of the servers are; None for servers that admit everybody."""
    return Path(config.authority) / SERVERS if config.authority else None


def prepare_floor(config: FloorConfig, clock: Callable[[], float] = time.time) -> Prepared:
    """Make what is missing. Raises KeyFault, AuthorityError, StreamError, ServersError, CredentialsError."""
    public = prepare_keys(config, clock)
    made = asyncio.run(_prepare_streams(config))
    return Prepared(public, tuple(made), tuple(config.deployment().streams()))


def write_accounts(authority: Authority) -> Path:
    """Write the file that all servers have. Raises AuthorityError."""
    folder = authority.folder / SERVERS
    _write(folder, {SHARED: accounts(authority)})
    return folder / SHARED


def _make_credentials(authority: Authority, config: FloorConfig, now: int) -> None:
    authority.make_credentials("floor", "floor", now)
    authority.make_credentials("prepare", "prepare", now)
    for level in config.levels:
        authority.make_credentials("progressive", level, now)
    for name in config.properties:
        authority.make_credentials("property", name, now)
    authority.system_credentials(now)


def _write_servers(authority: Authority, config: FloorConfig) -> None:
    """Raises AuthorityError."""
    leaves = _leaf_nodes(authority, config)
    lines = {
        server_file(server): server_lines(
            config.property, config.servers, config.monitors, server, ServerPaths(), leaves
        )
        for server in config.servers
    }
    _write(authority.folder / SERVERS, lines)


def _leaf_nodes(authority: Authority, config: FloorConfig) -> LeafNodes | None:
    if config.hub:
        credentials = Path(config.hub.credentials)
        return LeafNodes(config.property, (), config.hub.servers, authority.account, credentials)
    return LeafNodes(config.property, config.leaves) if config.leaves else None


def _write(folder: Path, files: dict[str, tuple[str, ...]]) -> None:
    try:
        write_server_files(folder, files)
    except OSError as error:
        raise AuthorityError(f"{folder} cannot be written: {error.strerror}") from error


def _preparing(config: FloorConfig) -> Servers:
    """With the credentials that may change streams."""
    if not config.authority:
        return servers_of(config)
    ca = Path(config.ca) if config.ca else None
    credentials = Path(config.authority) / "prepare.creds"
    return Servers(config.servers, "prepare", PREPARING_INBOX, ca, credentials)


def replace_level_log(config: FloorConfig, level: str, export: Path) -> int:
    """Write the log of the linked progressives to the new file `export`, and begin it anew for `level`.
    Returns how many entries it had. Raises StreamError, ServersError, CredentialsError, OSError."""
    return asyncio.run(_replace_log(config, level, export))


async def _replace_log(config: FloorConfig, level: str, export: Path) -> int:
    try:
        async with asyncio.timeout(ANSWER_LIMIT) as limit, connection(_preparing(config)) as client:
            limit.reschedule(None)  # a log may be long
            return await replace_log(client.jetstream(), config.deployment(), level, export)
    except (TimeoutError, nats.errors.Error, ConnectionEndedError) as error:
        why = str(error) or f"the servers {', '.join(config.servers)} do not answer"
        raise ServersError(f"the log of {level} cannot be replaced: {why}") from error


async def _prepare_streams(config: FloorConfig) -> list[str]:
    refused = ""

    def keep(why: str) -> None:
        nonlocal refused
        refused = why

    try:
        async with (
            asyncio.timeout(ANSWER_LIMIT),
            connection(_preparing(config), on_refused=keep) as client,
        ):
            await check_disk_writes(config.monitors, Path(config.ca) if config.ca else None)
            return await _until_led(client, config)
    except (TimeoutError, nats.errors.Error, ConnectionEndedError) as error:
        servers = ", ".join(config.servers)
        why = refused or str(error) or f"no answer in {ANSWER_LIMIT:g} s"
        raise ServersError(f"the servers {servers} cannot be prepared: {why}{_advice(config)}") from error


async def _until_led(client: Client, config: FloorConfig) -> list[str]:
    """The streams that were made, as soon as the servers have a leader: just started, they have none. Raises
    StreamError."""
    while True:
        try:
            return await prepare(client.jetstream(), config.deployment())
        except (TimeoutError, nats.errors.Error) as error:
            log = structlog.get_logger("tableside.floor")
            log.warning("servers", why=str(error) or type(error).__name__)
        await asyncio.sleep(PAUSE)


def _advice(config: FloorConfig) -> str:
    if not config.authority:
        return ""
    folder = Path(config.authority) / SERVERS
    return f"; copy the files in {folder} to them, start them, and prepare again"
