"""A running table as commands reach it: its core answers at the table socket, and people sign in there for
as long as the command lasts."""

import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final

from controller.access.people import Role, secret_kind
from controller.commands.secret_prompt import ask_secret
from controller.config import Config
from controller.socket.blocking import BlockingClient
from controller.socket.listening import find_socket
from controller.socket.wire import CallRefused, CoreAway

THIS_COMPUTER: Final = ""
"""The address of the table's own computer, where commands run and secrets are typed."""

Fields = Mapping[str, Any]


class OtherTableError(Exception):
    """Another table answers at the socket."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: `fields` are in each of their requests, a session's token or root's reason. `confirm`: their
    secret, for acts that take it again; None for root."""

    fields: Fields
    confirm: Fields | None = field(default=None, repr=False)


@contextmanager
def running_table(config: Config) -> Iterator["RunningTable"]:
    """The table with this configuration. Raises CoreAway if no core answers, OtherTableError, and what the
    methods raise."""
    path = find_socket(config)
    with BlockingClient(path) as client:
        if client.hello["table"] != config.table.name:
            raise OtherTableError(f"another table answers at {path}: {client.hello['table']}")
        yield RunningTable(client)


class RunningTable:
    """Methods raise CallRefused and CoreAway."""

    def __init__(self, client: BlockingClient) -> None:
        self._client = client

    @contextmanager
    def signed_in(self, name: str, role: Role) -> Iterator[Actor]:
        """A session of this person, whose secret is asked for now. `role`: as which they sign in."""
        kind = secret_kind(role)
        secret = ask_secret(name, kind)
        place = {"address": THIS_COMPUTER}
        proof = {"kind": kind, "name": name, "secret": secret}
        token = self._client.call("sign_in", {**proof, **place})["token"]
        try:
            yield Actor({"token": token}, {"kind": kind, "secret": secret})
        finally:
            with suppress(CallRefused, CoreAway):
                self._client.call("sign_out", {"token": token, **place})

    def preview(self, actor: Actor, act: Fields) -> Fields:
        found: Fields = self._client.call("preview", {**actor.fields, "act": act})
        return found

    def act(self, actor: Actor, act: Fields) -> Fields:
        """Returns the answer, with `row` and `request`, when the act is on disk."""
        params = {**actor.fields, "act": act, "id": uuid.uuid4().hex}
        try:
            taken: Fields = self._client.call("act", params)
        except CallRefused as refused:
            if "confirm" not in refused.data or actor.confirm is None:
                raise
            taken = self._client.call("act", {**params, "confirm": actor.confirm})
        return taken

    def answer(self, actor: Actor, request: int, why: str, *, grant: bool) -> Fields:
        """Grant or withdraw a request."""
        answer = {"request": request, "grant": grant, "why": why}
        seen = self.preview(actor, {"answer": answer})
        return self.act(actor, {"answer": {**answer, "token": seen["token"]}})
