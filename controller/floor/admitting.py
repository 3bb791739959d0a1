"""The request of a table to be admitted: a JSON object, which two persons check.

    {"v": 1, "property": "house", "table": "bj-1", "epoch": "0123456789abcdef", "first": 1,
     "before": "00...", "public": "ab...", "user": "UA..."}

`first` is the first row that the floor stores, `before` the hash before it, and `public` the key with which
the table signs. With `sealing`, the public key that tableside device provision directory made, the floor
sends the table a directory of its people. `user` is the public key with which the table's uplink signs in at
the servers; it is not needed if they admit everybody. Other fields are for other programs.
"""

from pathlib import Path

from pydantic import field_validator

from controller.floor.authority.nkeys import NkeyError, NkeyKind, checked_public
from controller.floor.day_file import JournalName
from controller.floor.projector import Admission
from controller.property.enrolment import EnrolmentRequest
from controller.property.wire import MalformedMessage


class RequestError(Exception):
    """A request cannot be admitted. The message says why."""


class AdmissionRequest(EnrolmentRequest):
    """What a table asks for, as the floor takes it."""

    @field_validator("user")
    @classmethod
    def _is_a_users(cls, user: str) -> str:
        try:
            return user and checked_public(user, NkeyKind.USER)
        except NkeyError as error:
            raise ValueError(str(error)) from None

    def name(self) -> JournalName:
        return JournalName(self.table, self.epoch)

    def admission(self) -> Admission:
        keys = bytes.fromhex(self.public), bytes.fromhex(self.sealing)
        return Admission(self.first, bytes.fromhex(self.before), *keys)


def read_request(written: str, *properties: str) -> AdmissionRequest:
    """The request in this text, or in the file of this name, of a table of these properties. Raises
    RequestError."""
    try:
        text = written if written.lstrip().startswith("{") else Path(written).read_text("utf-8")
        request = AdmissionRequest.read(text.encode())
    except (OSError, UnicodeDecodeError) as error:
        raise RequestError(f"request {written!r} cannot be read: {error}") from error
    except MalformedMessage as error:
        raise RequestError(f"request: {error}") from None
    if request.property not in properties:
        allowed = ", ".join(map(repr, properties))
        raise RequestError(f"request of the property {request.property!r}; allowed: {allowed}")
    return request
