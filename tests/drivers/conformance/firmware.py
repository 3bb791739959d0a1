"""The sample device in C, sound or broken, as processes on ptys that a probe examines side by side."""

import asyncio
import shutil
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from drivers.conformance.catalogue import checks_of
from drivers.conformance.check import Check
from drivers.conformance.hand import Control
from drivers.conformance.probe import Probe
from drivers.conformance.runner import Report, run
from drivers.conformance.subject import Subject
from drivers.conformance.wire import PortWire
from drivers.protocol.codes import DeviceClass
from drivers.transport import open_port
from tests.conformance.firmware import BUILT, SOURCES, programs
from tests.drivers.conformance.breakages import Breakage
from tests.drivers.conformance.rig import KEY, SERIAL

PROGRAM = "tsl-sample"
PROCESSORS = 2


@dataclass(frozen=True)
class Trial:
    """One process, and the checks it is put through."""

    name: str
    program: Path
    checks: Sequence[Check]


def sound() -> Path:
    """The program as it should be."""
    return programs() / PROGRAM


def broken(breakages: Sequence[Breakage], folder: Path) -> dict[str, Path]:
    """A program for each, by name. What was built before is built only where it is broken."""
    programs()
    with ThreadPoolExecutor(PROCESSORS) as pool:
        made = pool.map(lambda breakage: _broken(breakage, folder / breakage.name), breakages)
    return {breakage.name: program for breakage, program in zip(breakages, made, strict=True)}


def chosen(*words: str) -> list[Check]:
    """A shoe's checks of these names or groups."""
    known = checks_of(DeviceClass.SHOE)
    return [check for check in known if {check.name, check.name.split(".")[0]} & set(words)]


async def examined(trials: Sequence[Trial], folder: Path) -> dict[str, Report]:
    """All of them at the same time."""
    (folder / "key").write_text(KEY.hex() + "\n")
    (folder / "key").chmod(0o600)
    reports = await asyncio.gather(*(_examine(trial, folder) for trial in trials))
    return {trial.name: report for trial, report in zip(trials, reports, strict=True)}


async def _examine(trial: Trial, folder: Path) -> Report:
    link, control = folder / f"{trial.name}.port", folder / f"{trial.name}.control"
    process = await asyncio.create_subprocess_exec(
        trial.program, "--class", "shoe", "--link", link, "--control", control, "--serial", SERIAL,
        "--memory", folder / f"{trial.name}.memory", "--key", folder / "key",
    )  # fmt: skip
    try:
        await _there(link, control)
        return await _report(trial.checks, link, control)
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def _report(checks: Sequence[Check], link: Path, control: Path) -> Report:
    wire, hand = PortWire(lambda: open_port(str(link))), Control(control)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(hand.close)
        stack.push_async_callback(wire.close)
        await hand.open()
        await wire.open()
        probe = Probe(wire, Subject(DeviceClass.SHOE, SERIAL, KEY), hand)
        return await run(probe, checks, frozenset(), lambda _: None)


async def _there(*paths: Path) -> None:
    for _ in range(1000):
        if all(path.exists() for path in paths):
            return
        await asyncio.sleep(0.02)
    raise TimeoutError(f"not there: {paths}")


def _broken(breakage: Breakage, folder: Path) -> Path:
    """A copy of all sources and of what was built of them, one file of it changed."""
    shutil.copytree(SOURCES, folder / "c")
    shutil.copytree(BUILT / "checked", folder / "build" / "checked")
    (folder / "proto").symlink_to(SOURCES.parent / "proto")
    places = [source for source in (folder / "c" / "core").glob("*.c") if breakage.old in source.read_text()]
    assert len(places) == 1, f"{breakage.name}: {breakage.old!r} is in {[place.name for place in places]}"
    text = places[0].read_text()
    assert text.count(breakage.old) == 1, f"{breakage.name}: {breakage.old!r} more than once"
    places[0].write_text(text.replace(breakage.old, breakage.new))
    # What is broken may give warnings
    command = [
        "make",
        "-s",
        "-C",
        str(folder / "c"),
        "sample",
        f"BUILD={folder / 'build'}",
        "STRICT=-std=c99",
    ]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    return folder / "build" / PROGRAM
