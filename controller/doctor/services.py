"""The services of the table, as systemd sees them."""

import subprocess
from collections.abc import Iterator, Mapping
from typing import Final

from controller.doctor.finding import Finding
from controller.doctor.subject import Subject

CHECK: Final = "services"
PROPERTIES: Final = "Id,LoadState,ActiveState,SubState,Result,NRestarts"
LIMIT: Final = 5.0
"""Seconds for systemd's answer."""
LOG: Final = "Read why: journalctl -u {unit} -p warning -n 50"


def check_services(subject: Subject) -> Iterator[Finding]:
    units = ["tableside.service", "tableside-web.service"]
    if subject.config.uplink:
        units.append("tableside-uplink.service")
    command = ("systemctl", "show", f"--property={PROPERTIES}", *units)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    except FileNotFoundError:
        yield Finding(CHECK, "not checked", "this computer has no systemctl")
        return
    except subprocess.TimeoutExpired:
        yield Finding(
            CHECK, "fault", f"systemd does not answer within {LIMIT:.0f} s", "Restart the computer."
        )
        return
    if done.returncode:
        why = done.stderr.strip().partition("\n")[0] or f"systemctl ended with status {done.returncode}"
        yield Finding(CHECK, "not checked", why)
        return
    yield from service_findings(done.stdout)


def service_findings(text: str) -> Iterator[Finding]:
    """A finding for each unit in what `systemctl show` has printed."""
    for block in text.strip().split("\n\n"):
        unit = dict(line.partition("=")[::2] for line in block.splitlines())
        if "Id" in unit:
            yield _service(unit)


def _service(unit: Mapping[str, str]) -> Finding:
    name = unit["Id"].removesuffix(".service")
    check, state = f"service {name}", f"{unit.get('ActiveState')} ({unit.get('SubState')})"
    read = LOG.format(unit=name)
    if unit.get("LoadState") == "not-found":
        return Finding(check, "not checked", "it is not installed")
    match unit.get("ActiveState"):
        case "active" if (restarts := int(unit.get("NRestarts") or 0)) > 0:
            return Finding(check, "warning", f"{state}; it was restarted {restarts} times", read)
        case "active":
            return Finding(check, "ok", state)
        case "activating" | "reloading" | "deactivating":
            return Finding(check, "warning", state, f"Ask again in a minute. {read}")
        case "inactive":
            return Finding(check, "fault", f"{state}: it does not run", f"systemctl start {name}. {read}")
    return Finding(
        check, "fault", f"{state}, result {unit.get('Result')}", f"{read}. systemctl restart {name}"
    )
