"""How a table gets its credentials: it makes the private key itself, the floor signs the public one, and the
table puts both together. The private key never leaves the table."""

from pathlib import Path

from controller.config import Config, UplinkSection
from controller.floor.authority.claims import ClaimsError, read_claims
from controller.floor.authority.nkeys import Nkey, NkeyError, NkeyKind, kept_nkey
from controller.floor.credentials import credentials_text
from controller.journal.names import write

MODE = 0o600


class CredentialsRefused(Exception):
    """What the floor has signed is not for this table, or cannot be kept. The message says why."""


def user_of(section: UplinkSection) -> str:
    """The public key with which the uplink signs in. The private one is made if it is missing, beside the
    file of the credentials. Empty if no file is configured. Raises NkeyError."""
    return kept_nkey(_seed_of(section), NkeyKind.USER).public if section.credentials else ""


def join(config: Config, signed: Path) -> Path:
    """Put what the floor has signed, in the file `signed`, and the private key together. Returns the file of
    the credentials. Raises CredentialsRefused."""
    section = config.uplink
    if section is None or not section.credentials:
        raise CredentialsRefused("uplink.credentials is missing; needed: the file that the credentials go to")
    path = Path(section.credentials)
    try:
        jwt = signed.read_text("ascii").strip()
        key = Nkey.read(_seed_of(section), NkeyKind.USER)
        _check(read_claims(jwt), section, key)
        write(path, credentials_text(jwt, key.seed).encode(), MODE)
    except ClaimsError as error:
        raise CredentialsRefused(f"{signed}: {error}") from None
    except NkeyError as error:
        raise CredentialsRefused(f"{error}; tableside table uplink enroll makes it") from error
    except (OSError, UnicodeDecodeError) as error:
        raise CredentialsRefused(f"credentials of {signed}: {error}") from error
    return path


def _seed_of(section: UplinkSection) -> Path:
    return Path(section.credentials).with_suffix(".seed")


def _check(claims: dict[str, object], section: UplinkSection, key: Nkey) -> None:
    """Raises ClaimsError."""
    if claims.get("name") != section.table:
        raise ClaimsError(f"it is for the table {claims.get('name')!r}; allowed: {section.table!r}")
    if claims.get("sub") != key.public:
        raise ClaimsError(f"it is for the key {claims.get('sub')}; the key of this table is {key.public}")
