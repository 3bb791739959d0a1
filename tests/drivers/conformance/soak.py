"""`python -m tests.drivers.conformance.soak`: whole runs of the command for every class, clear and sealed.

The devices are simulated ones in Python and sample devices in C, each a process on a pty.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from drivers.sim.kinds import KINDS
from tests.conformance.firmware import programs
from tests.drivers.conformance.firmware import PROGRAM
from tests.drivers.conformance.rig import KEY, MAKER, SERIAL
from tests.fixtures.waiting import until

SAMPLES = ("shoe", "shuffler")
SIDE_BY_SIDE = 4
"""Most of a run is waiting, but a busy computer disturbs what is measured."""
WAIT = 600.0


@dataclass(frozen=True)
class Device:
    """A device to examine: `program` and its first words, the class, whether it has a key and a maker."""

    name: str
    program: tuple[str, ...]
    kind: str
    sealed: bool
    updates: bool

    def profile(self) -> str:
        """What it declares to have."""
        updates = str(self.updates).lower()
        features = f"update = {updates}\ndoors = true\ncase = true\ntrng = true"
        return f'class = "{self.kind}"\n[features]\nring = 1024\nwindow = 8\n{features}\n'


def devices() -> list[Device]:
    simulated = [("python", (sys.executable, "-m", "drivers.sim", kind), kind) for kind in KINDS]
    samples = [("c", (str(programs() / PROGRAM), "--class", kind), kind) for kind in SAMPLES]
    return [
        Device(
            f"{language}-{kind}-{'sealed' if sealed else 'clear'}",
            program,
            kind,
            sealed,
            language == "python",
        )
        for language, program, kind in (*simulated, *samples)
        for sealed in (False, True)
    ]


@contextmanager
def running(device: Device, folder: Path) -> Iterator[list[str]]:
    """The device, and the command that examines it."""
    port, control, key = folder / f"{device.name}.port", folder / f"{device.name}.control", folder / "key"
    words = ["--link", port, "--control", control, "--memory", folder / f"{device.name}.memory"]
    words += ["--key", key] if device.sealed else []
    words += ["--maker", folder / "maker"] if device.updates else []
    process = subprocess.Popen([*device.program, *map(str, words), "--serial", SERIAL])
    profile = folder / f"{device.name}.profile"
    profile.write_text(device.profile(), "utf-8")
    seal = ["--key", key] if device.sealed else ["--seal", "none"]
    try:
        until(lambda: port.exists() and control.exists(), WAIT)
        command = [sys.executable, "-m", "controller", "conformance", port, "--class", device.kind]
        command += ["--profile", profile, "--serial", SERIAL, *seal, "--control", control]
        yield [*map(str, command)]
    finally:
        process.terminate()
        process.wait()


def main() -> int:
    """The exit status: 0 if nothing failed."""
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        folder = Path(name)
        (folder / "key").write_text(KEY.hex() + "\n")
        (folder / "key").chmod(0o600)
        (folder / "maker").write_text(MAKER.hex() + "\n")
        return max(pool.map(lambda device: _examined(device, folder), devices()))


def _examined(device: Device, folder: Path) -> int:
    with running(device, folder) as command:
        run = subprocess.run(command, capture_output=True, text=True, timeout=WAIT, check=False)
    failures = run.stdout if run.returncode else run.stdout.splitlines()[-1]
    sys.stdout.write(f"{device.name}: {failures}{run.stderr}\n")
    return run.returncode


if __name__ == "__main__":
    raise SystemExit(main())
