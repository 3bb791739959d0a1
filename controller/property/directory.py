"""The directory of a table: who may work there, as the floor says it.

The floor signs the message; its content is sealed for that one table, because the hash of a PIN is not a
secret for long. The content is deflated JSON: argon2id texts have much in common.

`version` rises with each change, and comes from the floor's own journal. `issued` rises with each message,
also if nothing has changed: so a table that gets none knows that it is apart from the floor.
"""

import zlib
from base64 import b64decode, b64encode
from typing import Annotated, ClassVar, Final, Self

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from controller.access.people import Role
from controller.property.sealing import SealingKey, seal
from controller.property.wire import MalformedMessage, Message, Name, Number, Part, UnixTime
from controller.text.characters import character_fault, folded_name

MOST_CONTENT: Final = 1 << 20
"""Bytes of the content before it is deflated."""
MOST_PAYLOAD: Final = 45_000
"""Bytes of a message, so that it fits into one line of the table socket."""
MOST_ACCOUNT_NAME: Final = 40


def _account_name(name: str) -> str:
    if why := character_fault(name):
        raise ValueError(f"not allowed: {why}; allowed: text that can be seen")
    return name


AccountId = Annotated[str, StringConstraints(pattern="^[0-9a-f]{16}$")]
Argon2id = Annotated[str, StringConstraints(pattern=r"^\$argon2id\$[!-~]{20,300}$")]
Base64 = Annotated[str, StringConstraints(pattern="^[A-Za-z0-9+/]+={0,2}$")]


class DirectoryAccount(Part):
    """`secret`: the hash of a dealer's PIN, or of another person's password; null: the account
    has none to sign in with."""

    id: AccountId
    name: Annotated[
        str, StringConstraints(min_length=1, max_length=MOST_ACCOUNT_NAME), AfterValidator(_account_name)
    ]
    role: Role
    secret: Annotated[Argon2id | None, Field(repr=False)] = None
    badge: Annotated[Argon2id | None, Field(repr=False)] = None
    locked: bool = False


class DirectoryContent(Message):
    """`revoked`: accounts that must not be used at this table any more."""

    SECRETS: ClassVar[bool] = True
    accounts: tuple[DirectoryAccount, ...]
    revoked: tuple[AccountId, ...] = ()

    @model_validator(mode="after")
    def _are_different_accounts(self) -> Self:
        for what in ({one.id for one in self.accounts}, {folded_name(one.name) for one in self.accounts}):
            if len(what) < len(self.accounts):
                raise ValueError("two accounts have one id or one name")
        return self


class DirectoryTooLong(Exception):
    """More accounts than one message can hold. The text says how many."""


class Directory(Message):
    """`sealed`: the content, in base64."""

    table: Name
    version: Number
    issued: UnixTime
    sealed: Base64

    @classmethod
    def make(cls, table: str, version: int, issued: float, content: DirectoryContent, public: bytes) -> Self:
        """The message for the table with this public key. Raises DirectoryTooLong."""
        packed = zlib.compress(content.model_dump_json().encode(), 9)
        box = b64encode(seal(public, packed, _context(table, version))).decode()
        made = cls(v=1, table=table, version=version, issued=issued, sealed=box)
        if (length := len(made.payload)) > MOST_PAYLOAD:
            room = len(content.accounts) * MOST_PAYLOAD // length
            raise DirectoryTooLong(
                f"the directory of {table} has {len(content.accounts)} accounts, {length} bytes; "
                f"allowed: {MOST_PAYLOAD} bytes, about {room} accounts"
            )
        return made

    def open(self, key: SealingKey) -> DirectoryContent:
        """Raises SealBroken, MalformedMessage."""
        box = key.open(b64decode(self.sealed), _context(self.table, self.version))
        try:
            reader = zlib.decompressobj()
            text = reader.decompress(box, MOST_CONTENT)
        except zlib.error as error:
            raise MalformedMessage(f"the content cannot be inflated: {error}") from None
        if not reader.eof:
            raise MalformedMessage(f"the content has more than {MOST_CONTENT} bytes, or was cut off")
        return DirectoryContent.read(text)


def _context(table: str, version: int) -> bytes:
    return f"directory of {table}, version {version}".encode()
