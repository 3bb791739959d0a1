"""The accounts and the pages' certificate that the configuration names."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from controller.access.desk import AccessDesk
from controller.access.errors import AccountsUnusable
from controller.config import Config

WARNING_PERIOD = 30 * 86_400.0
"""Seconds before the end of a certificate from which on a warning is given."""


@contextmanager
def open_accounts(config: Config) -> Iterator[AccessDesk | AccountsUnusable]:
    """Yields the accounts, or the error if they cannot be used. The table can play without accounts; a file
    that cannot be used is not changed."""
    try:
        desk = AccessDesk(
            Path(config.access.path),
            time.time,
            time.monotonic,
            config.access.limits(),
            dealer_from=config.access.dealer_networks(),
            offline_for=config.floor.offline_seconds,
        )
    except AccountsUnusable as why:
        yield why
    else:
        with desk:
            if config.uplink is None or not config.floor.keys:
                with suppress(AccountsUnusable):  # the next request that reads it reports this
                    desk.directory.forget()
            yield desk


def signed_in(access: AccessDesk | None) -> int:
    """The number of people who have signed in; 0 while the accounts cannot be used."""
    try:
        return access.sessions.count() if access else 0
    except AccountsUnusable:
        return 0


def certificate_expiry(config: Config) -> float | None:
    """When the pages' certificate ends, in seconds of Unix time; None if they are served without TLS, or if
    the certificate cannot be read, which the web server reports."""
    if not config.web.tls:
        return None
    from controller.access.certificate import read_certificate  # this import takes a megabyte

    try:
        return read_certificate(Path(config.web.certificate)).expires
    except (OSError, ValueError):
        return None


def expiry_warning(expiry: float | None, now: float) -> str:
    """A warning if a certificate that ends at `expiry` must be replaced soon; else empty."""
    if expiry is None or expiry - now > WARNING_PERIOD:
        return ""
    days = int((expiry - now) // 86_400)
    when = f"ends in {days} days" if days >= 0 else "has ended"
    return f"The certificate of the pages {when}: tableside table certificate --make --replace"
