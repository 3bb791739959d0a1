"""How the demonstration's staff acts on the table: they sign in at the table socket once, and stay so."""

from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

from controller.demo.staff import Member
from controller.demo.table import DemoTable
from controller.socket.client import CallRefused, CoreAway, CoreClient
from controller.socket.listening import default_path
from controller.table.record.views import TableView

THIS_COMPUTER = ""
"""The address where they type their secrets."""
PATIENCE = 20.0
"""Seconds in which the daemon answers."""


class StaffDesk:
    """An asynchronous context. The daemon may end and start again meanwhile."""

    def __init__(self, stage: DemoTable) -> None:
        self._stage = stage
        self._client = CoreClient(default_path(stage.journal), "cli", ("view",))
        self._tokens: dict[str, str] = {}

    async def __aenter__(self) -> Self:
        await self._client.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.__aexit__(kind, error, trace)

    def view(self) -> TableView:
        """The table now. Raises NoView while no daemon answers."""
        return self._client.replica.view()

    async def sign_in(self, name: str) -> None:
        """Sign this member in, once the daemon answers; a dealer deals from now on. Raises CoreAway,
        CallRefused."""
        await self._client.wait_connected(PATIENCE)
        await self._session(self._member(name))

    async def act(self, name: str, act: Mapping[str, Mapping[str, Any]]) -> str:
        """Preview an act in the name of this member and take it. Returns why it is not done, empty if it
        is."""
        try:
            return await self._take(name, act)
        except (CallRefused, CoreAway) as error:
            return str(error)

    async def _take(self, name: str, act: Mapping[str, Mapping[str, Any]]) -> str:
        member = self._member(name)
        token = await self._session(member)
        ((kind, body),) = act.items()
        seen = await self._client.preview(token, act)
        carried, number = {kind: {**body, "token": seen.token}}, uuid4().hex
        try:
            await self._client.act(token, carried, number)
        except CallRefused as refused:
            if "confirm" not in refused.data:
                raise
            await self._client.act(token, carried, number, {"kind": member.proof, "secret": member.secret})
        return ""

    def _member(self, name: str) -> Member:
        return next(member for member in self._stage.staff if member.name == name)

    async def _session(self, member: Member) -> str:
        """The token of the member's session, a new one if there is none or it is over."""
        known = self._tokens.get(member.name)
        if known is None or await self._client.session(known) is None:
            signed = await self._client.sign_in(member.proof, member.name, member.secret, THIS_COMPUTER)
            known = self._tokens[member.name] = signed.token
        return known
