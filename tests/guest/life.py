"""What happens to a table's computer besides a loss of power, with ModemManager installed all the time."""

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Final

from controller.demo.settings import DemoSettings
from controller.games import GAMES
from controller.journal.history import History
from controller.table.record.codec import read_input
from controller.table.record.events import DeviceEvent, Started
from drivers.messages import CardDrawn
from drivers.sim.kinds import KINDS
from systemd.deb.sources import version
from tests.guest.image import OFFICE, image
from tests.guest.machine import Guest, GuestError, Hardware
from tests.guest.play import Act, play, pull, wrong
from tests.guest.table import CONFIG, INSTALL, STATE, Scene, devices, install, package, prepare
from tests.system.gallery import Cue
from tests.system.mishaps import PLAY, ask

PHASES: Final = ("loading", "burning", *PLAY)
MEDDLER: Final = "ModemManager"
PORTS_OF: Final = f"ls -l /proc/$(pidof {MEDDLER})/fd | grep ttyUSB"
LONG: Final = 900.0
"""Seconds that the play of a game may take on a busy machine."""
MAIN_PID: Final = "systemctl show --property=MainPID --value tableside"


@contextmanager
def office(deb: Path) -> Iterator[tuple[Guest, Path]]:
    """A computer with ModemManager and the package; its table is not configured yet."""
    with tempfile.TemporaryDirectory(prefix="guest-") as place:
        folder = Path(place)
        with Guest(folder, image(OFFICE), Hardware(tuple(KINDS))) as guest:
            guest.run("systemctl mask tableside-web")
            prepare(folder, guest.incoming, Scene(), deb)
            install(guest)
            guest.until(f"systemctl is-active {MEDDLER}")
            yield guest, folder


def games(guest: Guest, folder: Path) -> Iterator[str]:
    """Each game, with a plug pulled in each phase of a round; the shoe has a vendor interface in every
    other."""
    kinds = cycle(KINDS)
    for game, vendor in zip(GAMES, cycle((("shoe",), ())), strict=False):
        acts = [pull(phase, 1, next(kinds)) for phase in PHASES]
        yield from _played(
            guest, folder, Scene(DemoSettings(game=game), vendor), acts, f"{game}, plugs pulled"
        )


def services(guest: Guest, folder: Path) -> Iterator[str]:
    """The service is stopped and started, restarted, killed, and held until its watchdog ends it, in
    rounds."""
    for command in (
        "systemctl stop tableside; sleep 1; systemctl start tableside",
        "systemctl restart tableside",
        "systemctl kill --signal=KILL tableside",
    ):
        acts = [Act(Cue(phase, 2), _command(guest, command)) for phase in ("dealing", "playing")]
        yield from _played(guest, folder, Scene(), acts, command)
    acts = [Act(Cue("dealing", 2), _command(guest, f"kill -STOP $({MAIN_PID})"))]
    yield from _played(guest, folder, Scene(), acts, "a daemon that hangs")
    said = guest.run("journalctl --unit tableside --output cat --no-pager")
    if "Watchdog timeout" not in said:
        yield f"no watchdog ended the daemon that hung: {said[-2000:]}"


def upgrade(guest: Guest, folder: Path) -> Iterator[str]:
    """Two upgrades to other versions with a round in play. The first package waits for the end of the round.
    The second waits in vain, because the shoe's plug is pulled; the round goes on under the new version."""
    ways = {"an upgrade after a round": _upgrade, "an upgrade in a round": _upgrade_without_a_shoe}
    for number, (what, act) in enumerate(ways.items(), start=1):
        newer = f"{version()}.post{number}"
        shutil.copy(package(folder, newer), guest.incoming / "tableside.deb")
        yield from _played(guest, folder, Scene(), [Act(Cue("dealing", 2), partial(act, guest))], what)
        yield from _not_upgraded(guest, newer, in_play=act is _upgrade_without_a_shoe)


async def _upgrade(guest: Guest, _folder: Path) -> None:
    await asyncio.to_thread(guest.run, INSTALL)


async def _upgrade_without_a_shoe(guest: Guest, folder: Path) -> None:
    await ask(folder / "shoe.control", {"do": "cable", "plugged": False})
    await _upgrade(guest, folder)
    await ask(folder / "shoe.control", {"do": "cable", "plugged": True})


def _not_upgraded(guest: Guest, newer: str, *, in_play: bool) -> Iterator[str]:
    """A sentence if the journal of the table, which is stopped, has no start of the newer version; or none
    in a round, if that was to be `in_play`."""
    cards = 0
    for row in (entry.content for entry in History(guest.outgoing / "table.journal").rows()):
        if row.kind == "round":
            cards = 0
        elif row.kind in {"event", "started"}:
            match read_input(row):
                case DeviceEvent(body=CardDrawn()):
                    cards += 1
                case Started(version=started) if started == newer:
                    if in_play and not cards:
                        yield f"version {newer} did not start in a round"
                    return
    yield f"version {newer} did not start"


def meddler(guest: Guest, _folder: Path) -> Iterator[str]:
    """ModemManager runs, and has opened none of the ports."""
    try:
        guest.run(f"systemctl is-active {MEDDLER}")
        held = guest.run(PORTS_OF, allowed=(0, 1))
    except GuestError as error:
        yield str(error)
        return
    if held:
        yield f"{MEDDLER} holds ports: {held}"
    for line in guest.run(
        "for port in /dev/ttyUSB*; do udevadm info --query=property $port; echo; done"
    ).split("\n\n"):
        if line.strip() and "ID_MM_DEVICE_IGNORE=1" not in line:
            yield f"{MEDDLER} may open it: {line}"


PARTS: Final[dict[str, Callable[[Guest, Path], Iterator[str]]]] = {
    "games": games,
    "services": services,
    "upgrade": upgrade,
}


def _played(guest: Guest, folder: Path, scene: Scene, acts: Sequence[Act], what: str) -> Iterator[str]:
    """One table with a fresh journal and fresh devices plays while the acts happen. A sentence for each
    fault."""
    guest.run(f"systemctl stop tableside && rm -f {STATE}/table.journal*")
    text = scene.configuration()
    (guest.incoming / "table.toml").write_text(text, "utf-8")
    guest.run(f"cp /mnt/in/table.toml {CONFIG} && systemctl start tableside")
    fresh = folder / "played"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir()
    for path in (*folder.glob("*.key"), *folder.glob("*.usb")):
        (fresh / path.name).symlink_to(path)
    with devices(fresh, scene):
        try:
            played = asyncio.run(play(fresh, scene.settings, 1, acts, LONG))
        except TimeoutError as error:
            log = guest.run("journalctl --unit tableside --output cat --no-pager --lines 30")
            yield f"{what}: {error}\n{log}"
            return
        found = [*meddler(guest, fresh), *wrong(guest, fresh, scene.settings, played)]
    print(f"{what}: {len(played)} rounds, {len(found)} faults", flush=True)
    yield from (f"{what}: {fault}" for fault in found)


def _command(guest: Guest, command: str) -> Callable[[Path], Coroutine[object, object, None]]:
    async def run(_folder: Path) -> None:
        await asyncio.to_thread(guest.run, command)

    return run
