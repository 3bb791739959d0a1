"""The web server of a real table has nothing of the simulator."""

from pathlib import Path

import pytest
from httpx import ASGITransport, AsyncClient

from controller.demo.simulator.application import OWN_STATIC, PAGE
from controller.monitor.context import WebContext
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.web import build
from tests.fixtures.core_socket import no_core

SCRIPT = "table.js"
PATHS = (PAGE, f"{PAGE}/events", f"{PAGE}/acts", f"/static/simulator/{SCRIPT}")


@pytest.mark.parametrize("path", PATHS)
async def test_the_tables_own_web_server_does_not_have_the_simulators_routes(path: str) -> None:
    app = build(WebContext(no_core(), lambda: pytest.fail("nobody asked"), ChangeNotifier(), Path("t.db")))
    assert (OWN_STATIC / SCRIPT).exists()
    assert not [route for route in app.routes if "simulator" in getattr(route, "path", "")]
    async with AsyncClient(transport=ASGITransport(app), base_url="http://localhost") as client:
        assert (await client.get(path)).status_code == 404
        assert (await client.post(path, json={"do": "clear-chips"})).status_code in {404, 405}
