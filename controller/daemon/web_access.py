"""The accounts, and the certificate of the pages, as the configuration names them."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from ssl import SSLContext

from controller.access.desk import AccessDesk
from controller.access.errors import AccountsUnusable
from controller.config import Config, ConfigError
from controller.monitor.server.tls import server_context
from drivers.key_files import credential

KEY_CREDENTIAL = "web.key"
"""Its name among a service's credentials, which go first."""
WARNING_PERIOD = 30 * 86_400.0
"""Seconds before a certificate ends in which somebody should make another one."""


@contextmanager
def open_accounts(config: Config) -> Iterator[AccessDesk | AccountsUnusable]:
    """Where people sign in, or why they cannot: the table plays without accounts, and the file is not
    changed."""
    try:
        desk = AccessDesk(Path(config.access.path), time.time, time.monotonic, config.access.limits())
    except AccountsUnusable as why:
        yield why
    else:
        with desk:
            yield desk


class NoAccounts:
    """Stands in for accounts that cannot be used."""

    def __init__(self, why: AccountsUnusable | None) -> None:
        self._why = why

    def holder(self, _name: str) -> None:
        """Raises LookupError: no account can be looked up."""
        raise LookupError(str(self._why))


def tls_context(config: Config) -> SSLContext | None:
    """None where pages are served without; raises ConfigError for files that cannot be used."""
    if not config.web.tls:
        return None
    try:
        return server_context(Path(config.web.certificate), _key(config))
    except OSError as error:
        raise ConfigError((f"{error}; tableside certificate --make makes both",)) from None


def certificate_expiry(config: Config) -> float | None:
    """When the certificate of the pages ends, seconds of Unix time; None: they have none."""
    if not config.web.tls:
        return None
    from controller.access.certificate import read_certificate  # what reads certificates takes a megabyte

    return read_certificate(Path(config.web.certificate)).expires


def expiry_warning(expiry: float | None, now: float) -> str:
    """A sentence for whoever should make another certificate; empty: nobody needs to yet."""
    if expiry is None or expiry - now > WARNING_PERIOD:
        return ""
    days = int((expiry - now) // 86_400)
    when = f"ends in {days} days" if days >= 0 else "has ended"
    return f"The certificate of the pages {when}: tableside certificate --make --replace"


def _key(config: Config) -> Path:
    return credential(KEY_CREDENTIAL) or Path(config.web.key)
