"""A crowd at the page: the table plays on, and its own screen and a scraper are served."""

import asyncio
import os
import time
from pathlib import Path

from controller.demo.audit import read_audit
from controller.demo.reservations import free_port
from controller.demo.run import make_crew
from controller.demo.settings import DemoSettings
from tests.fixtures.process_table import ForkedStage
from tests.fixtures.waiting import PATIENCE, come_true
from tests.system.books import faults
from tests.system.connection_flood import connection_flood
from tests.system.performance import FOREVER
from tests.system.secured_pages import BEARER, SCREEN, Visitor, secure

LONG = "TABLESIDE_EACH" in os.environ
"""The long form."""
ROUNDS = 12
HALF, LEAST = (5000, 70.0) if LONG else (1000, 0.0)
"""Handshakes that are begun and left, and the least number of seconds that the crowd stays."""
SCRAPES = 5
SIGN_IN = b"401"
"""The status of the console's page before a person has signed in."""
SCRAPER = "127.9.0.1"
"""Nobody else in the crowd uses this address."""


class SafeStage(ForkedStage):
    """Its pages have TLS, and its kiosk has a port of its own."""

    kiosk_port = free_port()

    def _write_files(self) -> None:
        super()._write_files()
        secure(self, self.kiosk_port)

    async def _until_shown(self) -> None:
        """Returns when the kiosk's page asks people to sign in."""
        kiosk = Visitor(self.kiosk_port, SCREEN, "/console")
        async with asyncio.timeout(PATIENCE):
            await kiosk.come(0.02, until=SIGN_IN)


async def test_a_crowd_stops_neither_play_nor_those_who_belong_there(tmp_path: Path) -> None:
    stage = SafeStage(tmp_path, DemoSettings(seed=11, speed="max"))
    async with stage:
        await stage.start_daemon()
        crew = make_crew(stage, patience=FOREVER)
        kiosk = Visitor(stage.kiosk_port, SCREEN, "/console")
        screen = Visitor(stage.web_port, SCREEN, "/health")
        scraper = Visitor(stage.web_port, SCRAPER, "/metrics", BEARER)
        with connection_flood(stage.web_port, HALF):
            comings = (kiosk.come(0.5), screen.come(0.5), scraper.come(1.0))
            visits = [asyncio.create_task(each) for each in comings]
            until = time.monotonic() + LEAST
            await crew.run(ROUNDS, lambda: time.monotonic() < until)
            await come_true(lambda: len(scraper.answers) >= SCRAPES)
            for visit in visits:
                visit.cancel()
            await asyncio.gather(*visits, return_exceptions=True)
        await stage.stop_daemon()
    assert set(kiosk.answers) == {SIGN_IN}
    assert set(screen.answers) == {b"200"}
    assert set(scraper.answers) == {b"200"}
    assert list(faults(read_audit(stage.journal, stage.shoe_log))) == []
    assert "no connection can be taken" not in (tmp_path / "daemon.log").read_text()
