"""The daemon at the table socket: whether it answers, for which table, and how the table is."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from controller.config import Config
from controller.doctor.finding import Finding
from controller.doctor.subject import Account
from controller.monitor.device_states import DEVICE_STATE_TEXTS
from controller.socket.blocking import BlockingClient
from controller.socket.listening import find_socket
from controller.socket.wire import CallRefused, CoreAway

CHECK: Final = "table socket"
LIMIT: Final = 5.0
"""Seconds for the daemon's answer."""
CONNECTED: Final = "running"


@dataclass(frozen=True, slots=True)
class DaemonAnswer:
    """`core`: the process of the daemon of this table, 0 if none answers."""

    findings: tuple[Finding, ...]
    core: int = 0
    health: dict[str, Any] = field(default_factory=dict)


def ask_daemon(config: Config, user: Account) -> DaemonAnswer:
    path = find_socket(config)
    try:
        with BlockingClient(path, limit=LIMIT) as client:
            if client.hello["table"] != config.table.name:
                text = f"another table answers at {path}: {client.hello['table']}"
                return DaemonAnswer((Finding(CHECK, "fault", text, "Compare socket.path of both tables."),))
            health = client.call("health")
            return DaemonAnswer((*_findings(path, client.hello, health),), client.core_process, health)
    except (CoreAway, CallRefused) as error:
        return DaemonAnswer((_absent(path, str(error), user),))


def _absent(path: Path, why: str, user: Account) -> Finding:
    if path.exists() and not os.access(path, os.W_OK):
        todo = f"Run it again with sudo, or: usermod --append --groups tableside-clients {user.name}"
        return Finding(CHECK, "not checked", f"you may not open {path}", todo)
    return Finding(CHECK, "fault", why, "Start the table: systemctl start tableside")


def _findings(path: Path, hello: dict[str, Any], health: dict[str, Any]) -> Iterator[Finding]:
    yield Finding(CHECK, "ok", f"{path}: the daemon of {hello['table']} answers, version {hello['version']}")
    if halted := hello["halted"]:
        yield Finding("table", "fault", f"halted: {halted['why']}", " ".join(halted["steps"]))
        return
    reasons = "; ".join(health["suspended"])
    todo = "See the page of the table; a supervisor decides what has to be decided."
    yield Finding("table", "warning", reasons, todo) if reasons else Finding("table", "ok", "it can play")
    for name, state in health["devices"].items():
        text = DEVICE_STATE_TEXTS[state]
        connected = state == CONNECTED
        yield Finding(name, "ok" if connected else "warning", state, "" if connected else text.fix)
    if why := health["accounts"]:
        yield Finding("accounts", "fault", f"nobody can sign in: {why}", "See docs/access.md.")
