"""All checks of a table's computer, one after the other. They only read: they open no port, and what they
write to a disk, while no daemon runs, has no name and is gone when they end."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from controller.check.report import self_test
from controller.config import Config, ConfigError, read
from controller.doctor.certificate import check_certificate
from controller.doctor.clock import check_clock
from controller.doctor.disks import check_disks
from controller.doctor.finding import Finding
from controller.doctor.groups import check_groups
from controller.doctor.keys import check_keys
from controller.doctor.ports import check_ports
from controller.doctor.services import check_services
from controller.doctor.subject import Subject, caller, service_account
from controller.doctor.table_socket import ask_daemon

CHECKS: Final[tuple[tuple[str, Callable[[Subject], Iterator[Finding]]], ...]] = (
    ("services", check_services),
    ("ports", check_ports),
    ("keys", check_keys),
    ("certificate", check_certificate),
    ("disks", check_disks),
    ("clock", check_clock),
    ("groups", check_groups),
)
"""Those that need a valid configuration, by the word that stands for one that could not be done."""


def examine(path: Path) -> Iterator[Finding]:
    """What is found at the table whose configuration is in this file."""
    try:
        config = read(path)
    except ConfigError as error:
        for fault in error.faults:
            yield Finding("configuration", "fault", fault, "Correct the file, then: tableside table check")
        for name, _ in CHECKS:
            yield Finding(name, "not checked", "the configuration has faults")
        return
    table = config.table
    yield Finding("configuration", "ok", f"{path}: {table.name}, {table.game}, {table.seats} seats")
    yield from _program(config)
    service = service_account()
    answer = ask_daemon(config, caller())
    yield from answer.findings
    subject = Subject(path, config, answer.core, service or caller(), bool(service))
    for name, look in CHECKS:
        yield from _looked(name, look, subject)


def _looked(name: str, look: Callable[[Subject], Iterator[Finding]], subject: Subject) -> Iterator[Finding]:
    """What the check finds, until the system refuses something that it needs."""
    try:
        yield from look(subject)
    except OSError as error:
        yield Finding(name, "not checked", f"{error.filename or 'the system'}: {error.strerror}")


def _program(config: Config) -> Iterator[Finding]:
    """A table does not start if files of the program are changed."""
    try:
        text, faults = self_test(config)
    except OSError as error:
        yield Finding("program", "not checked", f"{error.filename}: {error.strerror}")
        return
    for fault in faults:
        yield Finding("program", "fault", fault, "Install the package again.")
    if not faults:
        yield Finding("program", "ok", text)
