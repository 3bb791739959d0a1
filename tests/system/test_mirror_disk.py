"""A daemon whose mirror loses its own disk.

The shoe is of a commercial make, because a simulated table raises no alert about the place of its mirror.
"""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from controller.demo.settings import DemoSettings
from controller.table.record.views import AlarmView, TableView
from tests.fixtures.process_table import ProcessTable, device

OTHER = Path("/dev") / "shm"
"""A file system that is never that of the tests' folders."""


@pytest.fixture
def disk() -> Iterator[Path]:
    """A folder on another file system."""
    with TemporaryDirectory(dir=OTHER) as folder:
        yield Path(folder)


def alarms(view: TableView) -> list[AlarmView]:
    return [alarm for alarm in view.alarms if alarm.text.startswith("The journal's mirror")]


def test_a_mirror_on_the_disk_of_the_journal_is_an_alert_until_it_has_its_own(
    tmp_path: Path, disk: Path
) -> None:
    assert disk.stat().st_dev != tmp_path.stat().st_dev
    mount = tmp_path / "mount"
    mount.mkdir()
    with ProcessTable(tmp_path / "table", DemoSettings(shoe="bee-tek")) as house:
        config = house.stage.config
        journal = f'[journal]\nmirror = "{mount}/journal.sqlite"'
        config.write_text(config.read_text().replace("[journal]", journal))
        house.start_daemon()
        house.until(lambda view: device(view, "shoe").state == "running")
        (alarm,) = alarms(house.until(alarms))
        assert alarm.text.endswith("one fault takes both")
        assert alarm.text in house.view().alerts

        house.stop_daemon()
        mount.rename(tmp_path / "old")
        mount.symlink_to(disk)
        house.start_daemon()
        view = house.view()
        assert [one.ended is None for one in alarms(view)] == [False]
        assert alarm.text not in view.alerts
        assert (disk / "journal.sqlite").exists()

        for part in disk.iterdir():
            part.unlink()
        (alarm,) = [one for one in alarms(house.until(lambda view: len(alarms(view)) == 2)) if not one.ended]
        assert "taken away" in alarm.text
        assert device(house.view(), "shoe").state == "running"
