"""Writes the vectors into this folder, or into another one: `python3 make.py [FOLDER]`.

Plain Python, from the specification alone, so that any implementation can be tested against what it
writes.
"""

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from generator import (
    bounds,
    catalogue,
    device_commands,
    device_events,
    device_handshake,
    drawing,
    framing,
    host_handshake,
    host_log,
    host_unarmed,
    host_updates,
    key_agreement,
    opening,
    proving,
    ranges,
    sealed_device_attacks,
    sealed_device_handshake,
    sealed_device_sessions,
    sealed_device_shares,
    sealed_frames,
    sealed_host_handshake,
    sealed_host_sessions,
    sealed_link_attacks,
    sealed_link_defences,
    sealed_links,
    sending,
    strange_messages,
    update_boots,
    update_makers,
    update_pauses,
    update_transfers,
    update_trials,
    updating,
    window,
)
from generator.framing import Vector

HERE = Path(__file__).parent
LARGEST = 2**53 - 1
"""A float has this integer and all below it exactly."""

FILES: dict[str, Callable[[], Iterable[Vector]]] = {
    "frames": framing.frames,
    "noise": framing.noise,
    "junk": framing.junk,
    "splits": framing.splits,
    "messages": lambda: catalogue.numbered(catalogue.messages()),
    "strange": strange_messages.strange,
    "receiving": window.receiving,
    "sending": sending.sending,
    "proofs": proving.proofs,
    "sealed-frames": sealed_frames.sealed_frames,
    "opening": opening.openings,
    "sealed-proofs": key_agreement.agreements,
    "draws": drawing.draws,
    "sealed-link": lambda: (
        *sealed_links.links(),
        *sealed_link_defences.defences(),
        *sealed_link_attacks.sieges(),
    ),
    "sealed-device": lambda: (
        *sealed_device_handshake.handshakes(),
        *sealed_device_sessions.lives(),
        *sealed_device_attacks.sieges(),
        *sealed_device_shares.shares(),
    ),
    "sealed-host": lambda: (*sealed_host_handshake.handshakes(), *sealed_host_sessions.news()),
    "updates": updating.updates,
    "device-update": lambda: (
        *update_transfers.transfers(),
        *update_pauses.pauses(),
        *update_trials.trials(),
        *update_makers.makers(),
        *update_boots.boots(),
    ),
    "host-update": host_updates.gifts,
    "host-handshake": lambda: (*host_handshake.handshakes(), *bounds.hellos(), *bounds.used_up()),
    "host-log": lambda: (
        *host_log.events(),
        *host_log.logs(),
        *host_log.arming(),
        *host_unarmed.unarmed(),
        *bounds.losses(),
        *bounds.counts(),
        *bounds.heartbeats(),
    ),
    "device-handshake": device_handshake.handshakes,
    "device-events": lambda: (*device_events.events(), *device_events.cards()),
    "device-commands": lambda: (
        *device_commands.commands(),
        *device_commands.actions(),
        *device_commands.beats(),
        *device_commands.ends(),
        *bounds.keys(),
        *bounds.events(),
    ),
    "device-ranges": ranges.ranges,
}


def exact(value: object) -> object:
    """Large integers as strings: a JSON reader that has only floats must not round them."""
    if isinstance(value, dict):
        return {name: exact(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [exact(inner) for inner in value]
    return str(value) if isinstance(value, int) and abs(value) > LARGEST else value


def make(into: Path) -> None:
    for name, vectors in FILES.items():
        lines = [json.dumps(exact(vector), ensure_ascii=False) + "\n" for vector in vectors()]
        (into / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
