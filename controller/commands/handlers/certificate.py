"""What `tableside table certificate` does."""

import os
from dataclasses import asdict
from datetime import UTC, datetime
from ipaddress import ip_address
from pathlib import Path

import typer

from controller.access.certificate import CertificateInfo, make, read_certificate
from controller.commands.arguments import print_json
from controller.commands.configurations import table_or_floor
from controller.commands.exit_codes import failed, usage
from controller.config import Config
from controller.config.web import WebSection

LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""The names that each certificate contains, so that browsers on the table's computer accept it."""


def handle(config: Path, *, make_one: bool, replace: bool, days: int, spki: bool, as_json: bool) -> None:
    name, web = _pages(config)
    at = Path(web.certificate)
    if replace and not make_one:
        raise usage("--replace: not allowed alone; allowed: --make --replace")
    if spki and as_json:
        raise usage("--spki and --json are not allowed together; allowed: one of them")
    if make_one:
        _make(name, web, days, replace=replace)
    try:
        found = read_certificate(at)
    except FileNotFoundError:
        raise failed(f"certificate {at} is not there; allowed: --make, which makes one") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise failed(f"certificate {at} cannot be read: {why}") from None
    if as_json:
        print_json({"file": str(at), **asdict(found)})
    else:
        typer.echo(found.spki if spki else _description(at, found))


def _pages(path: Path) -> tuple[str, WebSection]:
    """Whose pages this configuration describes, and how they are served. Raises typer.Exit after printing
    its faults."""
    config = table_or_floor(path)
    name = config.table.name if isinstance(config, Config) else config.property
    if config.web is None:
        raise usage("web is missing; needed: a section with tls, certificate and key")
    return name, config.web


def _make(name: str, web: WebSection, days: int, *, replace: bool) -> None:
    at, key = Path(web.certificate), Path(web.key)
    if not replace and (at.exists() or key.exists()):
        raise usage(f"there is a certificate already: {at}; --replace makes another one")
    names = dict.fromkeys((*LOOPBACK, *web.names, *_address(web.host)))
    new = make(name, [*names], datetime.now(UTC), days)
    files = ((key, new.key, 0o600), (at, new.certificate, 0o644))
    try:
        fresh = [_write_new(path, text, mode) for path, text, mode in files]
        for path, (final, _, _) in zip(fresh, files, strict=True):
            path.replace(final)
    except OSError as error:
        raise failed(f"{error.filename} cannot be written: {error.strerror}") from None


def _address(host: str) -> tuple[str, ...]:
    """The host, unless it is an unspecified address such as 0.0.0.0, which stands for all addresses."""
    try:
        return () if ip_address(host).is_unspecified else (host,)
    except ValueError:
        return (host,)


def _write_new(path: Path, text: bytes, mode: int) -> Path:
    """Write a new file beside `path` and return its path. The caller renames the new files after all of them
    are on disk."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    return fresh


def _description(at: Path, found: CertificateInfo) -> str:
    until = datetime.fromtimestamp(found.expires, UTC)
    lines = {
        "file": at,
        "names": ", ".join(found.names),
        "expires": f"{until:%Y-%m-%d %H:%M} UTC",
        "SHA-256": found.fingerprint,
        "SPKI": found.spki,
    }
    return "\n".join(f"{name + ':':9}{value}" for name, value in lines.items())
