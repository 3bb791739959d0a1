"""A floor and a table, each in a machine of its own with a cable between them, by the commands of
docs/install-floor.md: installed, admitted, played, upgraded, removed."""

import json
import re
import shlex
import shutil
from typing import Any

from tests.fixtures.house_ca import make_certificates
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
for key in shoe sensors console shuffler display journal; do tableside provision $key --config {CONFIG}; done
tableside certificate --make --config {CONFIG}
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
ROUNDS = 3


class FloorLife:
    """What happens besides the page's commands: before and after them, by how they begin. The floor's
    computer is its only server, and has the first instance of the linked progressive."""

    def __init__(self, floor: Machine, table: Machine) -> None:
        self._floor, self._table_machine = floor, table
        self._table = Table(table)
        self._table.plug("first")
        table.run("systemctl start tableside")
        self._said = self._public = ""
        self._before: Deeds = {
            "tableside floor prepare --files": lambda: self._one_server("floor"),
            "tableside provision directory": self._enter_the_floor,
            "tableside floor admit": lambda: self._carry("bj-1.json", table, floor),
            "tableside uplink join": lambda: self._carry("bj-1.jwt", floor, table),
            "tableside floor search": self._a_round_is_shown,
            "tableside floor prepare --config": self._enter_the_level,
            "tableside provision progressive": self._enter_the_instance,
            "systemctl enable --now tableside-progressive": self._mirror,
            "apt-get purge": self._table.unplug,
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
            "runuser -u tableside-floor -- tableside users places": self._comes_to_the_table,
            "systemctl enable --now tableside-progressive": self._leads,
            f"{INSTALL} ./new/": self._upgraded,
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
        self._table.plays(ROUNDS)
        self._stored(ROUNDS)
        tile = self._tile()
        found = tile["pit"], tile["stale_since"], tile["game"], int(tile["round"]) >= ROUNDS
        must(found == ("main", None, "Easy Jack", True), f"its tile: {tile}")

    def _stored(self, rounds: int) -> None:
        """The floor lists as many ended rounds of the table, or more."""
        count = f"'import json, sys; sys.exit(len(json.load(sys.stdin)[\"rounds\"]) < {rounds})'"
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
        self._table_machine.until(f"tableside users list --json --config {CONFIG} | grep 'Kim Moon'")

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
        self._runs("tableside-progressive")
        self._floor.until("systemctl show --property=StatusText tableside-progressive | grep Leading")

    def _upgraded(self) -> None:
        """The floor and the instance go on where they were; the table has not been touched."""
        for service in ("tableside-nats", "tableside-floor", "tableside-progressive"):
            self._runs(service)
        self._leads()
        self._sends_rows()
        self._table.plays(2)
        self._stored(ROUNDS + 2)

    def _only_evidence_is_left(self) -> None:
        for kept in ("stores", "sevens.journal"):
            self._has(kept)
        must("access.db" not in self._said, self._said)
        left = self._floor.run("ls /etc/tableside /opt/tableside /var/lib/tableside-nats", allowed=(2,))
        must(not re.search("authority|floor.toml|site-packages|jetstream", left), left)


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
    (floor.root / "srv/new").mkdir()
    for folder, names in (
        (floor.root / "srv", (packages.before, packages.floor_before)),
        (floor.root / "srv/new", (packages.now, packages.floor)),
        (table.root / "srv", (packages.now,)),
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
