"""A table on this computer, to be examined."""

from collections.abc import Iterable
from pathlib import Path

from controller.config import read
from controller.doctor.finding import Finding
from controller.doctor.subject import Subject

TABLE = """
[table]
name = "Table 7"
game = "easy-jack"
[journal]
path = "journal"
{journal}
[web]
{web}
[devices.shoe]
port = "{port}"
serial = "SHOE-1"
[devices.sensors]
port = "socket://10.7.0.9:4000"
serial = "SENSORS-1"
seal = "none"
"""


def subject(folder: Path, port: object = "/dev/shoe", journal: str = "", web: str = "port = 0") -> Subject:
    path = folder / "table.toml"
    path.write_text(TABLE.format(port=port, journal=journal, web=web))
    return Subject(path, read(path))


def found(findings: Iterable[Finding], check: str) -> Finding:
    """The only finding of this check."""
    (one,) = [finding for finding in findings if finding.check == check]
    return one
