"""The control socket of a simulated device: requests for what hands do, and notices of what can be seen.

One JSON object a line. A request is answered in order by {"ok": true, ...} or {"error": TEXT}. Notices
{"notice": NAME, ..., "at": SECONDS} come in between, to every client.
"""

import asyncio
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from drivers.sim.requests import RequestError, Response

MOST_UNREAD = 1_000_000
"""Bytes that may wait for a client. One that reads more slowly is disconnected."""


class ControlServer:
    """Serves one device. `ask` carries a request out; `look` gives the notices for a new client."""

    def __init__(
        self, path: Path, ask: Callable[[object], Response], look: Callable[[], list[dict[str, Any]]]
    ) -> None:
        self._path = path
        self._ask = ask
        self._look = look
        self._clients: dict[asyncio.StreamWriter, asyncio.Task[None] | None] = {}
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """Listens, replacing an old socket of that name. The name appears only when the socket listens."""
        fresh = self._path.with_name(self._path.name + ".new")
        fresh.unlink(missing_ok=True)
        self._server = await asyncio.start_unix_server(self._serve, fresh)
        fresh.replace(self._path)

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
        serving = [task for task in self._clients.values() if task is not None]
        for client in self._clients:
            client.close()
        await asyncio.gather(*serving)
        self._path.unlink(missing_ok=True)

    def publish(self, notices: Iterable[dict[str, Any]]) -> None:
        lines = b"".join(_line(notice) for notice in notices)
        for client in list(self._clients) if lines else ():
            self._write(client, lines)

    async def _serve(self, reader: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        self._clients[client] = asyncio.current_task()
        try:
            self._write(client, b"".join(_line(notice) for notice in self._look()))
            async for line in reader:
                self._write(client, _line(self._answer(line)))
        except (ConnectionError, ValueError):
            return  # gone, or a line without end
        finally:
            self._clients.pop(client)
            client.close()

    def _answer(self, line: bytes) -> Response:
        try:
            return self._ask(json.loads(line))
        except json.JSONDecodeError as error:
            return {"error": f"not JSON: {error}"}
        except UnicodeDecodeError as error:
            return {"error": f"not UTF-8: {error}"}
        except RequestError as error:
            return {"error": str(error)}

    def _write(self, client: asyncio.StreamWriter, lines: bytes) -> None:
        if client.is_closing():
            return
        if client.transport.get_write_buffer_size() > MOST_UNREAD:
            client.transport.abort()
            return
        client.write(lines)


def _line(record: dict[str, Any]) -> bytes:
    return json.dumps(record).encode() + b"\n"
