"""Pages with TLS, a port for the kiosk and a token for scrapers, and somebody who requests one again and
again."""

import asyncio
import time
from typing import Final

from controller.demo.table import DemoTable
from drivers.key_files import make_key, store_key
from tests.system.command import tableside_here
from tests.system.connection_flood import trusting

TOKEN: Final = make_key()
"""The token for scrapers."""
BEARER: Final = f"Authorization: Bearer {TOKEN.hex()}"
SCREEN: Final = "127.0.0.1"
"""The address of the pages. The table's own screen connects from there."""


def secure(stage: DemoTable, kiosk_port: int) -> None:
    """Changes the configuration, which has been written, and makes its certificate and its token."""
    text = stage.config.read_text()
    own = f"watching = true\ntls = true\nkiosk_port = {kiosk_port}\n"
    stage.config.write_text(text.replace("watching = true\n", own))
    done = tableside_here("certificate", "--make", "--config", str(stage.config))
    assert done.returncode == 0, done.stderr
    store_key(TOKEN, stage.folder / "keys" / "metrics.token")


class Visitor:
    """Requests something once a second or so, each time on a new connection. `secret`: the line of the
    request that shows who asks."""

    def __init__(self, port: int, source: str, path: str, secret: str = "") -> None:
        self._port, self._source, self._trust = port, source, trusting()
        lines = (f"GET {path} HTTP/1.1", "Host: localhost", "Connection: close", *filter(None, [secret]))
        self._request = "".join(f"{line}\r\n" for line in (*lines, "")).encode()
        self.answers: list[bytes] = []
        """Statuses, or why there is none."""
        self.slowest = 0.0
        """Seconds from connecting to the end of an answer."""

    async def come(self, pause: float, until: bytes = b"") -> None:
        """Request it again and again, until the answer is `until`."""
        while not self.answers or self.answers[-1] != until:
            begun = time.monotonic()
            self.answers.append(await self._answer())
            self.slowest = max(self.slowest, time.monotonic() - begun)
            await asyncio.sleep(pause)

    async def _answer(self) -> bytes:
        try:
            reader, writer = await asyncio.open_connection(
                SCREEN, self._port, ssl=self._trust, local_addr=(self._source, 0)
            )
            writer.write(self._request)
            status = (await reader.readline()).split()[1]
            await reader.read()
            writer.close()
        except (OSError, IndexError) as error:
            return repr(error).encode()
        return status
