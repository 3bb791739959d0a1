"""Writes the vectors beside this file, or into another folder: `python3 make.py [FOLDER]`.

Plain Python, from the specification alone: what it writes can be held against any implementation.
"""

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from generator import (
    agreeing,
    besieged,
    bounds,
    catalogue,
    duties,
    framing,
    giving,
    greetings,
    hosts,
    logs,
    oddities,
    opening,
    pauses,
    proving,
    sealed_defences,
    sealed_frames,
    sealed_greetings,
    sealed_hosts,
    sealed_links,
    sealed_lives,
    sealed_news,
    sealed_sieges,
    sending,
    service,
    transfers,
    trials,
    updating,
    window,
)
from generator.framing import Vector

HERE = Path(__file__).parent
LARGEST = 2**53 - 1
"""The largest integer that a float has exactly, with all below it."""

FILES: dict[str, Callable[[], Iterable[Vector]]] = {
    "frames": framing.frames,
    "noise": framing.noise,
    "junk": framing.junk,
    "splits": framing.splits,
    "messages": lambda: catalogue.numbered(catalogue.messages()),
    "strange": oddities.strange,
    "receiving": window.receiving,
    "sending": sending.sending,
    "proofs": proving.proofs,
    "sealed-frames": sealed_frames.sealed_frames,
    "opening": opening.openings,
    "sealed-proofs": agreeing.agreements,
    "sealed-link": lambda: (*sealed_links.links(), *sealed_defences.defences(), *besieged.sieges()),
    "sealed-device": lambda: (
        *sealed_greetings.handshakes(),
        *sealed_lives.lives(),
        *sealed_sieges.sieges(),
    ),
    "sealed-host": lambda: (*sealed_hosts.handshakes(), *sealed_news.news()),
    "updates": updating.updates,
    "device-update": lambda: (*transfers.transfers(), *pauses.pauses(), *trials.trials()),
    "host-update": giving.gifts,
    "host-handshake": lambda: (*hosts.handshakes(), *bounds.hellos()),
    "host-log": lambda: (
        *logs.events(),
        *logs.logs(),
        *logs.arming(),
        *bounds.losses(),
        *bounds.counts(),
        *bounds.heartbeats(),
    ),
    "device-handshake": greetings.handshakes,
    "device-events": lambda: (*service.events(), *service.cards()),
    "device-commands": lambda: (
        *duties.commands(),
        *duties.actions(),
        *duties.beats(),
        *duties.ends(),
        *bounds.keys(),
    ),
}


def exact(value: object) -> object:
    """The same with its large integers as strings: a JSON reader that has only floats must not round them."""
    if isinstance(value, dict):
        return {name: exact(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [exact(inner) for inner in value]
    return str(value) if isinstance(value, int) and abs(value) > LARGEST else value


def make(into: Path) -> None:
    """Write one file of lines for each entry of FILES."""
    for name, vectors in FILES.items():
        lines = [json.dumps(exact(vector), ensure_ascii=False) + "\n" for vector in vectors()]
        (into / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
