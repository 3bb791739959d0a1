"""An upgrade from the version in which one service did everything, with a round in play, and the way back."""

import json
import re
import shutil
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from tests.package.dealer import Dealer, clear, press, pull, put
from tests.package.machine import Machine, MachineError, must
from tests.package.page import INSTALL
from tests.package.table import Table

CONFIG = "/etc/tableside/table.toml"
STATE = "/var/lib/tableside"
MIRROR = "/mnt/second/tableside"
SECRET = "a table in a pit"
CONFIGURE = f"""
cp /usr/share/doc/tableside/examples/table.toml {CONFIG}
sed -i 's/easy-jack/blackjack-x/; s/^# \\(mirror = "[^"]*"\\).*/\\1/' {CONFIG}
chgrp tableside {CONFIG} && chmod 640 {CONFIG}
mkdir -p {MIRROR} && chown tableside: {MIRROR}
mkdir -p /etc/systemd/system/tableside.service.d
for key in shoe sensors console shuffler display journal; do tableside provision $key --config {CONFIG}; done
tableside certificate --make --config {CONFIG}
"""
"""As a careful person did: others cannot read the configuration, and the mirror is on another disk."""
NAME_CURRENCY = f"""
sed -i '/^\\[table\\]/a currency = "USD"' {CONFIG}
tableside table check {CONFIG}
systemctl restart tableside tableside-web
"""
"""The table has a jackpot, so that this version needs its currency."""
FORGET_CURRENCY = f"sed -i '/^currency = /d' {CONFIG}"
"""The earlier version does not know this key."""
DROP_IN = f"""[Service]
ReadWritePaths={MIRROR}
IPAddressDeny=any
IPAddressAllow=localhost
"""
USERS = {"Ann Lee": ("supervisor", SECRET), "Dee Ray": ("dealer", "2581")}
CARDS = "9c 7d 7d 7d Ts 2c 3c 4c 5c 9h Kc Kd Kh Ks"
"""A burned card; three 7s of diamonds win the jackpot, and a ten lies face down. Then another round."""
HIDDEN = "5c"
"""The face-down card of the second round."""
DEALT = (
    put("Place your bets", 0, 500),
    put("Place your bets: 1 wager", 2, 100),
    press("Place your bets: 2 wagers", "close"),
    pull("Burn 1 card"),
    *(pull(f"Deal {left} card") for left in (4, 3, 2, 1)),
)
TURN = "Seat 1 has 14: hit, stand, double, split or surrender"
REST = (press(TURN, "stand", 1), press("Pay seat 1", "pay"), clear("lift the chips"))
ROUND = ["7d", "7d", "7d", "Ts", "1:stand"]
NEXT = (
    put("Place your bets", 0, 500),
    press("Place your bets: 1 wager", "close"),
    *(pull(f"Deal {left} card") for left in (4, 3, 2, 1)),
)
NEXT_TURN = "Seat 1 has 6: hit, stand, double or surrender"
NEXT_REST = (
    press(NEXT_TURN, "stand", 1),
    pull("Dealer has 8"),
    press("Pay seat 1", "pay"),
    clear("confirm claim 1"),
)
NEXT_ROUND = ["2c", "3c", "4c", HIDDEN, "1:stand", "9h"]
HASHES = """
import sqlite3, sys
for mode in ("mode=ro", "immutable=1"):  # with the log of a daemon that runs; without one
    try:
        rows = sqlite3.connect(f"file:{sys.argv[1]}?{mode}", uri=True)
        print(*(hash for hash, in rows.execute("SELECT hex(hash) FROM journal ORDER BY row")))
        break
    except sqlite3.OperationalError as error:
        assert mode == "mode=ro", error
"""
"""Prints the hash of each row of a journal, and changes nothing beside it."""
OWNERS = {
    STATE: "tableside:tableside-journal 2750",
    f"{STATE}/table.journal": "tableside:tableside-journal 640",
    f"{STATE}/table.journal-head": "tableside:tableside-journal 640",
    f"{STATE}/access.db": "tableside:tableside-journal 600",
    f"{STATE}/journal.key": "tableside:tableside-journal 600",
    "/run/tableside/table.sock": "tableside:tableside-clients 660",
    CONFIG: "root:tableside-journal 640",
    "/etc/tableside/keys": "root:root 700",
    "/etc/tableside/keys/journal.seal": "root:root 600",
}
"""Who owns what after the upgrade, and its mode."""
PAGES_READ = (CONFIG, f"{STATE}/table.journal", "/etc/tableside/web.crt")
PAGES_NEVER_READ = (f"{STATE}/access.db", f"{STATE}/journal.key", "/etc/tableside/keys/journal.seal")
PAGES_NEVER_WRITE = (STATE, f"{STATE}/table.journal", CONFIG)
LISTENER = """
inode=$(awk '$2 ~ /:1F90$/ && $4 == "0A" { print $10 }' /proc/net/tcp)
for pid in $(systemctl show --property=MainPID --value tableside tableside-web); do
    if ls -l /proc/$pid/fd | grep -q "socket:\\[$inode\\]"; then stat --format %U /proc/$pid; fi
done
"""
"""The user of the service that listens at port 8080."""


@dataclass(frozen=True, slots=True)
class Possessions:
    """What an upgrade must leave as it is, each as a command prints it, and without the fields that only the
    later version has."""

    accounts: Any
    meters_and_claims: Any
    keys: str
    prompt: str
    sign: str

    @classmethod
    def of(cls, machine: Machine, dealer: Dealer, turn: str) -> "Possessions":
        return cls(
            json.loads(machine.run(f"tableside users list --json --config {CONFIG}")),
            json.loads(machine.run(f"tableside jackpots --json --config {CONFIG}")),
            machine.run(
                f"sha256sum /etc/tableside/keys/*.key /etc/tableside/journal.pub {STATE}/journal.key"
            ),
            dealer.at(turn),
            json.dumps(dealer.sign()),
        )

    def must_be(self, before: "Possessions") -> None:
        for field in fields(self):
            was = getattr(before, field.name)
            now = _as_known(was, getattr(self, field.name))
            must(was == now, f"{field.name} before: {was}\nafter: {now}")


def cross(machine: Machine, before: Path, now: Path) -> None:
    """Raises MachineError with the words of the services."""
    for folder, package in (("old", before), ("new", now)):
        (machine.root / "srv" / folder).mkdir()
        shutil.copy(package, machine.root / "srv" / folder)
    (machine.root / "srv" / "hashes.py").write_text(HASHES)
    table = Table(machine)
    try:
        _installed(machine, table)
        with Dealer(machine, "/run/first") as dealer:
            dealer.load(CARDS)
            dealer.deal(DEALT)
            held = Possessions.of(machine, dealer, TURN)
        _upgraded(machine, held.prompt)
        table.plug("first")  # with the firmware that comes with this version
        with Dealer(machine, "/run/first") as dealer:
            Possessions.of(machine, dealer, TURN).must_be(held)
            _kept_apart(machine, table)
            _played_on(machine, dealer)
            dealer.deal(NEXT)
            _taken_back(machine, dealer)
            _played_to_the_end(machine, dealer)
        _removed(machine)
    except MachineError as error:
        words = machine.run("journalctl --unit tableside --unit tableside-web --no-pager -n 60 --output cat")
        raise MachineError(f"{error}\n{words}") from error
    finally:
        table.unplug()


def _installed(machine: Machine, table: Table) -> None:
    """The earlier version plays, as its own page said, with a drop-in."""
    _say("the version with one service")
    machine.run(f"{INSTALL} ./old/tableside_*.deb")
    machine.run(CONFIGURE)
    (machine.root / "etc/systemd/system/tableside.service.d/override.conf").write_text(DROP_IN)
    for name, (role, secret) in USERS.items():
        add = f'runuser -u tableside -- tableside users add "{name}" --role {role} --config {CONFIG}'
        machine.run(add, typed=f"{secret}\n")
    table.plug("first")
    machine.run("systemctl daemon-reload && systemctl start tableside")
    table.answers()


def _upgraded(machine: Machine, prompt: str) -> None:
    """Cards are dealt, one lies face down, and a wager and a won jackpot are at stake."""
    rows = _hashes(machine, STATE)
    _say(f"upgrade with a round in play: {prompt}")
    said = machine.run(f"{INSTALL} ./new/tableside_*.deb")
    for words in (
        "journal.seal, new",
        "tableside-web.service.d/from-tableside.conf has",
        "the configuration must change before the table can play",
        "table.currency is missing, with the jackpot blazing-7s",
    ):
        must(words in said, f"the package does not say {words!r}: {said}")
    machine.run(NAME_CURRENCY)
    for folder in (STATE, MIRROR):
        must(_hashes(machine, folder)[: len(rows)] == rows, f"rows in {folder} are not those from before")


def _kept_apart(machine: Machine, table: Table) -> None:
    """Two services, each with the files and the settings that are its own."""
    _say("two services: who owns, reads and serves what")
    table.answers()
    must(machine.run(LISTENER).split() == ["tableside-web"], f"the pages are {machine.run(LISTENER)}'s")
    must('"role":"supervisor"' in table.signs_in("Ann Lee", SECRET), "a password does not fit any more")
    said = machine.run(f"stat --format '%n %U:%G %a' {' '.join(OWNERS)}")
    must(said.splitlines() == [f"{path} {owner}" for path, owner in OWNERS.items()], said)
    for flag, paths, status in (
        ("r", PAGES_READ, 0),
        ("r", PAGES_NEVER_READ, 1),
        ("w", PAGES_NEVER_WRITE, 1),
    ):
        for path in paths:
            machine.run(f"runuser -u tableside-web -- test -{flag} {path}", allowed=(status,))
    rules = machine.run("systemctl show --property=IPAddressAllow,IPAddressDeny tableside-web")
    must("127.0.0.0/8" in rules and "::/0" in rules, f"the pages do not keep the drop-in: {rules}")


def _played_on(machine: Machine, dealer: Dealer) -> None:
    _say("the round goes on")
    dealer.deal(REST)
    dealer.at("Place your bets")
    _settled(machine, 1, ROUND, {"main": -500, "blazing-7s": 999_915})


def _taken_back(machine: Machine, dealer: Dealer) -> None:
    """The earlier version cannot read sealed cards: it says so and leaves everything as it is."""
    dealer.at(NEXT_TURN)
    must(HIDDEN not in _named_cards(machine), "the card that lies face down is in the files of the journal")
    _say("back with a sealed card on the table")
    machine.run("systemctl stop tableside")
    machine.run(FORGET_CURRENCY)
    rows = _hashes(machine, STATE)
    said = machine.run(f"{INSTALL} --allow-downgrades ./old/tableside_*.deb")
    must("an older version may not be able to read this journal" in said, said)
    machine.run("systemctl is-active tableside")
    machine.run("journalctl --unit tableside --no-pager --output cat --grep 'cannot be replayed' --lines 1")
    must(_hashes(machine, STATE) == rows, "the earlier version has changed the journal")
    said = machine.run(f"{INSTALL} ./new/tableside_*.deb")
    must("journal.seal, as before" in said, said)
    machine.run(NAME_CURRENCY)


def _played_to_the_end(machine: Machine, dealer: Dealer) -> None:
    _say("forward again, and on")
    dealer.deal(NEXT_REST)
    _settled(machine, 2, NEXT_ROUND, {"main": -500})
    must(HIDDEN in _named_cards(machine), "the card that was turned is not in the journal")
    found = json.loads(machine.run(f"tableside verify --rules --json --config {CONFIG}"))
    must((found["whole"], found["opened"]) == (True, 1), f"the books: {found}")


def _removed(machine: Machine) -> None:
    """The package takes what it has handed over away again, and nothing that a person has written."""
    _say("removed")
    machine.run("apt-get purge --yes tableside")
    machine.run("test ! -e /etc/systemd/system/tableside-web.service.d")
    machine.run(f"ls /etc/systemd/system/tableside.service.d/override.conf {STATE}/table.journal")


def _settled(machine: Machine, number: int, script: list[str], paid: dict[str, int]) -> None:
    lines = machine.run(f"tableside replay --json --config {CONFIG}").splitlines()
    told = next(ended for ended in map(json.loads, lines) if ended["number"] == number)
    lines_paid = {line["wager"]: line["paid"] for line in told["table"]["settlements"]}
    wanted = (script, paid, True, False)
    found = (told["round"]["script"], lines_paid, told["agrees"], told["corrected"])
    must(found == wanted, f"round {number} is {found} and not {wanted}")


def _hashes(machine: Machine, folder: str) -> list[str]:
    """The hash of each row of the journal in a folder."""
    return machine.run(f"python3 /srv/hashes.py {folder}/table.journal").split()


def _named_cards(machine: Machine) -> set[str]:
    """The cards in the clear in the bytes of the journal, of its mirror and of the files beside them."""
    named = re.compile(rb'"card":"(..)"')
    folders = (machine.path(folder) for folder in (STATE, MIRROR))
    files = [path for folder in folders for path in folder.glob("table.journal*") if path.is_file()]
    return {match.decode() for path in files for match in named.findall(path.read_bytes())}


def _as_known(was: Any, now: Any) -> Any:
    """`now` without the fields that `was` does not have: a later version knows more."""
    if isinstance(was, dict) and isinstance(now, dict):
        return {name: _as_known(value, now.get(name)) for name, value in was.items()}
    if isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        return [_as_known(*pair) for pair in zip(was, now, strict=True)]
    return now


def _say(step: str) -> None:
    print(f"* {step}", flush=True)
