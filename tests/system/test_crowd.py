"""A crowd at the page: the table plays on, and its own screen and a scraper are served."""

import asyncio
import os
import time
from pathlib import Path

from controller.demo.audit import read_audit
from controller.demo.run import make_crew
from controller.demo.settings import DemoSettings
from drivers.key_files import make_key, store_key
from tests.fixtures.ports import own_port
from tests.fixtures.process_table import ForkedStage
from tests.fixtures.waiting import PATIENCE, come_true
from tests.system.books import faults
from tests.system.command import tableside_here
from tests.system.connection_flood import connection_flood, trusting
from tests.system.performance import FOREVER

LONG = "TABLESIDE_EACH" in os.environ
"""The long form."""
ROUNDS = 12
HALF, LEAST = (5000, 70.0) if LONG else (1000, 0.0)
"""Handshakes that are begun and left, and the least number of seconds that the crowd stays."""
SCRAPES = 5
TOKEN = make_key()
SIGN_IN = b"401"
"""The status of the console's page for somebody who has not signed in."""
SCREEN = "127.0.0.1"
SCRAPER = "127.9.0.1"
"""The table's own screen connects from the address of the page; nobody else in the crowd uses these."""


class SafeStage(ForkedStage):
    """Its pages have TLS, and its kiosk has a port of its own."""

    kiosk_port = own_port()

    def _write_files(self) -> None:
        super()._write_files()
        text = self.config.read_text()
        own = f"watching = true\ntls = true\nkiosk_port = {self.kiosk_port}\n"
        self.config.write_text(text.replace("watching = true\n", own))
        done = tableside_here("certificate", "--make", "--config", str(self.config))
        assert done.returncode == 0, done.stderr
        store_key(TOKEN, self.config.parent / "keys" / "metrics.token")

    async def _until_shown(self) -> None:
        """Returns when the kiosk's page asks people to sign in."""
        kiosk = Visitor(self.kiosk_port, SCREEN, "/console")
        async with asyncio.timeout(PATIENCE):
            await kiosk.come(0.02, until=SIGN_IN)


class Visitor:
    """Requests something once a second or so, each time on a new connection."""

    def __init__(self, port: int, source: str, path: str) -> None:
        self._port, self._source, self._path, self._trust = port, source, path, trusting()
        self.answers: list[bytes] = []

    async def come(self, pause: float, until: bytes = b"") -> None:
        """Request it again and again, until the answer is `until`."""
        while not self.answers or self.answers[-1] != until:
            self.answers.append(await self._answer())
            await asyncio.sleep(pause)

    async def _answer(self) -> bytes:
        """The status, or why there is none."""
        try:
            reader, writer = await asyncio.open_connection(
                SCREEN, self._port, ssl=self._trust, local_addr=(self._source, 0)
            )
            writer.write(
                f"GET {self._path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                f"Authorization: Bearer {TOKEN.hex()}\r\n\r\n".encode()
            )
            status = (await reader.readline()).split()[1]
            writer.close()
        except (OSError, IndexError) as error:
            return repr(error).encode()
        return status


async def test_a_crowd_stops_neither_play_nor_those_who_belong_there(tmp_path: Path) -> None:
    stage = SafeStage(tmp_path, DemoSettings(seed=11, speed="max"))
    async with stage:
        await stage.start_daemon()
        crew = make_crew(stage, patience=FOREVER)
        kiosk = Visitor(stage.kiosk_port, SCREEN, "/console")
        screen = Visitor(stage.web_port, SCREEN, "/health")
        scraper = Visitor(stage.web_port, SCRAPER, "/metrics")
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
