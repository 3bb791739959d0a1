"""An application called in its own process: whole answers, and the parts of a stream."""

import asyncio
from collections.abc import MutableMapping
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI


@dataclass
class Answer:
    """Status, headers and body in the order in which they left."""

    parts: list[str] = field(default_factory=list)

    async def send(self, message: MutableMapping[str, Any]) -> None:
        """What the application sends to the server."""
        if message["type"] == "http.response.start":
            headers = "".join(f"{name.decode()}: {value.decode()}\n" for name, value in message["headers"])
            self.parts.append(f"{message['status']}\n{headers}\n")
        else:
            self.parts.append(message["body"].decode())

    def taken(self) -> str:
        """Everything since the last call, with the ends of the parts."""
        text, self.parts[:] = "\0".join(self.parts), ()
        return text


async def asked(app: FastAPI, path: str) -> str:
    """The whole answer at this path."""
    answer = Answer()
    await _ask(app, path, answer)
    return answer.taken()


def followed(app: FastAPI, path: str, answer: Answer) -> asyncio.Task[None]:
    """Follows a stream until it ends or the task is cancelled."""
    return asyncio.create_task(_ask(app, path, answer))


async def _ask(app: FastAPI, path: str, answer: Answer) -> None:
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"localhost")],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    await app(scope, _Silence(), answer.send)


class _Silence:
    """A client that sends nothing after its request, and stays."""

    def __init__(self) -> None:
        self._asked = False

    async def __call__(self) -> dict[str, Any]:
        if self._asked:
            await asyncio.Event().wait()
        self._asked = True
        return {"type": "http.request", "body": b"", "more_body": False}
