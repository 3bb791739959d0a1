"""A shoe on an emulated board, from power to power."""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from controller.demo.processes import DIES_WITH_US
from tests.firmware.bench import images
from tests.fixtures.waiting import PATIENCE, until


@contextmanager
def powered(folder: Path, kind: str, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """The board, until it is killed. Its files are KIND.port, .control, .memory and .key in the folder."""
    files = {name: folder / f"{kind}.{name}" for name in ("link", "control", "memory", "key")}
    files["link"] = folder / f"{kind}.port"
    images()
    more = [word for name, path in files.items() for word in (f"--{name}", str(path))]
    command = [sys.executable, "-m", "tests.firmware.board", "--class", kind, *more, *words]
    with subprocess.Popen([*DIES_WITH_US, *command]) as process:
        try:
            until(lambda: files["control"].exists() or process.poll() is not None)
            yield process
        finally:
            process.kill()
            process.wait(PATIENCE)
            files["control"].unlink(missing_ok=True)


def asked(folder: Path, kind: str, request: str) -> dict[str, Any]:
    """What the board answers to a line that is not for the device itself."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(PATIENCE)
        client.connect(str(folder / f"{kind}.control"))
        client.sendall(f"{request}\n".encode())
        with client.makefile("rb") as lines:
            answers: Iterator[dict[str, Any]] = (json.loads(line) for line in lines)
            return next(answer for answer in answers if "notice" not in answer)
