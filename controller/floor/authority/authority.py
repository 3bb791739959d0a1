"""The keys of a property's servers, in a folder that root keeps: an operator, whose signature the servers
trust, and an account, FLOOR, in which all programs of the property are.

| file | what it is | needed for |
|---|---|---|
| `operator.seed` | signs the account | prepare, revoke |
| `account.seed` | the account | prepare |
| `table.seed` | signs the credentials of tables, by a template that binds each to its name | admit |
| `floor.seed`, `prepare.seed`, `progressive.seed` | the same for the programs of the property | prepare |
| `system.seed` | the account in which the servers talk to each other | prepare |
| `operator.jwt`, `system.jwt` | the operator and that account, as the servers have them | prepare, revoke |
| `account.jwt` | the account as the servers have it: the templates, and what was revoked | all |
| `issued/` | what was signed for each table | revoke |

What was signed with a key counts as long as the account names that key.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, get_args

from controller.floor.authority.claims import VERSION, ClaimsError, read_claims, signed_claims
from controller.floor.authority.nkeys import Nkey, NkeyError, NkeyKind, kept_nkey
from controller.floor.authority.permissions import Role, templates
from controller.floor.credentials import Credentials, CredentialsError, credentials_text
from controller.journal.names import write

ACCOUNT: Final = "FLOOR"
SYSTEM: Final = "SYS"
PUBLIC: Final = 0o644
SECRET: Final = 0o600
UPDATE_INBOX: Final = "_INBOX.update"
NO_LIMIT: Final = -1
LIMITS: Final = (
    "subs",
    "data",
    "payload",
    "imports",
    "exports",
    "conn",
    "leaf",
    "mem_storage",
    "disk_storage",
    "streams",
    "consumer",
)
SYSTEM_LIMITS: Final = LIMITS[:-4]
"""The account of the servers stores nothing."""


class AuthorityError(Exception):
    """The keys of the servers cannot be used. The message names the file."""


@dataclass(frozen=True, slots=True)
class Authority:
    """The folder `folder` of the property `house`. Methods raise AuthorityError."""

    folder: Path
    house: str

    def prepare(self, now: int) -> None:
        """Make what is missing, and sign the account again if a template has changed."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name, kind in _KEYS.items():
            self._kept(name, kind)
        if not self._operator.exists():
            self._sign_operator(now)
        claims = self._account_claims() if self._account.exists() else {}
        revoked = claims.get("revocations", {})
        if claims != self._claims(revoked):
            self._sign_account(revoked, now)

    def issue(self, table: str, user: str, now: int) -> Path:
        """The file with what `user`, the public key of a table, may show the servers from now on."""
        nats = {"type": "user", "issuer_account": self.account}
        signed = signed_claims(self._key("table"), user, table, nats, now)
        path = self._issued / f"{table}-{user}.jwt"
        self._write(path, signed, PUBLIC)
        return path

    def issued(self, table: str) -> tuple[str, ...]:
        """The public keys for which something was signed as this table, in alphabetical order."""
        found = (path.stem.removeprefix(f"{table}-") for path in self._issued.glob(f"{table}-*.jwt"))
        return tuple(sorted(user for user in found if "-" not in user))

    def revoke(self, table: str, now: int) -> tuple[str, ...]:
        """What was signed for this table up to now counts no more. Returns the public keys."""
        users = self.issued(table)
        revoked = self._account_claims().get("revocations", {})
        self._sign_account({**revoked, **dict.fromkeys(users, now)}, now)
        return users

    def revoked(self) -> Mapping[str, int]:
        """Public keys; nothing counts that was signed for one up to its second of Unix time."""
        return dict(self._account_claims().get("revocations", {}))

    def make_credentials(self, role: Role, name: str, now: int) -> Path:
        """The credentials of a program of the property, in a file of its own, which is kept as long as the
        account names the key that signed it."""
        path = self.folder / f"{role if role == name else f'{role}-{name}'}.creds"
        if not self._counts(path, role):
            self._write_credentials(path, role, name, {"issuer_account": self.account}, now)
        return path

    def full_credentials(self, now: int) -> Path:
        """Credentials of the account itself, which may do everything: for demonstrations and tests."""
        path = self.folder / "full.creds"
        if not path.exists():
            self._write_credentials(path, "account", "full", _UNLIMITED, now)
        return path

    def system_credentials(self, now: int) -> Path:
        """The file with the credentials for sending a new account to the servers."""
        path = self.folder / "system.creds"
        if not path.exists():
            update = f"$SYS.REQ.ACCOUNT.{self.account}.CLAIMS.UPDATE"
            allowed = {"pub": {"allow": [update]}, "sub": {"allow": [f"{UPDATE_INBOX}.>"]}}
            self._write_credentials(path, "system", "system", {**allowed, **_UNLIMITED}, now)
        return path

    @property
    def account(self) -> str:
        """The public key of the account."""
        return str(self._read_account()["sub"])

    @property
    def account_jwt(self) -> str:
        return self._text(self._account)

    @property
    def operator_jwt(self) -> str:
        return self._text(self._operator)

    @property
    def system_account(self) -> str:
        """The public key of the account in which the servers talk to each other."""
        return self._key("system").public

    @property
    def system_jwt(self) -> str:
        return self._text(self._system)

    @property
    def _operator(self) -> Path:
        return self.folder / "operator.jwt"

    @property
    def _system(self) -> Path:
        return self.folder / "system.jwt"

    @property
    def _account(self) -> Path:
        return self.folder / "account.jwt"

    @property
    def _issued(self) -> Path:
        return self.folder / "issued"

    def _claims(self, revoked: Mapping[str, int]) -> dict[str, Any]:
        scopes = [
            {"kind": "user_scope", "key": self._key(role).public, "role": role, "template": allowed.claims()}
            for role, allowed in templates(self.house).items()
        ]
        claims: dict[str, Any] = {
            "type": "account",
            "limits": {**dict.fromkeys(LIMITS, NO_LIMIT), "wildcards": True},
            "signing_keys": scopes,
            "version": VERSION,
        }
        return claims | ({"revocations": dict(revoked)} if revoked else {})

    def _sign_operator(self, now: int) -> None:
        """Once: servers that run accept no other operator, also not the same one that is signed again."""
        operator, system = self._key("operator"), self._key("system").public
        limits = {**dict.fromkeys(SYSTEM_LIMITS, NO_LIMIT), "wildcards": True}
        claims = {"type": "account", "limits": limits}
        self._write(self._system, signed_claims(operator, system, SYSTEM, claims, now), PUBLIC)
        claims = {"type": "operator", "system_account": system}
        self._write(self._operator, signed_claims(operator, operator.public, self.house, claims, now), PUBLIC)

    def _sign_account(self, revoked: Mapping[str, int], now: int) -> None:
        account = self._key("account").public
        signed = signed_claims(self._key("operator"), account, ACCOUNT, self._claims(revoked), now)
        self._write(self._account, signed, PUBLIC)

    def _account_claims(self) -> dict[str, Any]:
        return dict(self._read_account()["nats"])

    def _read_account(self) -> dict[str, Any]:
        try:
            return read_claims(self.account_jwt)
        except ClaimsError as error:
            raise AuthorityError(f"{self._account}: {error}") from None

    def _counts(self, path: Path, role: Role) -> bool:
        """Whether the file is there, and the key that signed it is the one that the account names."""
        if not path.exists():
            return False
        try:
            return bool(read_claims(Credentials.read(path).jwt.decode())["iss"] == self._key(role).public)
        except CredentialsError as error:
            raise AuthorityError(str(error)) from None
        except ClaimsError as error:
            raise AuthorityError(f"{path}: {error}") from None

    def _write_credentials(
        self, path: Path, signer: str, name: str, limits: Mapping[str, Any], now: int
    ) -> None:
        user = Nkey.make(NkeyKind.USER)
        signed = signed_claims(self._key(signer), user.public, name, {"type": "user", **limits}, now)
        self._write(path, credentials_text(signed, user.seed), SECRET)

    def _kept(self, name: str, kind: NkeyKind) -> None:
        try:
            kept_nkey(self.folder / f"{name}.seed", kind)
        except NkeyError as error:
            raise AuthorityError(str(error)) from error

    def _key(self, name: str) -> Nkey:
        try:
            return Nkey.read(self.folder / f"{name}.seed", _KEYS[name])
        except NkeyError as error:
            raise AuthorityError(f"{error}; tableside floor prepare makes it") from error

    def _text(self, path: Path) -> str:
        try:
            return path.read_text("ascii")
        except (OSError, UnicodeDecodeError) as error:
            raise AuthorityError(
                f"{path} cannot be read: {error}; tableside floor prepare makes it"
            ) from error

    def _write(self, path: Path, text: str, mode: int) -> None:
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write(path, f"{text}\n".encode(), mode)
        except OSError as error:
            raise AuthorityError(f"{path} cannot be kept: {error.strerror}") from error


_KEYS: Final = {
    "operator": NkeyKind.OPERATOR,
    "system": NkeyKind.ACCOUNT,
    "account": NkeyKind.ACCOUNT,
    **dict.fromkeys(get_args(Role), NkeyKind.ACCOUNT),
}
_UNLIMITED: Final = dict.fromkeys(("subs", "data", "payload"), NO_LIMIT)
