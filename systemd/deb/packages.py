"""The two packages: that of a table, with the program, and that of a floor, which needs the first."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from systemd.deb import environment, layout, nats_server


@dataclass(frozen=True, slots=True)
class Package:
    """`install`: puts the programs of the version below a root; the file of the release key may sign them.
    `fields`: what dpkg shows of it; it may name `version`, `python` and `next_python`."""

    name: str
    layout: layout.Layout
    install: Callable[[Path, str, Path | None], None]
    fields: str


def _install_server(root: Path, _version: str, _key: Path | None) -> None:
    nats_server.install(root)


TABLE = Package(
    "tableside",
    layout.TABLE,
    environment.install,
    """\
Depends: python3 (>= {python}), python3 (<< {next_python}), libc6, systemd, udev
Recommends: chromium, cage, xwayland, dbus, libpam-systemd, polkitd, fonts-liberation
Description: {title}
 A daemon for the computer under a casino card table, with pages for dealers,
 supervisors and technicians. Its Python libraries are its own, in /opt.
 .
 Nothing starts before a table is configured: see
 /usr/share/doc/tableside/install.md
""",
)
FLOOR = Package(
    "tableside-floor",
    layout.FLOOR,
    _install_server,
    """\
Depends: tableside (= {version}), systemd
Description: The floor of many card tables, its servers, and linked progressives
 Services for the computers of a floor. They run the program of the package
 tableside, and the NATS server, which this package contains.
 .
 Nothing starts before it is configured: see
 /usr/share/doc/tableside/install-floor.md
""",
)
PACKAGES = (TABLE, FLOOR)
