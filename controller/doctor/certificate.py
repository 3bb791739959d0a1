"""The certificate of the pages: its end, and whether it has the names that browsers use."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from controller.access.certificate import CertificateInfo, read_certificate
from controller.daemon.web_access import expiry_warning
from controller.doctor.finding import AS_ROOT, Finding
from controller.doctor.subject import Subject

CHECK: Final = "certificate"
MAKE: Final = "tableside table certificate --make --replace, then systemctl restart tableside-web"


def check_certificate(subject: Subject) -> Iterator[Finding]:
    web = subject.config.web
    if not web.tls:
        yield Finding(CHECK, "ok", f"none: only this computer reaches the pages, at {web.host}")
        return
    path = Path(web.certificate)
    try:
        found = read_certificate(path)
    except PermissionError as error:
        yield Finding(CHECK, "not checked", f"{path}: {error.strerror}", AS_ROOT)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        yield Finding(CHECK, "fault", f"{path} cannot be read: {why}", MAKE)
    else:
        yield _judged(path, found, web.names, time.time())


def _judged(path: Path, found: CertificateInfo, names: tuple[str, ...], now: float) -> Finding:
    if soon := expiry_warning(found.expires, now):
        return Finding(CHECK, "fault" if found.expires <= now else "warning", soon.partition(":")[0], MAKE)
    if missing := [name for name in names if name not in found.names]:
        text = f"{path} is not for {', '.join(missing)} (web.names): browsers refuse the page under this name"
        return Finding(CHECK, "fault", text, MAKE)
    until = f"{datetime.fromtimestamp(found.expires, UTC):%Y-%m-%d}"
    return Finding(CHECK, "ok", f"{path}, for {', '.join(found.names)}, until {until}")
