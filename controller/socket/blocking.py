"""A client of the table socket for commands: one request after the other."""

import itertools
import socket
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from controller.socket.lines import MOST_LINE
from controller.socket.params import PeerKind
from controller.socket.peers import peer_of
from controller.socket.wire import CoreAway, read_message, request_line, result_of


class BlockingClient:
    """A context. Raises CoreAway if no core answers within `limit` seconds, CallRefused if it refuses.

    `kind`: what this client is; None for what its user is.
    """

    def __init__(self, path: Path, kind: PeerKind | None = "cli", *, limit: float = 30.0) -> None:
        self._numbers = itertools.count(1)
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(limit)
        try:
            self._socket.connect(str(path))
        except OSError as error:
            self._socket.close()
            raise CoreAway(f"no core answers at {path}: {error.strerror or error}") from None
        self._lines = self._socket.makefile("rb")
        try:
            self.hello: dict[str, Any] = self.call("hello", {"as": kind} if kind else {})
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def core_process(self) -> int:
        """The process id of the core."""
        return peer_of(self._socket).pid

    def close(self) -> None:
        self._lines.close()
        self._socket.close()

    def call(self, method: str, params: Mapping[str, object] | None = None) -> Any:
        """The result of one request. Raises CallRefused, CoreAway."""
        number = next(self._numbers)
        try:
            with suppress(BrokenPipeError):  # the core may have said why it ends the connection
                self._socket.sendall(request_line(number, method, params or {}))
            return self._result(number)
        except OSError as lost:
            raise CoreAway(f"the core is gone: {lost}") from None

    def _result(self, number: int) -> Any:
        while line := self._lines.readline(MOST_LINE):
            message = read_message(line)
            if message.get("id") == number or ("error" in message and message.get("id") is None):
                return result_of(message)
        raise CoreAway("the core has ended the connection")
