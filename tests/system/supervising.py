"""How a supervisor and a hand at the shoe settle unexpected cards."""

from collections.abc import Mapping
from subprocess import CompletedProcess
from typing import Any
from uuid import uuid4
from weakref import WeakKeyDictionary

from controller.demo.staff import Member
from controller.demo.table import DemoTable
from controller.socket.blocking import BlockingClient
from controller.socket.codes import Code
from controller.socket.listening import default_path
from controller.socket.wire import CallRefused
from tests.fixtures.process_table import ProcessTable
from tests.system.command import tableside_here

WHO = "Sue"
WHY = "the camera shows it"
_SESSIONS: WeakKeyDictionary[DemoTable, dict[str, str]] = WeakKeyDictionary()
"""The tokens of sessions at each table, by name: to compare a password takes time."""


def decided(house: ProcessTable, choice: str, **fields: Any) -> None:
    """A supervisor's choice that is followed."""
    assert take(house, {"decision": _named(house, choice, fields)}) == ""


def declined(house: ProcessTable, choice: str, why: str, **fields: Any) -> None:
    """A supervisor's choice that cannot be followed."""
    assert take(house, {"decision": _named(house, choice, fields)}) == why


def _named(house: ProcessTable, choice: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The choice, about the round on the page."""
    return {"choice": choice, "round": house.view().round, "why": WHY, **fields}


def take(house: ProcessTable, act: dict[str, Any], who: str = WHO) -> str:
    """Previews an act and takes it, in the name of one of the staff; returns the reason of a refusal, empty
    when it is done."""
    person = member(house.stage, who)
    with BlockingClient(default_path(house.stage.journal), "cli") as client:
        try:
            token = _session(client, house.stage, person)
            ((kind, body),) = act.items()
            seen = client.call("preview", {"token": token, "act": act})
            carried = {kind: {**body, "token": seen["token"]}}
            confirm = {"kind": person.proof, "secret": person.secret}
            client.call("act", {"token": token, "act": carried, "id": uuid4().hex, "confirm": confirm})
        except CallRefused as refused:
            if refused.code != Code.REFUSED:
                raise
            return refused.message
    return ""


def _session(client: BlockingClient, stage: DemoTable, person: Member) -> str:
    """The token of the person's session, which may have begun before the daemon's last start."""
    known = _SESSIONS.setdefault(stage, {})
    token = known.get(person.name)
    if token is None or client.call("session", {"token": token}) is None:
        proof = {"kind": person.proof, "name": person.name, "secret": person.secret, "address": ""}
        token = known[person.name] = client.call("sign_in", proof)["token"]
    return token


def member(stage: DemoTable, name: str) -> Member:
    """One of the table's staff."""
    return next(member for member in stage.staff if member.name == name)


def supervise(house: ProcessTable, choice: str, *more: str) -> CompletedProcess[str]:
    """The real command `tableside table supervise`, with Sue's password, about the round on the page."""
    words = ("--round", str(house.view().round), "--config", str(house.stage.config))
    typed = f"{member(house.stage, WHO).secret}\n"
    return tableside_here("supervise", choice, *words, "--who", WHO, "--why", WHY, *more, typed=typed)


def draw(house: ProcessTable, *, force: bool = False) -> int:
    """A hand draws a card, which is due unless it is forced; returns its count."""
    shoe = house.hands["shoe"]
    if not force:
        house.until_permitted()
    before = shoe.last("card")
    shoe.ask("pull", force=force)
    house.until(lambda _: shoe.last("card") != before)
    return int(shoe.last("card")["count"])
