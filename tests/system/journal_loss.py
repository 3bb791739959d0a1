"""A journal is taken away in the middle of a round, or a write to it fails: the round ends as it would have.

`python -m tests.system.journal_loss` does both at every step of a round, and exits 1 if a round ends
differently.
"""

import errno
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from controller.journal import names
from tests.fixtures.process_table import ProcessTable, fork_server, stopped
from tests.system import script
from tests.system.preload.disk import Disk
from tests.system.preload.disk import build as disk_library
from tests.system.service import Service, service

QUICK_RESTART: Final = ("tests.system.quick_restart",)
ERRORS: Final = {"disk full once": errno.ENOSPC, "disk broken once": errno.EIO}
Harm = Callable[[Path], object]


def delete(path: Path) -> None:
    """Deletes every file of the journal."""
    for part in names.parts(path):
        part.unlink()


def move(path: Path) -> None:
    """Renames the file alone, on the same disk."""
    path.rename(path.with_name("elsewhere"))


def replace(path: Path) -> None:
    """Replaces it by its own bytes."""
    copy = path.with_name("copy")
    copy.write_bytes(path.read_bytes())
    copy.rename(path)


def delete_log(path: Path) -> None:
    """The last rows are nowhere else."""
    names.log(path).unlink()


HARMS: Final[Mapping[str, Harm]] = {
    "deleted": delete,
    "moved": move,
    "replaced": replace,
    "log deleted": delete_log,
}


def next_word(running: Service, why: str) -> str:
    """The daemon's next notification to systemd with these words."""
    while why not in (said := running.say()):
        continue
    return said


def put_back(journal: Path) -> None:
    """What a person does, as docs/recovery.md says."""
    aside = journal.with_name("evidence")
    aside.mkdir(exist_ok=True)
    for part in names.parts(journal):
        if part.exists():
            part.rename(aside / part.name)
    saved = names.beside(journal, ".saved-1")
    for part in saved.iterdir():
        part.rename(journal.with_name(part.name))
    saved.rmdir()


def taken(house: ProcessTable, harm: Harm, step: int) -> None:
    """The journal is taken away before this step of a round; a person restores what was saved, and the round
    ends."""
    number = script.lay_out(house).round
    script.play(house, steps=range(step))
    script.at(house, step)
    journal = house.stage.journal
    with stopped(house):
        with service(house.stage.config) as running:
            until_ready(running)
            script.at(house, step)
            harm(journal)
            assert "was changed while it was open" in next_word(running, "Halted: journal ")
            running.process.terminate()
            assert running.end()[0] == 1
        put_back(journal)
    script.play(house, steps=range(step, len(script.ROUND)))
    assert script.lines(script.ended(house, number)) == script.LINES


def unwritten(house: ProcessTable, disk: Disk, library: Path, error: int, step: int) -> None:
    """The write of this step fails once; the table restarts by itself, and the round ends."""
    number = script.lay_out(house).round
    script.play(house, steps=range(step))
    script.at(house, step)
    more = disk.environment(library)
    with stopped(house), service(house.stage.config, more=more, module=QUICK_RESTART) as running:
        until_ready(running)
        script.at(house, step)
        if script.ROUND[step].device == "shoe":
            house.until_permitted()
        disk.fail(error, most=1)
        script.do(house, script.ROUND[step])
        next_word(running, "Halted: journal ")
        until_ready(running)
        script.play(house, steps=range(step + 1, len(script.ROUND)))
        assert script.lines(script.ended(house, number)) == script.LINES
        running.process.terminate()
        assert running.end()[0] == 0


def until_ready(running: Service) -> None:
    """Waits until the table plays."""
    next_word(running, "STATUS=The table is ready")


def main(folder: Path) -> int:
    """How many rounds ended differently."""
    wrong, library = 0, disk_library(folder)
    trials: dict[str, Callable[[ProcessTable, Disk, int], None]] = {
        name: partial(_taken, harm) for name, harm in HARMS.items()
    }
    trials |= {name: partial(_unwritten, library, error) for name, error in ERRORS.items()}
    for step in range(len(script.ROUND)):
        for name, trial in trials.items():
            place = folder / f"{step}-{name.replace(' ', '-')}"
            with (
                ProcessTable(place) as house,
                Disk(folder / f"{place.name}.words", house.stage.folder) as disk,
            ):
                house.start_daemon()
                with house.with_hands():
                    wrong += _differs(f"step {step}, {name}", partial(trial, house, disk, step))
    print(f"{len(script.ROUND) * len(trials)} journals harmed, {wrong} rounds with differences", flush=True)
    return wrong


def _taken(harm: Harm, house: ProcessTable, _disk: Disk, step: int) -> None:
    taken(house, harm, step)


def _unwritten(library: Path, error: int, house: ProcessTable, disk: Disk, step: int) -> None:
    unwritten(house, disk, library, error, step)


def _differs(what: str, trial: Callable[[], None]) -> bool:
    try:
        trial()
    except (AssertionError, TimeoutError) as error:
        print(f"{what}: {error}"[:2000], flush=True)
        return True
    return False


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="tableside-journal-loss-") as place, fork_server():
        sys.exit(main(Path(place)) > 0)
