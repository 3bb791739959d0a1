"""The table socket at the core's end: takes requests of many clients, a few at a time.

Theory of operation
-------------------
Whatever clients do, the table plays. So nothing here waits for a client, and nothing a client sends is done
at once: bytes go into the client's buffer, and `_work` takes one line of each client in turn. It stops after
SLICE seconds, and when the budget of all clients is used up, and goes on later; meanwhile the core reads
nothing from clients whose buffers are full, so that they wait in their own `send`. Nothing is lost, only
later.

A request that has to wait (for the disk, for a password) runs as a task; its answer may come after the
answers to later requests, and `id` tells them apart. If its client has gone, the answer is dropped, never the
act. A client that does not read is not waited for either: `ClientLink` drops it.
"""

import asyncio
import inspect
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Final, TypeGuard

import structlog
from pydantic_core import from_json

from controller.process.traces import fault_location
from controller.socket.budget import Budget
from controller.socket.client_link import ClientLink
from controller.socket.codes import CallError, Code, as_call_error
from controller.socket.core import Core
from controller.socket.encoding import line_of
from controller.socket.lines import LineTooLong
from controller.socket.methods import METHODS, Method, method_of
from controller.socket.params import PeerKind
from controller.socket.peers import PeerUsers, may_be_any
from controller.socket.publisher import Publisher

MOST_CLIENTS: Final = 32
MOST_OF_ONE_USER: Final = 10
"""Clients of one user, so that a satellite cannot keep the clients of other users out. Root and the daemon's
own user have no such limit."""
SLICE: Final = 0.002
"""Seconds after which requests leave the loop to the table."""
PATIENCE: Final = 10.0
"""Seconds after which a client that reads nothing is dropped."""
MOST_ID: Final = 64
"""Characters of a request's id, if it is a text."""


class SocketServer:
    """Serves one core. `steady`: a monotonic clock in seconds; `patience`: seconds after which a client that
    reads nothing is dropped. Call `notify` when the table has changed."""

    def __init__(
        self,
        core: Core,
        users: PeerUsers,
        steady: Callable[[], float] = time.monotonic,
        *,
        patience: float = PATIENCE,
    ) -> None:
        self._core, self._users, self._steady, self._patience = core, users, steady, patience
        self.links: set[ClientLink] = set()
        self._ready: deque[ClientLink] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer: asyncio.Handle | None = None
        self._budget = Budget(steady)
        self._publisher = Publisher(core, self.links, steady)
        self._log = structlog.get_logger("tableside.socket")

    def link(self) -> ClientLink:
        """The protocol of a new connection."""
        return ClientLink(self, self._users, self._patience)

    def has(self, kind: PeerKind) -> bool:
        """Whether a client of this kind, and of no other, is connected."""
        return any(link.kinds == {kind} for link in self.links)

    def notify(self) -> None:
        """Something may look different."""
        self._publisher.notify()

    async def close(self) -> None:
        """Disconnect all clients. Acts that are under way end."""
        self._publisher.close()
        if self._timer:
            self._timer.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for link in tuple(self.links):
            link.finish()

    def joined(self, link: ClientLink) -> bool:
        if full := self._why_full(link.peer.uid):
            link.send(_refusal(None, CallError(Code.UNAVAILABLE, full)))
            return False
        self.links.add(link)
        return True

    def _why_full(self, user: int) -> str:
        """Why there is no room for another client of this user; empty if there is."""
        if len(self.links) >= MOST_CLIENTS:
            return f"{MOST_CLIENTS} clients are connected; allowed: that many"
        theirs = sum(link.peer.uid == user for link in self.links)
        if theirs >= MOST_OF_ONE_USER and not may_be_any(user):
            return f"{theirs} clients of user {user} are connected; allowed: that many"
        return ""

    def left(self, link: ClientLink) -> None:
        self.links.discard(link)

    def ready(self, link: ClientLink) -> None:
        if link in self.links and link not in self._ready:
            self._ready.append(link)
        self._schedule(self._budget.wait())

    def drained(self, _link: ClientLink) -> None:
        self._publisher.notify()

    def _schedule(self, wait: float) -> None:
        if self._timer is None and self._ready:
            self._timer = asyncio.get_running_loop().call_later(wait, self._work)

    def _work(self) -> None:
        """Carry out requests for SLICE seconds, or as long as the budget allows."""
        self._timer, begun = None, self._steady()
        while self._ready and self._steady() - begun < SLICE:
            link = self._ready.popleft()
            if link.may_run and self._take_line(link) and link.may_run:
                self._ready.append(link)
        self._budget.take(self._steady() - begun)
        self._schedule(self._budget.wait())

    def _take_line(self, link: ClientLink) -> bool:
        """Carry out the client's next request. Returns whether there was one."""
        try:
            line = link.buffer.next_line()
        except LineTooLong as wrong:
            link.send(_refusal(None, CallError(Code.NOT_A_REQUEST, str(wrong))))
            link.finish()
            return False
        link.throttle()
        if line is None:
            link.finish_if_idle()
            return False
        self._answer(link, line)
        return True

    def _answer(self, link: ClientLink, line: bytes) -> None:
        number: object = None
        try:
            number, name, content = _request(line)
            method = self._method(link, name, content)
            params = method.params.model_validate(content)
            result = method.call(self._core, link, params)
            if not inspect.iscoroutine(result):
                link.send(_result(number, result))
                return
        except Exception as error:  # noqa: BLE001 - no request may halt the table
            link.send(self._refusal(number, error))
            return
        self._start(link, number, result, counts=not method.has_own_limit)

    def _method(self, link: ClientLink, name: str, params: object) -> Method:
        method = method_of(name, params)
        if method is None:
            known = ", ".join(METHODS)
            raise CallError(Code.UNKNOWN_METHOD, f"{name[:40]!r}: no such method; allowed: {known}")
        if not method.kinds & link.kinds:
            raise CallError(Code.FORBIDDEN, f"{name}: not for this client; allowed: {_names(method.kinds)}")
        if self._core.halted and not method.when_halted:
            raise CallError(Code.UNAVAILABLE, f"the table is halted: {self._core.halted.why}")
        return method

    def _start(self, link: ClientLink, number: object, work: Any, *, counts: bool) -> None:
        """`counts`: the request is one of the MOST_RUNNING of this client."""
        link.running += counts
        task = asyncio.get_running_loop().create_task(self._run(link, number, work, counts), name="request")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, link: ClientLink, number: object, work: Any, counts: bool) -> None:
        try:
            line = _result(number, await work)
        except Exception as error:  # noqa: BLE001 - no request may halt the table
            line = self._refusal(number, error)
        finally:
            link.running -= counts
        link.send(line)
        self.ready(link)

    def _refusal(self, number: object, error: Exception) -> bytes:
        """The answer to a request that failed. A fault of the core is logged, without values: they might
        reveal a face-down card."""
        known = as_call_error(error)
        if known is None:
            self._log.error("request failed", why=fault_location(error))
            known = CallError(Code.FAILED, "a fault of the core: its log says more")
        return _refusal(number, known)


def _request(line: bytes) -> tuple[int | str, str, object]:
    """The id, the method and the parameters of a request. Raises CallError."""
    try:
        found = from_json(line, allow_inf_nan=False)
    except ValueError as wrong:
        raise CallError(Code.NOT_JSON, f"not JSON: {wrong}") from None
    if not isinstance(found, dict) or found.get("jsonrpc") != "2.0":
        raise CallError(Code.NOT_A_REQUEST, 'an object with "jsonrpc": "2.0" is needed')
    number, name = found.get("id"), found.get("method")
    if not _is_id(number):
        raise CallError(Code.NOT_A_REQUEST, f"id: needed: a whole number or a text of {MOST_ID} characters")
    if not isinstance(name, str):
        raise CallError(Code.NOT_A_REQUEST, "method: needed: a name")
    return number, name, found.get("params", {})


def _is_id(number: object) -> TypeGuard[int | str]:
    if isinstance(number, str):
        return len(number) <= MOST_ID
    return isinstance(number, int) and not isinstance(number, bool) and abs(number) < 2**53


def _result(number: object, result: object) -> bytes:
    return line_of({"jsonrpc": "2.0", "id": number, "result": result})


def _refusal(number: object, error: CallError) -> bytes:
    fault: dict[str, object] = {"code": int(error.code), "message": error.text}
    if error.data:
        fault["data"] = dict(error.data)
    return line_of({"jsonrpc": "2.0", "id": number, "error": fault})


def _names(kinds: frozenset[Any]) -> str:
    return ", ".join(sorted(kinds))
