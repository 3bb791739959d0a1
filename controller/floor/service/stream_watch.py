"""Looks at the streams of the property: how full each is, and whether every server keeps up."""

from collections.abc import Callable, Iterable
from typing import Final

import nats.errors
from nats.js import JetStreamContext
from nats.js.api import StreamInfo
from nats.js.errors import NotFoundError

from controller.floor.tables.alerts import FloorCause

NEARLY_FULL: Final = 0.7
"""The share of a stream's room at which a person should act."""


class StreamWatch:
    """`report` gets each cause with a sentence, which is empty when all is well."""

    def __init__(
        self, stream: JetStreamContext, names: Iterable[str], report: Callable[[FloorCause, str], None]
    ) -> None:
        self._stream, self._names, self._report = stream, tuple(names), report

    async def look(self) -> None:
        """Raises the error of nats for a stream that does not answer, after it has asked for all: it may be
        on a server that is down."""
        away: Exception | None = None
        for name in self._names:
            try:
                info = await self._stream.stream_info(name)
            except NotFoundError:
                continue
            except (nats.errors.Error, TimeoutError) as error:
                away = error
                continue
            self._report(FloorCause("full", which=name), _room(name, info))
            self._report(FloorCause("replica", which=name), _replicas(name, info))
        if away:
            raise away


def _room(name: str, info: StreamInfo) -> str:
    room = info.config.max_bytes or 0
    if room <= 0 or info.state.bytes < NEARLY_FULL * room:
        return ""
    share, most = f"{info.state.bytes / room:.0%}", f"{room:,}"
    stream = name
    return f"Stream {stream} has {share} of its {most} bytes; when it is full, tables keep their rows"


def _replicas(name: str, info: StreamInfo) -> str:
    replicas = (info.cluster.replicas if info.cluster else None) or []
    late = [peer.name or "a server" for peer in replicas if not peer.current or peer.offline]
    stream, servers = name, ", ".join(sorted(late))
    return f"Stream {stream} is not up to date on {servers}" if late else ""
