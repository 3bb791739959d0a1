"""The request of a table that wants to be admitted at the floor."""

import json
from pathlib import Path

from controller.config import Config, UplinkSection
from controller.floor.authority.nkeys import NkeyError
from controller.floor.uplink.credentials import user_of
from controller.journal.errors import JournalError
from controller.journal.history import History
from controller.journal.place import Extent
from controller.journal.trust import read_public
from controller.property.enrolment import EnrolmentRequest
from controller.property.subjects import epoch_of
from drivers.key_files import KeyFault
from drivers.key_files import read_public as stored_public

STARTED = "started"


class EnrolmentError(Exception):
    """The table is not set up for a floor. The message names what is missing."""


def request_of(config: Config) -> EnrolmentRequest:
    """The request of this table, from its configuration, public key and journal. Raises EnrolmentError,
    JournalError."""
    section = config.uplink
    if section is None:
        raise EnrolmentError("uplink is missing; needed: a section with property, table and servers")
    public = read_public(Path(config.journal.public))
    if public is None:
        raise EnrolmentError(
            f"{config.journal.public} is missing; needed: the journal's public key, which "
            "tableside device provision journal makes"
        )
    history = History(Path(config.journal.path))
    extent = Extent.of(history)
    return EnrolmentRequest(
        v=1,
        property=section.property,
        table=section.table,
        public=public.hex(),
        epoch=_recorded_epoch(history) or epoch_of(history.at(extent.oldest).hash),
        first=extent.oldest,
        before=extent.before.hex(),
        sealing=_sealing(Path(config.floor.directory_public)),
        user=_user(section),
    )


def _sealing(path: Path) -> str:
    """The public key for directories; empty if the table has none. Raises EnrolmentError."""
    try:
        return stored_public(path).hex() if path.exists() else ""
    except KeyFault as fault:
        raise EnrolmentError(f"{fault}; tableside device provision directory writes it") from None


def _user(section: UplinkSection) -> str:
    """Raises EnrolmentError."""
    try:
        return user_of(section)
    except NkeyError as error:
        raise EnrolmentError(str(error)) from error


def _recorded_epoch(history: History) -> str:
    """What the last start recorded; empty after the first start, and in a journal of an older version. Raises
    JournalError."""
    for file in reversed(history.files()):
        with history.open(file) as reader:
            if row := reader.last_of(STARTED):
                body = json.loads(reader.at(row).content.body)
                return str(body.get("epoch", ""))
    raise JournalError(f"journal {history.path} has no start of a table")
