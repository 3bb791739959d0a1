"""The daemon and its surroundings: its configuration, its journal, its service manager."""

import signal
import time
from pathlib import Path

from controller.journal import names
from controller.journal.journal import LOG_BYTES
from controller.table.loop import CHECK
from tests.fixtures.process_table import LONG, ProcessTable, stopped
from tests.fixtures.waiting import until
from tests.system import script
from tests.system.command import tableside
from tests.system.preload.disk import Disk
from tests.system.service import Service, service

WRONG = """
[table]
name = "Table 7"
game = "easy-jack"
seats = 12
colour = "green"
[options]
decks = 7
[journal]
path = "journal"
[web]
port = "eighty"
[devices.shoe]
port = "/run/one"
serial = "SHOE-1"
[devices.sensors]
port = "/run/one"
serial = "SENSORS-1"
[devices.console]
port = "/run/three"
serial = "CONSOLE-1"
"""
FAULTS = (
    "line 5: table.seats = 12: not allowed; allowed: a whole number from 1 to 9",
    'line 6: table.colour = "green": unknown key; allowed here: name, game, seats, bank, pay_from, target, '
    "currency, chips, time_zone",
    "line 8: options.decks = 7: not allowed; allowed: 6, 8",
    'line 12: web.port = "eighty": not allowed; allowed: a whole number from 0 (any free one) to 65535',
    'line 17: devices.sensors.port = "/run/one": already that of devices.shoe; '
    "allowed: one that no other device has",
)
WATCHDOG = 2.0
"""Seconds; a batch is due in a quarter of it."""


def test_all_faults_of_a_configuration_are_printed_at_once(tmp_path: Path) -> None:
    config = tmp_path / "wrong.toml"
    config.write_text(WRONG)
    done = tableside("run", "--config", str(config))
    assert done.returncode == 2
    assert sorted(done.stderr.splitlines()) == sorted(f"tableside: {config}, {fault}" for fault in FAULTS)
    assert list(tmp_path.iterdir()) == [config]


def test_a_second_daemon_on_one_journal_is_refused(house: ProcessTable) -> None:
    script.lay_out(house)
    done = tableside("run", "--config", str(house.stage.config))
    assert done.returncode == 1
    assert f"journal {house.stage.journal} is in use by another daemon" in done.stderr
    assert house.until_settled().suspended == ()


def test_a_changed_byte_of_the_journal_halts_the_table(house: ProcessTable) -> None:
    number = script.lay_out(house).round
    script.play(house)
    script.ended(house, number)
    with stopped(house):
        whole = house.stage.journal.read_bytes()
        house.stage.journal.write_bytes(whole.replace(b'"card":"7s"', b'"card":"7h"', 1))
        with service(house.stage.config) as halted:
            said = halted.say()
            halted.process.terminate()
            status, wrote = halted.end()
        house.stage.journal.write_bytes(whole)
    assert status == 1
    assert said.startswith(f"READY=1\nSTATUS=Halted: journal {house.stage.journal} is damaged: ")
    assert "not as it was written in page " in wrote


def test_a_full_disk_halts_the_table_in_play(house: ProcessTable) -> None:
    """The table is halted with the reason; what was not written was neither shown nor acknowledged."""
    number = script.lay_out(house).round
    script.play(house, steps=range(6))
    script.at(house, 6)
    with stopped(house), service(house.stage.config) as running:
        assert running.say().startswith("READY=1")
        script.at(house, 6)
        house.until_permitted()
        until(lambda: names.log(house.stage.journal).stat().st_size == LOG_BYTES)
        time.sleep(4 * CHECK)  # the daemon tidies its journal, which would find the full disk first
        running.no_file_grows()
        house.hands["console"].all_notices()
        house.hands["shoe"].ask("pull")
        while "Halted: " not in running.say():
            continue
        running.process.terminate()
        status, wrote = running.end()
        assert status == 1
        assert f"tableside: halted: journal {house.stage.journal}: row " in wrote
        assert "cannot be written" in wrote
        shown = [notice["text"] for notice in house.hands["console"].all_notices() if "text" in notice]
        assert script.ROUND[7].prompt not in shown
        assert running.all_said()[-1] == "STOPPING=1"
    script.play(house, steps=range(7, len(script.ROUND)))
    assert script.lines(script.ended(house, number)) == script.LINES


def test_a_full_disk_halts_the_table_at_the_start(house: ProcessTable) -> None:
    script.lay_out(house)
    with stopped(house), service(house.stage.config) as running:
        running.no_file_grows()
        assert running.say().startswith("READY=1\nSTATUS=Halted: ")
        running.process.terminate()
        status, wrote = running.end()
        assert status == 1
        assert f"journal {house.stage.journal}" in wrote
        assert "Traceback" not in wrote
        assert running.all_said() == ["STOPPING=1"]


def test_a_watchdog_is_fed_by_finished_turns_only(house: ProcessTable, disk: Disk, library: Path) -> None:
    script.lay_out(house)
    more = disk.environment(library)
    with stopped(house), service(house.stage.config, watchdog=WATCHDOG, more=more) as running:
        while (said := running.say()) == "WATCHDOG=1":
            continue  # the first batch is finished before the page is served
        assert said == (f"READY=1\nSTATUS=The table is ready\nWATCHDOG_USEC={round(WATCHDOG * 1e6)}")
        house.until_recovered()
        assert {running.say() for _ in range(3)} == {"WATCHDOG=1"}
        disk.slow(LONG)
        house.hands["console"].ask("press", action="pay", seat=0)
        until(lambda: silent(running))
        disk.mend()
        assert running.say() == "WATCHDOG=1"
        house.until(lambda view: view.alerts)
        running.process.send_signal(signal.SIGTERM)
        assert running.end()[0] == 0
        assert running.all_said()[-1] == "STOPPING=1"


def silent(running: Service) -> bool:
    """Whether no notification comes for as long as the watchdog waits."""
    try:
        running.say(within=WATCHDOG)
    except TimeoutError:
        return True
    return False
