"""`python -m tests.package`: the packages' whole life, by the commands of docs/install.md and
docs/install-floor.md, as root.

They are built twice with the same bytes, and once as an older version. That of a table is installed in a
clean Debian that boots, configured, started as its unit says, played with, upgraded on a journal of schema 1,
taken back, removed and purged. In another Debian, a version whose daemon served the pages is upgraded with a
round in play. Two more become a floor and a table that is admitted there, and are upgraded, the floor also
killed, removed, installed again and purged. Ends with status 1 and the reason when something is not as it
should be.
"""

import re
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from systemd.deb.sources import ROOT
from tests.package.floor_life import connect
from tests.package.machine import Machine, MachineError, make_debian, must
from tests.package.one_unit import cross
from tests.package.packages import build_packages
from tests.package.page import INSTALL, Deeds, carry_out, run_here
from tests.package.table import Table

OLD_JOURNAL = Path(__file__).parents[1] / "controller" / "journal" / "old" / "easy-jack-only.db"
STATE = "/var/lib/tableside"
LIBRARIES = """
import ctypes, libusb_package
from usb.backend import libusb1
assert ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 7)() == 7
assert libusb_package.get_library_path()
"""
"""Libraries that USB needs: C that calls Python back."""
ONCE = {
    r"^ExecStart=.*": "ExecStart=/opt/tableside/bin/python /srv/libraries.py",
    r"^Type=.*": "Type=oneshot",
}
"""The daemon's own unit with another program in it."""
DAEMONS = re.compile(
    r"^(Restart|Watchdog|NotifyAccess|RuntimeDirectory|WantedBy|\[Install).*\n", re.MULTILINE
)
GIVEN_UP = """
export DPKG_MAINTSCRIPT_PACKAGE=tableside
cd /var/lib/dpkg/info && ./tableside.prerm upgrade 9 && ./tableside.postinst abort-upgrade 9
"""
"""What dpkg runs when another version cannot be unpacked."""
SECRETS = {"dealer": "2581\n", "supervisor": "a table in a pit\n", "technician": "a cable in a pit\n"}


class Life:
    """What happens besides the page's commands: before and after them, by how they begin."""

    def __init__(self, machine: Machine) -> None:
        self._machine, self._table = machine, Table(machine)
        self._said = ""
        self._before: Deeds = {
            "ls /dev/tableside": lambda: self._table.plug("first", keyed=False),
            "systemctl start tableside": self._keys_in,
            "tableside journal replay": lambda: self._table.plays(3),
            f"{INSTALL} ./new/": self._an_old_journal,
        }
        self._after: Deeds = {
            f"{INSTALL} ./tableside": self._sleeps,
            "ls /dev/tableside": lambda: self._has("SHOE-1"),
            "systemctl start tableside": self._is_up,
            "systemctl status": self._keys_are_roots,
            "journalctl": self._lets_people_in,
            "tableside journal replay": self._comes_back,
            "systemctl stop tableside": self._sleeps,
            "tableside device list": lambda: self._has("SHOE-1"),
            "runuser -u tableside -- tableside people list": lambda: self._has("Dee Ray"),
            "tableside table kiosk": lambda: self._has("--ignore-certificate-errors-spki-list="),
            f"{INSTALL} ./new/": self._brought_up_to_date,
            "apt-get purge": self._only_the_journal_is_left,
        }

    def step(self, command: str) -> None:
        """One command of the page, with what belongs to it."""
        print(f"$ {command}", flush=True)
        carry_out(self._before, command)
        self._said = self._machine.run(command, typed=self._secret(command))
        carry_out(self._after, command)

    def _secret(self, command: str) -> str:
        return next((text for role, text in SECRETS.items() if f"--role {role}" in command), "")

    def _has(self, text: str) -> None:
        must(text in self._said, f"{text} is not in: {self._said}")

    def _keys_in(self) -> None:
        self._table.plug("first")

    def _is_up(self) -> None:
        print("  ", self._table.answers().strip())
        said = self._machine.run(
            "journalctl --unit tableside --no-pager --output cat --grep 'self-test' --lines 1"
        )
        must('"files": 0' not in said, f"its own files are unchecked: {said}")

    def _sleeps(self) -> None:
        status = self._machine.run("systemctl is-active tableside", allowed=(3,))
        must("inactive" in status, f"the service is {status}")

    def _keys_are_roots(self) -> None:
        self._machine.run("runuser -u tableside -- cat /etc/tableside/keys/shoe.key", allowed=(1,))
        self._machine.run(
            "test ! -e /var/lib/tableside/keys && test ! -e /run/credentials/tableside.service/shoe.key"
        )

    def _lets_people_in(self) -> None:
        """Hashing a password and the other libraries in C work where no memory becomes executable."""
        answer = self._table.signs_in("Ann Lee", SECRETS["supervisor"].strip())
        must('"role":"supervisor"' in answer, answer)
        unit = DAEMONS.sub("", (ROOT / "systemd" / "tableside.service").read_text())
        for line, other in ONCE.items():
            unit = re.sub(line, other, unit, flags=re.MULTILINE)
        (self._machine.root / "etc/systemd/system/libraries.service").write_text(unit)
        (self._machine.root / "srv/libraries.py").write_text(LIBRARIES)
        self._machine.run("systemctl daemon-reload && systemctl start libraries")

    def _comes_back(self) -> None:
        """Killed, as by its own fault; systemd treats the watchdog's kill alike."""
        before = self._machine.run("systemctl show --property=MainPID --value tableside")
        self._machine.run("systemctl kill --signal=KILL tableside && sleep 2")
        self._is_up()
        must(
            before != self._machine.run("systemctl show --property=MainPID --value tableside"),
            "not restarted",
        )
        self._machine.run(GIVEN_UP)
        self._is_up()
        self._table.plays(2)

    def _an_old_journal(self) -> None:
        """As if the earlier version had been much older."""
        self._machine.run(
            f"systemctl stop tableside && mkdir /srv/aside && mv {STATE}/table.journal* /srv/aside"
        )
        self._machine.run("rm /etc/tableside/journal.pub")  # that version had none
        shutil.copy(OLD_JOURNAL, self._machine.root / STATE.lstrip("/") / "table.journal")
        self._machine.run(f"chown tableside: {STATE}/table.journal && chmod 600 {STATE}/table.journal")
        self._table.plug("second")

    def _brought_up_to_date(self) -> None:
        self._is_up()
        before = self._table.rounds()
        self._table.plays(6, meanwhile="dpkg --install ./new/tableside_*.deb")
        self._is_up()
        must(
            before == 4 and self._table.rounds() >= 10,
            f"{before} rounds before, {self._table.rounds()} after",
        )
        self._table.plug("first")  # for the way back

    def _only_the_journal_is_left(self) -> None:
        left = self._machine.run(f"ls /etc/tableside /opt/tableside {STATE}", allowed=(0, 2))
        must("table.journal" in left and "journal.key" in left, left)
        must("access.db" not in left and "table.toml" not in left and "site-packages" not in left, left)
        self._table.unplug()


def main() -> int:
    """The exit status."""
    with TemporaryDirectory(prefix="tableside-deb-") as place:
        folder = Path(place)
        debian = folder / "debian"
        try:
            packages = build_packages(folder)
            make_debian(debian)
            with Machine(folder / "root", debian) as machine:
                live(machine, packages.before, packages.now)
            with Machine(folder / "one-unit-root", debian) as machine:
                cross(machine, packages.one_unit, packages.now)
            with (
                Machine(folder / "floor-root", debian) as floor,
                Machine(folder / "table-root", debian) as table,
            ):
                connect(floor, table, packages)
        except MachineError as error:
            print(f"not as it should be: {error}", file=sys.stderr)
            return 1
    print("installed, played, upgraded, taken back, removed; upgraded from one service with a round in play")
    print("a floor installed, a table admitted, its rounds shown; upgraded, killed, installed again, purged")
    return 0


def live(machine: Machine, before: Path, now: Path) -> None:
    """Runs all commands of the page. Raises MachineError with the service's own words."""
    shutil.copy(before, machine.root / "srv")
    (machine.root / "srv" / "new").mkdir()
    shutil.copy(now, machine.root / "srv" / "new")
    life = Life(machine)
    for step in run_here():
        try:
            life.step(step.command)
        except MachineError as error:
            words = machine.run("journalctl --unit tableside --no-pager --lines 40 --output cat")
            raise MachineError(f"{error}\n{words}") from error


if __name__ == "__main__":
    sys.exit(main())
