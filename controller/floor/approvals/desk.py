"""Makes commands out of what people at the floor want, and of what the table's last status says."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol
from uuid import uuid4

from controller.access.people import Person, secret_kind
from controller.floor.approvals.sender import SentCommand
from controller.floor.tables.picture import FloorPicture
from controller.property.commands import OF_REQUESTS, About, Command, CommandName
from controller.property.status import StatusRequest, TableStatus
from controller.table.record.preview import Preview
from controller.text.characters import same_name

HELP: Final = "help"
"""The kind of a request that is only a call. Granting it changes nothing, so it takes no secret."""
PARAMETERS: Final = "parameters"
"""The kind of a request that comes from outside the table: a person at the table must grant it first."""
DECLINED: Final = "Request {number} is declined: nothing changes at the table"


class Sending(Protocol):
    """Sends commands, and knows what became of them."""

    version: int

    async def send(self, command: Command) -> SentCommand:
        """Raises NotActing."""

    async def again(self, table: str, command_id: str) -> SentCommand:
        """Raises NotActing and LookupError."""

    def known(self) -> Sequence[SentCommand]:
        """The last commands, newest first."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person wants of a table. `number`: of the request or alert, 0 for none; `token`: of the preview
    that the person saw, empty without one."""

    command: CommandName
    text: str
    number: int = 0
    token: str = ""


class CommandDesk:
    """`clock`: seconds of Unix time. Methods raise LookupError, with a sentence, for what the table's status
    does not allow."""

    def __init__(self, picture: FloorPicture, sending: Sending, clock: Callable[[], float]) -> None:
        self._picture, self._sending, self._clock = picture, sending, clock

    @property
    def version(self) -> int:
        """Another number after something about a command has changed."""
        return self._sending.version

    def request(self, table: str, number: int) -> StatusRequest:
        """The open request of this number."""
        requests = self._status(table).requests
        found = next((one for one in requests if one.number == number), None)
        if found is None:
            known = ", ".join(str(one.number) for one in requests) or "none"
            raise LookupError(f"table {table} has no open request {number}; open: {known}")
        return found

    def preview(self, table: str, number: int, person: Person, *, grant: bool) -> Preview:
        """What the answer to a request would do."""
        request = self.request(table, number)
        if not grant:
            return Preview((DECLINED.format(number=number),), token=request.nonce)
        _second(request, person)
        confirm = secret_kind(person.role) if takes_secret("grant", request) else None
        return Preview(request.sentences, (), request.nonce, request.needs > 1, confirm)

    def takes_secret(self, table: str, wish: Wish) -> bool:
        """Whether the person must type their secret again."""
        return wish.command == "grant" and takes_secret(wish.command, self.request(table, wish.number))

    async def give(self, table: str, wish: Wish, person: Person) -> SentCommand:
        """What is known of the command after its reply, or without one in time. Raises NotActing, too."""
        status = self._status(table)
        about, second = self._about(table, status, wish, person)
        command = Command(
            v=1,
            id=str(uuid4()),
            table=table,
            epoch=status.epoch,
            command=wish.command,
            about=about,
            text=wish.text,
            who=person.name,
            role=person.role,
            second=second,
            issued=self._clock(),
        )
        return await self._sending.send(command)

    async def again(self, table: str, command_id: str) -> SentCommand:
        """Send an unknown command again. Raises NotActing, too."""
        return await self._sending.again(table, command_id)

    def recent(self, table: str) -> list[SentCommand]:
        """The last commands to this table, newest first."""
        return [sent for sent in self._sending.known() if sent.command.table == table]

    def _status(self, table: str) -> TableStatus:
        status = self._picture.status(table)
        if status is None:
            raise LookupError(f"table {table} has said nothing since the floor started")
        if not status.nonce:
            raise LookupError(f"table {table} takes no commands of a floor")
        return status

    def _about(self, table: str, status: TableStatus, wish: Wish, person: Person) -> tuple[About, str]:
        """What the command is about, and the person at the table."""
        if wish.command in OF_REQUESTS:
            request = self.request(table, wish.number)
            if wish.token != request.nonce:
                raise LookupError(f"request {wish.number} is not the one of the preview: look at it again")
            second = _second(request, person) if wish.command == "grant" else ""
            return About(request=wish.number, nonce=request.nonce), second
        if wish.command == "acknowledge":
            if all(alert.number != wish.number for alert in status.alerts):
                raise LookupError(f"table {table} has no open alert {wish.number}")
            return About(alert=wish.number, nonce=status.nonce), ""
        return About(nonce=status.nonce), ""


def takes_secret(command: CommandName, request: StatusRequest) -> bool:
    """As at the table: what takes two persons needs the secret of each at that moment."""
    return command == "grant" and request.kind != HELP


def _second(request: StatusRequest, person: Person) -> str:
    """The person at the table who asks for it. Raises LookupError if there is none yet, or if `person` is
    that person or has granted the request."""
    if any(same_name(person.name, name) for name in (request.by, *request.granted)):
        raise LookupError(f"request {request.number}: {person.name} has asked for it, or granted it, already")
    if request.kind != PARAMETERS:
        return request.by
    if not request.granted:
        raise LookupError(f"request {request.number}: a person at the table must grant it first")
    return request.granted[-1]
