"""The groups of the daemon's user, and of who asks."""

import grp
from collections.abc import Iterator
from typing import Final

from controller.doctor.finding import Finding
from controller.doctor.subject import SERVICE_USER, Subject, caller

NEEDED: Final = ("tableside", "tableside-journal", "tableside-clients")
"""Groups of the daemon's user, as systemd/tableside.sysusers makes them."""


def check_groups(subject: Subject) -> Iterator[Finding]:
    if subject.installed:
        yield _of_the_service(subject)
    else:
        why = f"this computer has no user {SERVICE_USER}: the package is not installed"
        yield Finding("groups of the daemon", "not checked", why)
    me = caller()
    names = ", ".join(sorted(name for number in me.groups if (name := _name(number))))
    yield Finding("your groups", "ok", f"{me.name} is in {names or 'no group that has a name'}")


def _of_the_service(subject: Subject) -> Finding:
    has = {_name(number) for number in subject.user.groups}
    if missing := [name for name in NEEDED if name not in has]:
        text = f"{subject.user.name} is not in {', '.join(missing)}"
        todo = f"usermod --append --groups {','.join(missing)} {subject.user.name}, then restart the service."
        return Finding("groups of the daemon", "fault", text, todo)
    return Finding("groups of the daemon", "ok", f"{subject.user.name} is in {', '.join(NEEDED)}")


def _name(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return ""
