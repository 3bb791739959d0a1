"""A table's process loads nothing that it does not need."""

import subprocess
import sys

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
    "numpy",
    "pygments",
    "rich",
    "typer",
)
LOADED = """
import gc, sys
from controller.process.memory_tuning import import_structlog_without_rich, loading
with loading():
    import_structlog_without_rich()
    import controller.daemon.service
assert gc.isenabled()
assert gc.get_freeze_count() > 10_000
print(*sys.modules)
import rich
"""


def test_a_running_table_loads_no_module_it_does_not_need() -> None:
    ran = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    loaded = ran.stdout.split()
    assert "structlog" in loaded
    assert [name for name in NOT_NEEDED if name in loaded] == []
