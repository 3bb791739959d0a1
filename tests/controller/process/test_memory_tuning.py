"""The processes of a table load nothing that they do not need."""

import subprocess
import sys
from pathlib import Path

import pytest

import controller
from controller.process.faults import USAGE

NOT_NEEDED = (
    "controller.odds",
    "controller.past.replay.output",
    "controller.past.export",
    "controller.commands.app",
    "controller.demo",
    "drivers.adapters.makes",
    "cryptography.x509",
    "controller.monitor",
    "fastapi",
    "starlette",
    "uvicorn",
    "jinja2",
    "anyio",
    "prometheus_client",
    "drivers.sim",
    "http.client",
    "http.server",
    "numpy",
    "pygments",
    "rich",
    "ssl",
    "typer",
)
LOADED = """
import gc, sys
from controller.process import memory_tuning
with memory_tuning.loading():
    memory_tuning.import_asyncio_without_ssl()
    memory_tuning.import_structlog_without_rich()
    import controller.daemon.service
assert gc.isenabled()
assert gc.get_freeze_count() > 10_000
print(*sys.modules)
import rich, ssl
"""


def test_a_running_table_loads_no_module_it_does_not_need() -> None:
    ran = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    loaded = ran.stdout.split()
    assert "structlog" in loaded
    assert [name for name in NOT_NEEDED if name in loaded] == []


COMMANDS = (
    "controller.commands.app",
    "controller.daemon",
    "controller.demo",
    "drivers.sim",
    "numpy",
    "pygments",
    "rich",
    "typer",
)
"""What other commands need."""
ENTERED = """
import gc, sys
from controller.__main__ import main
sys.argv[0] = "tableside"
try:
    main()
finally:
    assert gc.isenabled()
    assert gc.get_freeze_count() > 10_000
    print(*sys.modules)
"""


@pytest.mark.parametrize(
    ("words", "own"),
    [
        (("web",), "controller.monitor.web"),
        (("table", "web"), "controller.monitor.web"),
        (("table", "uplink"), "controller.floor.uplink.shipper"),
        (("floor", "run"), "controller.floor.projector"),
        (("floor", "progressive"), "controller.floor.progressive.runner"),
    ],
)
def test_a_service_loads_no_module_of_other_commands(
    tmp_path: Path, words: tuple[str, ...], own: str
) -> None:
    absent = tmp_path / "absent.toml"
    command = [sys.executable, "-c", ENTERED, *words, "--config", str(absent)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, str(absent) in ran.stderr) == (USAGE, True), ran.stderr
    loaded = ran.stdout.split()
    assert own in loaded
    assert [name for name in COMMANDS if name in loaded] == []


PAGES = ("anyio", "controller.floor.pages", "controller.monitor", "fastapi", "jinja2", "starlette", "uvicorn")


def test_a_floor_loads_its_pages_only_to_serve_them(tmp_path: Path) -> None:
    command = [sys.executable, "-c", ENTERED, "floor", "run", "--config", str(tmp_path / "absent.toml")]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    loaded = ran.stdout.split()
    assert "controller.floor.service.pit" in loaded
    assert [name for name in PAGES if name in loaded] == []


READING = ("controller.config", "controller.games", "controller.table", "crc32c", "pydantic", "typer")
"""What reads a configuration, and the table itself."""


def test_the_uplink_keeps_nothing_of_what_read_its_configuration(tmp_path: Path) -> None:
    command = [sys.executable, "-c", ENTERED, "uplink", "--config", str(tmp_path / "absent.toml")]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    loaded = ran.stdout.split()
    assert "controller.floor.uplink.service" in loaded
    assert [name for name in READING if name in loaded] == []


ROOMS = (
    "controller.socket",
    "controller.telemetry",
    "controller.table",
    "controller.journal",
    "controller.access",
    "controller.process",
    "controller.config",
    "drivers.devices",
)
"""What the table's process is made of besides the daemon itself."""
NOT_OURS = (
    "anyio",
    "fastapi",
    "http.client",
    "http.server",
    "jinja2",
    "prometheus_client",
    "starlette",
    "uvicorn",
)
WITHOUT_TLS = """
import sys
sys.modules["ssl"] = None  # an import of it fails now
import importlib
for name in sys.argv[1:]:
    importlib.import_module(name)
del sys.modules["ssl"]
print(*sys.modules)
"""


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_of_the_core_needs_neither_tls_nor_http(room: str) -> None:
    root = Path(controller.__file__).parents[1]
    files = (path.relative_to(root).with_suffix("") for path in (root / room.replace(".", "/")).rglob("*.py"))
    modules = [".".join(file.parts).removesuffix(".__init__") for file in files if file.name != "__main__"]
    words = [sys.executable, "-c", WITHOUT_TLS, *modules]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert len(modules) > 3
    assert [name for name in NOT_OURS if name in ran.stdout.split()] == []
