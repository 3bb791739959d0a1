"""A floor and a table, each in a machine of its own with a cable between them, by the commands of
docs/install-floor.md: installed, admitted, played, upgraded, killed, removed, installed again, purged."""

import json
import re
import shlex
import shutil
from typing import Any

from systemd.deb.sources import version
from tests.fixtures.house_ca import make_certificates
from tests.package.holdings import Holdings, stored
from tests.package.machine import Machine, MachineError, must
from tests.package.packages import Packages
from tests.package.page import FLOOR_PAGE, INSTALL, Deeds, Step, carry_out, run_here
from tests.package.table import PYTHON, Table

SERVER = "nats-1.house.example"
ADDRESSES = ("10.7.0.21", "10.7.0.101")
"""Of the floor, and of the table."""
CONFIG = "/etc/tableside/table.toml"
CONFIGURE = f"""
cp /usr/share/doc/tableside/examples/table.toml {CONFIG}
for key in shoe sensors console shuffler display journal; do
  tableside device provision $key --config {CONFIG}
done
tableside table certificate --make --config {CONFIG}
"""
SECRETS = {
    "Ann Lee": "a floor of tables",
    "Bo Berg": "some more tables",
    "House": "in an envelope",
    "Kim Moon": "2581",
}
ONE_SERVER = {r"(?m)^ +\"(tls|https)://nats-[23].*\n": "", r"(?m)^replicas = 3": "replicas = 1"}
"""From a configuration with three servers to one for the only server here."""
SIGNED_IN = """
import http.cookiejar, json, ssl, sys, urllib.request as web
trust = ssl.create_default_context(cafile="/etc/tableside/web.crt")
jar = web.HTTPCookieProcessor(http.cookiejar.CookieJar())
opened = web.build_opener(web.HTTPSHandler(context=trust), jar)
site = "https://127.0.0.1:8443"
body = json.dumps({"kind": "password", "name": sys.argv[2], "secret": sys.argv[3]}).encode()
opened.open(web.Request(site + "/api/v1/session", body, {"Content-Type": "application/json"})).read()
print(opened.open(site + sys.argv[1]).read().decode())
"""
"""Asks the floor's pages as somebody who signs in, trusting their own certificate alone."""
OWNERS = {
    "/etc/tableside/authority": "root:root 700",
    "/etc/tableside/authority/operator.seed": "root:root 600",
    "/etc/tableside/keys/floor.key": "root:root 600",
    "/etc/tableside/nats": "root:tableside-nats 750",
    "/etc/tableside/nats/server.key": "root:tableside-nats 640",
    "/var/lib/tableside-floor": "tableside-floor:tableside-floor 700",
    "/var/lib/tableside-floor/access.db": "tableside-floor:tableside-floor 600",
    "/var/lib/tableside-floor/stores": "tableside-floor:tableside-floor 700",
    "/var/lib/tableside-floor/stores/floor.sqlite": "tableside-floor:tableside-floor 600",
    "/var/lib/tableside-nats": "tableside-nats:tableside-nats 700",
}
"""Who owns what at the floor, and its mode."""
NEVER_READ = {
    "tableside-floor": (
        "/etc/tableside/authority/floor.creds",
        "/etc/tableside/nats/server.key",
        "/var/lib/tableside-nats",
    ),
    "tableside-nats": (
        "/etc/tableside/authority/table.seed",
        "/etc/tableside/keys/floor.key",
        "/var/lib/tableside-floor",
    ),
    "tableside-progressive": (
        "/etc/tableside/keys/progressive.key",
        "/var/lib/tableside-floor",
        "/var/lib/tableside-nats",
    ),
}
"""By user."""
EXPOSURE = re.compile(r"^\| exposure by `systemd-analyze security` \|(.*)\|$", re.MULTILINE)
SERVICES = ("tableside-floor", "tableside-nats", "tableside-progressive")
"""Of the floor's computer, in the order of the page's last table. The uplink is the table's."""
RUNNING = "systemctl is-active " + " ".join(SERVICES)
LEFT = {
    "/etc/systemd/system/tableside-progressive.service.d",
    "/mnt/second/tableside-progressive",
    "/var/lib/tableside-floor",
    "/var/lib/tableside-progressive",
}
"""What has the name of the product after a purge: what a person wrote, and evidence."""
GIVEN_UP = """
export DPKG_MAINTSCRIPT_PACKAGE=tableside-floor
cd /var/lib/dpkg/info && ./tableside-floor.prerm upgrade 9 && ./tableside-floor.postinst abort-upgrade 9
"""
"""What dpkg runs when another version cannot be unpacked."""
NAMED = "find / -xdev -path /srv -prune -o -name '*tableside*' -prune -print"


class FloorLife:
    """What happens besides the page's commands: before and after them, by how they begin. The floor's
    computer is its only server, and has the first instance of the linked progressive."""

    def __init__(self, floor: Machine, table: Machine) -> None:
        self._floor, self._table_machine = floor, table
        self._table = Table(table)
        self._table.plug("first")
        table.run("systemctl start tableside")
        self._said = self._public = self._evidence = ""
        self._rounds = 0
        self._holdings: Holdings | None = None
        self._before: Deeds = {
            "tableside floor prepare --files": lambda: self._one_server("floor"),
            "tableside device provision directory": self._enter_the_floor,
            "tableside floor admit": lambda: self._carry("bj-1.json", table, floor),
            "tableside table uplink join": lambda: self._carry("bj-1.jwt", floor, table),
            "tableside floor search": self._a_round_is_shown,
            "tableside floor prepare --config": self._enter_the_level,
            "tableside device provision progressive": self._enter_the_instance,
            "systemctl enable --now tableside-progressive": self._mirror,
            f"{INSTALL} ./new/": self._remember,
            "apt-get remove": self._remember,
            "apt-get purge": self._put_to_rest,
        }
        self._after: Deeds = {
            "tableside floor prepare --files": self._key_printed,
            "systemctl enable --now tableside-nats": lambda: self._runs("tableside-nats"),
            "tableside floor prepare --config": lambda: self._has("stream JOURNAL: "),
            "systemctl enable --now tableside-floor": lambda: self._runs("tableside-floor"),
            "systemctl restart tableside": self._plays_again,
            "tableside floor admit": lambda: self._has("the floor takes the journal"),
            "systemctl enable --now tableside-uplink": self._sends_rows,
            "tableside floor search": self._everything_is_where_it_belongs,
            "runuser -u tableside-floor -- tableside people places": self._comes_to_the_table,
            "systemctl enable --now tableside-progressive": self._linked,
            f"{INSTALL} ./new/": self._upgraded,
            "systemctl reload tableside-nats": self._reloaded,
            "systemctl status tableside-nats tableside-floor": self._comes_back,
            "apt-get remove": self._installed_again,
            "ls /var/lib/tableside-floor": self._only_evidence_is_left,
        }

    def step(self, step: Step) -> None:
        """One command of the page, with what belongs to it."""
        place = step.heading.partition(":")[0]
        machine = self._table_machine if place == "Each table" else self._floor
        print(f"{place}$ {step.command}", flush=True)
        carry_out(self._before, step.command)
        self._said = machine.run(step.command, typed=self._secrets(step.command))
        carry_out(self._after, step.command)

    def _secrets(self, command: str) -> str:
        """What the people whom a command names type."""
        named = re.findall(r'"([^"]+)"', command)
        return "".join(f"{SECRETS[name]}\n" for name in named if name in SECRETS)

    def _has(self, text: str) -> None:
        must(text in self._said, f"{text} is not in: {self._said}")

    def _runs(self, service: str) -> None:
        """As the user of its own."""
        self._floor.until(f"systemctl is-active {service}")
        user = f"stat --format %U /proc/$(systemctl show --property=MainPID --value {service})"
        self._floor.until(f'test "$({user})" = {service}')

    def _key_printed(self) -> None:
        [self._public] = re.findall(r"^public key: (\w{64})$", self._said, re.MULTILINE)

    def _one_server(self, name: str) -> None:
        """What an editor does with the example of this name."""
        path = self._floor.root / f"etc/tableside/{name}.toml"
        path.write_text(_for_one_server(path.read_text()))

    def _enter_the_floor(self) -> None:
        """The lines of the page go into the table's configuration."""
        [lines] = re.findall(r"^```toml\n(.*?)^```$", FLOOR_PAGE.read_text(), re.MULTILINE | re.DOTALL)
        with (self._table_machine.root / CONFIG.lstrip("/")).open("a") as config:
            config.write(_for_one_server(lines).replace("PUBLIC KEY", self._public))

    def _plays_again(self) -> None:
        self._table.answers()

    def _carry(self, name: str, source: Machine, target: Machine) -> None:
        shutil.copy(source.root / "srv" / name, target.root / "srv" / name)

    def _sends_rows(self) -> None:
        status = "systemctl show --property=StatusText tableside-uplink"
        self._table_machine.until(f"{status} | grep 'Sends rows to the floor'")

    def _a_round_is_shown(self) -> None:
        self._plays(3)
        tile = self._tile()
        found = tile["pit"], tile["stale_since"], tile["game"], int(tile["round"]) >= self._rounds
        must(found == ("main", None, "Easy Jack", True), f"its tile: {tile}")

    def _plays(self, rounds: int) -> None:
        """The floor lists all rounds of the table then."""
        self._table.plays(rounds)
        self._rounds += rounds
        self._all_rounds_are_listed()

    def _all_rounds_are_listed(self) -> None:
        count = f"'import json, sys; sys.exit(len(json.load(sys.stdin)[\"rounds\"]) < {self._rounds})'"
        search = "tableside floor search --table bj-1 --json --config /etc/tableside/floor.toml"
        self._floor.until(f"{search} | python3 -c {count}")

    def _tile(self) -> dict[str, Any]:
        """The table on the floor's pages, as a supervisor sees it."""
        asked = ("/api/v1/floor/tables", "Ann Lee", SECRETS["Ann Lee"])
        tables = json.loads(self._floor.run(f"{PYTHON} /srv/signed_in.py {shlex.join(asked)}"))
        return next(tile for tile in tables if tile["table"] == "bj-1")

    def _everything_is_where_it_belongs(self) -> None:
        said = self._floor.run(f"stat --format '%n %U:%G %a' {' '.join(OWNERS)}")
        must(said.splitlines() == [f"{path} {owner}" for path, owner in OWNERS.items()], said)
        for user, paths in NEVER_READ.items():
            for path in paths:
                self._floor.run(f"runuser -u {user} -- test -r {path}", allowed=(1,))
        said = self._table_machine.run("stat --format '%U:%G %a' /var/lib/tableside/table.journal")
        must(said.strip() == "tableside:tableside-journal 640", said)

    def _comes_to_the_table(self) -> None:
        """The account is in the directory, which the table's key opens."""
        self._table_machine.until(f"tableside people list --json --config {CONFIG} | grep 'Kim Moon'")

    def _enter_the_level(self) -> None:
        path = self._floor.root / "etc/tableside/floor.toml"
        if (self._floor.root / "var/lib/tableside-floor/stores").exists():  # not yet at the first time
            path.write_text(path.read_text().replace("levels = []", 'levels = ["sevens"]'))

    def _enter_the_instance(self) -> None:
        self._one_server("progressive")
        path = self._floor.root / "etc/tableside/progressive.toml"
        path.write_text(path.read_text().replace("0" * 64, self._public))

    def _mirror(self) -> None:
        """The drop-in of the page."""
        [lines] = re.findall(
            r"^# systemctl edit tableside-progressive\n(.*?)^```$", FLOOR_PAGE.read_text(), re.M | re.S
        )
        folder = self._floor.root / "etc/systemd/system/tableside-progressive.service.d"
        folder.mkdir()
        (folder / "override.conf").write_text(lines)
        self._floor.run("systemctl daemon-reload")

    def _leads(self) -> None:
        self._floor.until("systemctl show --property=StatusText tableside-progressive | grep Leading")

    def _linked(self) -> None:
        """All services run now, with the drop-in of the page too: systemd judges them as the page says."""
        self._goes_on()
        [exposures] = EXPOSURE.findall(FLOOR_PAGE.read_text())
        machines = {**dict.fromkeys(SERVICES, self._floor), "tableside-uplink": self._table_machine}
        for (service, machine), exposure in zip(machines.items(), exposures.split("|"), strict=True):
            said = machine.run(f"systemd-analyze verify --man=no {service}.service")
            must(not said, f"systemd-analyze verify: {said}")
            said = machine.run(f"systemd-analyze security --no-pager {service} | tail -n 1")
            must(f" {service}.service: {exposure.strip()} " in said, f"the page says {exposure}: {said}")

    def _goes_on(self) -> None:
        """As before, each service as its own user, and connected."""
        for service in SERVICES:
            self._runs(service)
        self._leads()
        self._sends_rows()

    def _remember(self) -> None:
        self._holdings = Holdings.of(self._floor)

    def _nothing_is_lost(self) -> None:
        assert self._holdings is not None
        Holdings.of(self._floor).must_go_on(self._holdings)

    def _upgraded(self) -> None:
        """First the floor, with a table of the version before, which goes on; then the table."""
        self._goes_on()
        self._plays(2)
        self._table_machine.run(f"{INSTALL} ./new/tableside_*.deb")
        self._sends_rows()
        self._plays(1)
        self._nothing_is_lost()
        for machine in (self._floor, self._table_machine):
            said = machine.run("dpkg-query --show --showformat '${Version}\\n' 'tableside*' | sort --unique")
            must(said.strip() == version(), f"not upgraded: {said}")

    def _reloaded(self) -> None:
        self._floor.until(
            "journalctl --unit tableside-nats --output cat --no-pager | grep 'Reloaded server configuration'"
        )

    def _comes_back(self) -> None:
        """After an upgrade that was given up, and after all services were killed at once."""
        self._floor.run(GIVEN_UP)
        self._goes_on()
        self._floor.run(f"systemctl kill --signal=KILL {' '.join(SERVICES)}")
        self._goes_on()
        self._plays(1)
        self._nothing_is_lost()

    def _installed_again(self) -> None:
        """The table plays on without a floor; the packages find everything where they left it."""
        said = self._floor.run(RUNNING, allowed=(3, 4))
        must("\nactive" not in f"\n{said}", f"something still runs: {said}")
        self._floor.run("test ! -e /opt/tableside && test ! -e /usr/bin/tableside")
        self._table.plays(1)
        self._rounds += 1
        self._floor.run(f"{INSTALL} ./new/tableside_*.deb ./new/tableside-floor_*.deb")
        self._goes_on()
        self._all_rounds_are_listed()
        self._nothing_is_lost()

    def _put_to_rest(self) -> None:
        """So that nothing changes its files while they are compared. What root asks meanwhile leaves no file
        that the service could not write."""
        self._table.unplug()
        self._floor.run("systemctl stop tableside-floor tableside-progressive")
        self._floor.run("tableside floor verify --config /etc/tableside/floor.toml")
        others = self._floor.run("find /var/lib/tableside-floor ! -user tableside-floor")
        must(not others, f"not the service's: {others}")
        self._evidence = stored(self._floor)

    def _only_evidence_is_left(self) -> None:
        for kept in ("stores", "sevens.journal"):
            self._has(kept)
        must("access.db" not in self._said, self._said)
        must(stored(self._floor) == self._evidence, f"{self._evidence}\nafter: {stored(self._floor)}")
        named = set(self._floor.run(NAMED).splitlines())
        must(named == LEFT, f"left: {named}")


def connect(floor: Machine, table: Machine, packages: Packages) -> None:
    """Runs all commands of the page. Raises MachineError with the words of the services."""
    _furnish(floor, table, packages)
    life = FloorLife(floor, table)
    for step in run_here(FLOOR_PAGE):
        try:
            life.step(step)
        except MachineError as error:
            words = [
                machine.run("journalctl --unit 'tableside*' --no-pager --lines 40 --output cat")
                for machine in (floor, table)
            ]
            raise MachineError("\n\n".join((str(error), *words))) from error


def _furnish(floor: Machine, table: Machine, packages: Packages) -> None:
    """What the page takes for granted: names, files of the house, the packages, and a table that plays."""
    floor.wire(table, *ADDRESSES)
    make_certificates(floor.root / "srv", SERVER)
    shutil.copy(floor.root / "srv/ca.crt", table.root / "srv")
    (floor.root / "srv/signed_in.py").write_text(SIGNED_IN)
    for machine in (floor, table):
        (machine.root / "srv/new").mkdir()
    for folder, names in (
        (floor.root / "srv", (packages.before, packages.floor_before)),
        (floor.root / "srv/new", (packages.now, packages.floor)),
        (table.root / "srv", (packages.before,)),
        (table.root / "srv/new", (packages.now,)),
    ):
        for name in names:
            shutil.copy(name, folder)
    for machine in (floor, table):
        with (machine.root / "etc/hosts").open("a") as hosts:
            hosts.write(f"{ADDRESSES[0]} {SERVER}\n")
    table.run(f"{INSTALL} ./tableside_*.deb")
    table.run(CONFIGURE)


def _for_one_server(text: str) -> str:
    for pattern, instead in ONE_SERVER.items():
        text = re.sub(pattern, instead, text)
    return text
