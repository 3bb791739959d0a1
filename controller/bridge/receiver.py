"""What every receiver of events is: a connection that is made again and again, and takes events in order."""

import asyncio
import ssl
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Protocol

from controller.bridge.events import Event
from controller.bridge.place import Place
from controller.config.bridge import EventName
from drivers.key_files import readable_by_others


class NotDelivered(Exception):
    """The receiver does not take events now. The message says why."""


class ReceiverError(Exception):
    """The receiver cannot be used as configured. The message names what is wrong."""


class Connection(Protocol):
    """A connection to a receiver. Each method raises NotDelivered."""

    async def send(self, event: Event) -> None:
        """Returns when the receiver has the event."""

    async def reached(self) -> Sequence[Place]:
        """What the receiver itself says it has, of one journal or several."""

    async def lost(self) -> None:
        """Raises NotDelivered when the connection is lost."""


class Receiver(Protocol):
    """`name`: for logs, metrics and files. `events`: those that it wants. `greets`: a connection to it
    shows that it takes events."""

    @property
    def name(self) -> str: ...

    @property
    def events(self) -> frozenset[EventName]: ...

    @property
    def greets(self) -> bool: ...

    def connection(self) -> AbstractAsyncContextManager[Connection]:
        """Entering and leaving raise NotDelivered."""


async def for_ever() -> None:
    """What has no connection loses none."""
    await asyncio.Event().wait()


def tls_context(ca: str) -> ssl.SSLContext:
    """TLS with a receiver whose certificate those in the file `ca` have signed; those of this machine if
    it is empty. Raises ReceiverError."""
    try:
        context = ssl.create_default_context(cafile=ca or None)
    except (OSError, ssl.SSLError) as error:
        raise ReceiverError(f"certificates {ca} cannot be read: {error}") from error
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def secret_text(path: Path) -> str:
    """The line in a file that only its owner may read. Raises ReceiverError, which does not repeat it."""
    try:
        mode = path.stat().st_mode & 0o777
        text = path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ReceiverError(f"secret {path} cannot be read: {error}") from error
    if readable_by_others(path, mode):
        raise ReceiverError(f"secret {path} has mode {mode:04o}: others can read it; chmod 600")
    if not text or "\n" in text:
        raise ReceiverError(f"secret {path}: needed: one line")
    return text
