"""The metrics are for this computer, and for those that know the token."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from structlog.testing import capture_logs

from controller.config import Config, parse, read
from controller.monitor.server.metrics_guard import MetricsGuard, metrics_token
from drivers.key_files import ABSENT, make_key, store_key

HERE = "10.0.0.1"
THERE = "10.0.0.7"
NOBODY = 65_534
TOKEN = make_key().hex()


async def answer(
    client: str, headers: dict[str, str], token: str = TOKEN, path: str = "/metrics"
) -> httpx.Response:
    async def show(_request: Request) -> PlainTextResponse:
        return PlainTextResponse("tableside_suspended 0")

    routes = [Route(each, show) for each in ("/metrics", "/health")]
    transport = httpx.ASGITransport(MetricsGuard(Starlette(routes=routes), token), client=(client, 1))
    async with httpx.AsyncClient(transport=transport, base_url=f"http://{HERE}") as asking:
        return await asking.get(path, headers=headers)


@pytest.mark.parametrize(
    ("client", "headers", "status"),
    [
        (HERE, {}, 200),
        (THERE, {}, 401),
        (THERE, {"Authorization": f"Bearer {TOKEN}"}, 200),
        (THERE, {"Authorization": f"bearer  {TOKEN.upper()}"}, 200),
        (THERE, {"Authorization": f"Bearer {make_key().hex()}"}, 401),
        (THERE, {"Authorization": f"Bearer {TOKEN[:-1]}"}, 401),
        (THERE, {"Authorization": f"Basic {TOKEN}"}, 401),
        (THERE, {"Authorization": "Bearer"}, 401),
        (THERE, {"Authorization": TOKEN}, 401),
    ],
)
async def test_another_computer_needs_the_token(client: str, headers: dict[str, str], status: int) -> None:
    found = await answer(client, headers)
    assert found.status_code == status
    assert found.headers.get("WWW-Authenticate") == (None if status == 200 else 'Bearer realm="metrics"')
    assert TOKEN not in found.text


async def test_no_token_lets_nobody_in_from_another_computer() -> None:
    for sent in ("", "Bearer", "Bearer "):
        found = await answer(THERE, {"Authorization": sent}, token="")
        assert found.status_code == 401
        assert "this computer alone" in found.json()["detail"]
    assert (await answer(HERE, {}, token="")).status_code == 200


async def test_whether_the_table_plays_is_no_secret() -> None:
    assert (await answer(THERE, {}, path="/health")).status_code == 200


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return configured(tmp_path)


def configured(folder: Path, web: str = "") -> Config:
    path = folder / "table.toml"
    path.write_text(
        '[table]\nname = "T"\ngame = "easy-jack"\n[journal]\npath = "j"\n'
        '[devices.shoe]\nport = "/dev/a"\nserial = "A"\n[devices.sensors]\nport = "/dev/b"\nserial = "B"\n'
        f"[web]\n{web}\n"
    )
    return read(path)


@contextmanager
def ordinary_user() -> Iterator[None]:
    """Root may open everything."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(before)


def test_the_token_is_a_file_beside_the_configuration(config: Config, tmp_path: Path) -> None:
    assert metrics_token(config) == ""
    key = make_key()
    store_key(key, tmp_path / "keys" / "metrics.token")
    assert metrics_token(config) == key.hex()


def test_a_credential_takes_precedence(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = [make_key(), make_key()]
    store_key(keys[0], tmp_path / "keys" / "metrics.token")
    store_key(keys[1], tmp_path / "credentials" / "metrics.token")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path / "credentials"))
    assert metrics_token(config) == keys[1].hex()


@pytest.mark.parametrize(("text", "mode"), [("too short", 0o600), (make_key().hex(), 0o644)])
def test_a_file_that_holds_no_token_or_is_open_to_others_lets_nobody_in(
    config: Config, tmp_path: Path, text: str, mode: int
) -> None:
    path = tmp_path / "keys" / "metrics.token"
    path.parent.mkdir()
    path.write_text(text)
    path.chmod(mode)
    assert metrics_token(config) == ""


@pytest.mark.parametrize(
    ("token", "service", "logged"), [("", True, 0), ("", False, 1), ("other/metrics.txt", True, 1)]
)
def test_a_folder_of_keys_that_only_root_may_open_is_logged_unless_the_service_has_the_token_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, token: str, service: bool, logged: int
) -> None:
    config = configured(tmp_path, f'metrics_token = "{token}"' if token else "")
    place = Path(config.web.metrics_token)
    store_key(make_key(), place)
    place.parent.chmod(0)
    with TemporaryDirectory() as folder, capture_logs() as logs:
        credentials = Path(folder)
        credentials.chmod(0o755)
        (credentials / "metrics.token").write_bytes(ABSENT)
        if service:
            monkeypatch.setenv("CREDENTIALS_DIRECTORY", folder)
        with ordinary_user():
            assert metrics_token(config) == ""
    place.parent.chmod(0o700)
    assert [log["why"] for log in logs] == [f"key {place} cannot be read: Permission denied"] * logged


def test_the_token_itself_is_no_key_of_the_configuration() -> None:
    """It would be readable for everyone who may read the configuration."""
    section = {"metrics_token": TOKEN}
    document = {
        "table": {"name": "T", "game": "easy-jack"},
        "journal": {"path": "j"},
        "web": section,
        "devices": {
            "shoe": {"port": "/dev/a", "serial": "A"},
            "sensors": {"port": "/dev/b", "serial": "B"},
        },
    }
    assert metrics_token(parse(document)) == ""
