"""A daemon on a disk that its limits call full plays no round, and plays again when there is room."""

import json
from pathlib import Path

import pytest

from tests.fixtures.daemon_process import configured, daemon_process

pytestmark = pytest.mark.usefixtures("fork_server")


def limits(config: Path, warn: int, stop: int) -> None:
    """The MB that must be free from the next start on."""
    head, _, rest = config.read_text().partition('path = "journal"\n')
    rest = rest.partition("[web]")[2]
    config.write_text(f'{head}path = "journal"\nwarn_free = {warn}\nstop_free = {stop}\n[web]{rest}')


def test_a_daemon_on_a_full_disk_suspends_and_resumes_play(tmp_path: Path) -> None:
    config = configured(tmp_path)
    limits(config, 1_000_000_000, 999_999_999)
    with daemon_process(config) as full:
        full.status()
        seen = json.loads(full.get("api/v1/table")[1])
        assert any("disk is full but for" in why for why in seen["suspended"])
        metrics = full.get("metrics")[1]
        assert 'tableside_disk_level{device="journal",kind="stop"} 1.0' in metrics
        assert 'tableside_disk_free_bytes{device="journal"}' in metrics
        assert "tableside_halted 0.0" in metrics
        assert full.end()[0] == 0
    limits(config, 1_000_000_000, 1)
    with daemon_process(config) as low:
        low.status()
        seen = json.loads(low.get("api/v1/table")[1])
        assert not any("disk" in why for why in seen["suspended"])
        assert any("disk is nearly full" in alert for alert in seen["alerts"])
        assert low.end()[0] == 0
    limits(config, 2, 1)
    with daemon_process(config) as roomy:
        roomy.status()
        assert json.loads(roomy.get("api/v1/table")[1])["alerts"] == []
        assert roomy.end()[0] == 0
