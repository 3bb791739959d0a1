"""The pages of `tableside floor run`: a status that a table signed is on the page, another one is not."""

import time
from pathlib import Path

import httpx
import pytest

from controller.floor.nats_server import nats_server
from controller.floor.projector import Admission
from controller.floor.register import Decision
from controller.journal.chain import START
from controller.journal.signing import Signer
from controller.property.signed import SignedMessage
from controller.property.status import payload_of
from tests.controller.floor.floor_process import running
from tests.controller.floor.tables.statuses import status
from tests.controller.floor.test_service import SUBJECTS, TABLE, connected, decide, prepared, written
from tests.fixtures.waiting import PATIENCE, come_true
from tests.fixtures.web_server import client_of, messages

pytestmark = pytest.mark.usefixtures("fork_server")

PAGES = """
[pits]
main = ["bj-1", "bj-2"]
[web]
port = 0
watching = true
house = "Grand"
logo = "away.svg"
felt = "#7a1020"
"""


def signed(signer: Signer, round_number: int) -> SignedMessage:
    sent = status(time.time(), epoch=TABLE.epoch, round=round_number)
    return SignedMessage.make(SUBJECTS.status(TABLE.table), payload_of(sent), signer)


async def tiles(browser: httpx.AsyncClient) -> str:
    """The tiles with which a stream begins."""
    async with browser.stream("GET", "/floor/events") as stream:
        return (await anext(messages(stream)))["tiles"]


async def test_a_signed_status_is_shown_and_one_with_another_key_is_an_alert(tmp_path: Path) -> None:
    signer, stranger = (Signer(bytes([byte]) * 32) for byte in (1, 2))
    async with nats_server(tmp_path / "nats") as address:
        config = await prepared(written(tmp_path, address, PAGES))
        admission = Admission(1, START, signer.public)
        decide(config, Decision("admit", TABLE, admission, "Ann", "Bo", "new", 1.0))
        async with running(config) as floor, connected(config) as table:
            await come_true(lambda: floor.logged("page"))
            port = int(str(floor.logged("page")[0]["address"]).rstrip("/").rpartition(":")[2])
            async with client_of(port) as browser:
                assert (await browser.get("/health")).json()["tables"] == 2
                style = (await browser.get("/house/style.css")).text
                assert "--felt: #7a1020;" in style
                assert '--house-content: "Grand";' in style
                end = time.monotonic() + PATIENCE
                while "<dd>4711</dd>" not in (shown := await tiles(browser)):
                    assert time.monotonic() < end, shown
                    genuine = signed(signer, 4711)
                    await table.publish(genuine.subject, genuine.payload, headers=genuine.headers())
                forged = signed(stranger, 4712)
                await table.publish(forged.subject, forged.payload, headers=forged.headers())
                while "which is not pinned" not in (shown := await tiles(browser)):
                    assert time.monotonic() < end, shown
                assert "4712" not in shown
            assert "away.svg cannot be read" in str(floor.logged("no logo"))
