"""A table in the machine: simulated devices at /dev/tableside, people who play, what the daemon is asked."""

import json
import shlex
import shutil
import subprocess
import time
from pathlib import Path

from tests.package.floor import KINDS
from tests.package.machine import Machine, MachineError

PYTHON = "/opt/tableside/bin/python"
PORTS = "/dev/tableside"
LONGEST_PLAY = 120
"""Seconds that some rounds may take."""
BEGUN = 2.0
"""Seconds after which a crew plays."""
ASKS = """
import json, ssl, sys, urllib.request as web
trust = ssl.create_default_context(cafile="/etc/tableside/web.crt")
path, body = sys.argv[1], (sys.argv[2:] or [""])[0].encode() or None
asked = web.Request("https://127.0.0.1:8080" + path, body, {"Content-Type": "application/json"})
print(web.urlopen(asked, context=trust).read().decode())
"""
"""Asks the daemon over TLS, trusting its own certificate alone."""


class Table:
    """At most one set of devices is plugged in; each set has memories of its own."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._devices: list[subprocess.Popen[bytes]] = []
        self._controls = ""
        shutil.copy(Path(__file__).with_name("floor.py"), machine.root / "srv" / "floor.py")
        (machine.root / "srv" / "asks.py").write_text(ASKS)

    def plug(self, devices: str, *, keyed: bool = True) -> None:
        """Plugs in the set with this name instead of the current one; with its keys if `keyed`."""
        self.unplug()
        self._controls = f"/run/{devices}"
        self._machine.run(f"mkdir -p {self._controls} /var/{devices}")
        for kind in KINDS:
            key = ("--key", f"/etc/tableside/keys/{kind}.key") if keyed else ()
            self._devices.append(self._machine.start(*self._command(kind, devices), *key))
        for kind in KINDS:  # as the udev rules would
            port = f"{PORTS}/{kind.upper()}-1"
            self._machine.until(
                f"test -e {port} && chgrp tableside $(realpath {port}) && chmod 660 $(realpath {port})"
            )

    def unplug(self) -> None:
        """Pulls all plugs at once."""
        for device in self._devices:
            device.terminate()
        for device in self._devices:
            device.wait()
        self._devices.clear()

    def plays(self, rounds: int, meanwhile: str = "") -> None:
        """The crew plays, and in the middle of it a command runs; then no round is in doubt."""
        crew = self._machine.start(PYTHON, "/srv/floor.py", self._controls, str(rounds))
        if meanwhile:
            time.sleep(BEGUN)
            self._machine.run(meanwhile)
        done = crew.wait(LONGEST_PLAY)
        if done != 0:
            raise MachineError(f"the crew ended with status {done}")
        self._machine.run("tableside verify --rules --config /etc/tableside/table.toml")

    def rounds(self) -> int:
        """The number of ended rounds in its journal."""
        output = self._machine.run("tableside verify --json --config /etc/tableside/table.toml")
        return int(json.loads(output)["rounds"])

    def answers(self) -> str:
        """The daemon's health, as soon as it answers."""
        self._machine.until("systemctl is-active tableside")
        return self._machine.until(f"{PYTHON} /srv/asks.py /health")

    def signs_in(self, name: str, secret: str) -> str:
        """The daemon's answer to somebody with a password."""
        body = json.dumps({"kind": "password", "name": name, "secret": secret})
        return self._machine.run(f"{PYTHON} /srv/asks.py /api/v1/session {shlex.quote(body)}")

    def _command(self, kind: str, devices: str) -> list[str]:
        serial = f"{kind.upper()}-1"
        return [
            PYTHON,
            "-m",
            "drivers.sim",
            kind,
            "--link",
            f"{PORTS}/{serial}",
            "--serial",
            serial,
            "--control",
            f"/run/{devices}/{kind}.control",
            "--memory",
            f"/var/{devices}/{kind}.memory",
            "--speed",
            "max",
        ]
