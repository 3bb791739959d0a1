"""A daemon whose port is the stale link of a killed simulator writes nothing to what the link leads to."""

from pathlib import Path

import pytest

from tests.drivers.test_pty_link import terminal
from tests.fixtures.daemon_process import configured, daemon_process, nothing_sent
from tests.fixtures.waiting import until

pytestmark = pytest.mark.usefixtures("fork_server")


def test_a_daemon_writes_nothing_to_a_terminal_and_says_why(tmp_path: Path) -> None:
    config = configured(tmp_path)
    port = tmp_path / "shoe"
    why = f"port {port} cannot be opened: the simulator at {port} does not run"
    with terminal() as (ours, path):
        port.symlink_to(path)
        with daemon_process(config) as daemon:
            assert daemon.status().startswith("READY=1")
            until(lambda: why in daemon.get("api/v1/table")[1] or not nothing_sent(ours))
            assert nothing_sent(ours)
            assert why in daemon.get("api/v1/table")[1]
            assert daemon.end()[0] == 0
