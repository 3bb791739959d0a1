"""The keys of the devices, of the journal and of the pages: there, readable by their owner alone, whole."""

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from controller.doctor.finding import AS_ROOT, Finding, Status
from controller.doctor.subject import Subject
from drivers.key_files import KeyFault, read_key, readable_by_others

PRIVATE: Final = "chmod 600 {path}; whoever has read the key can pretend to be its owner, so make a new one."


def check_keys(subject: Subject) -> Iterator[Finding]:
    config = subject.config
    for name, device in config.devices.configured().items():
        if device.sealed:
            todo = f"tableside device provision {name}, then put the same key into the device."
            yield _key(subject, f"key of the {name}", Path(device.key), todo)
        else:
            text = "its messages are not sealed (seal = none)"
            yield Finding(f"key of the {name}", "warning", text, "Only simulators and commercial shoes may.")
    provision = "tableside device provision journal"
    signs: Status = "fault" if Path(config.journal.public).exists() else "warning"
    yield _key(subject, "key of the journal", Path(config.journal.key), provision, signs)
    yield _key(subject, "key of the face-down card", config.journal.seal_path, provision, "warning")
    if config.web.tls:
        todo = "tableside table certificate --make --replace"
        yield _key(subject, "key of the pages", Path(config.web.key), todo, read=Path.read_bytes)


def _key(
    subject: Subject,
    check: str,
    path: Path,
    todo: str,
    missing: Status = "fault",
    read: Callable[[Path], bytes] = read_key,
) -> Finding:
    """`todo`: what makes the key. `missing`: how bad it is that there is none. `read` raises KeyFault if the
    content is not a key."""
    try:
        found = path.stat()
    except FileNotFoundError:
        if subject.core:
            return Finding(check, "ok", f"{path} is not there; the running daemon has a key from systemd")
        return Finding(check, missing, f"{path} is missing", f"Make it: {todo}")
    except OSError as error:
        return Finding(check, "not checked", f"{path}: {error.strerror}", AS_ROOT)
    return _exposed(subject, check, path, found) or _content(check, path, todo, read)


def _exposed(subject: Subject, check: str, path: Path, found: os.stat_result) -> Finding | None:
    """A fault if others than its owner can read the key, or if a stranger owns it."""
    mode = stat.S_IMODE(found.st_mode)
    if readable_by_others(path, mode):
        text = f"{path} has mode {mode:04o}: others can read it"
        return Finding(check, "fault", text, PRIVATE.format(path=path))
    if found.st_uid not in (0, subject.user.uid, path.parent.stat().st_uid):
        text = f"{path} belongs to user {found.st_uid}, who can read and replace it"
        return Finding(check, "fault", text, f"chown root {path}")
    return None


def _content(check: str, path: Path, todo: str, read: Callable[[Path], bytes]) -> Finding:
    if not os.access(path, os.R_OK):
        return Finding(check, "not checked", f"{path} is there; you may not read it", AS_ROOT)
    try:
        read(path)
    except (KeyFault, OSError) as error:
        return Finding(check, "fault", str(error), f"Put the file back from the backup, or: {todo}")
    return Finding(check, "ok", f"{path}: a key that only its owner can read")
