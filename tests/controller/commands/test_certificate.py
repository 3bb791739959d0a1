"""The table's own certificate: made, shown, and used by the server."""

import asyncio
import contextlib
import json
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from typer.testing import CliRunner, Result

from controller.access.certificate import make, read_certificate
from controller.commands.app import app
from controller.config import ConfigError, parse, read
from controller.daemon.web_access import WARNING_PERIOD, expiry_warning
from controller.monitor.context import WebContext
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.server.address import listen
from controller.monitor.server.server import serve
from controller.monitor.server.tls import server_context, tls_context
from controller.monitor.web import build
from tests.fixtures.core_socket import core_of, linked
from tests.fixtures.daemon_process import CONFIG
from tests.fixtures.table_views import BETTING

WEB = 'port = 0\nhost = "0.0.0.0"\ntls = true\nnames = ["table7.pit.example"]'
DAY = 86_400.0
EVERYWHERE = ".".join("0000")


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(CONFIG.format(tmp_path).replace("port = 0", WEB))
    return path


def certificate(config: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ["certificate", *words, "--config", str(config)])


def test_the_pages_of_a_floor_get_a_certificate_too(tmp_path: Path) -> None:
    floor = tmp_path / "floor.toml"
    floor.write_text('property = "house"\nservers = ["nats://127.0.0.1:4222"]\n')
    refused = certificate(floor, "--make")
    assert (refused.exit_code, "web is missing; needed: a section with tls" in refused.stderr) == (2, True)
    floor.write_text(f"{floor.read_text()}[web]\n{WEB.replace('table7', 'floor')}\n")
    made = certificate(floor, "--make")
    assert made.exit_code == 0, made.stderr
    assert "localhost, floor.pit.example, 127.0.0.1, ::1" in made.stdout
    assert (
        x509.load_pem_x509_certificate((tmp_path / "keys" / "web.crt").read_bytes()).subject.rfc4514_string()
        == "CN=Tableside house"
    )


def test_a_certificate_is_made_once_and_its_key_is_private(config: Path) -> None:
    made = certificate(config, "--make")
    assert made.exit_code == 0, made.stderr
    assert "localhost, table7.pit.example, 127.0.0.1, ::1" in made.stdout
    key = config.parent / "keys" / "web.key"
    assert key.stat().st_mode & 0o777 == 0o600
    again = certificate(config, "--make")
    assert (again.exit_code, "--replace makes another one" in again.stderr) == (2, True)
    assert certificate(config).stdout == made.stdout
    assert certificate(config, "--spki").stdout.strip() in made.stdout
    alone = certificate(config, "--replace")
    assert (alone.exit_code, "allowed: --make --replace" in alone.stderr) == (2, True)
    assert certificate(config, "--make", "--replace").stdout != made.stdout
    assert key.stat().st_mode & 0o777 == 0o600


def test_a_certificate_is_shown_as_json(config: Path) -> None:
    made = certificate(config, "--make", "--json")
    found = read_certificate(config.parent / "keys" / "web.crt")
    assert json.loads(made.stdout) == {
        "file": str(config.parent / "keys" / "web.crt"),
        "names": list(found.names),
        "expires": found.expires,
        "fingerprint": found.fingerprint,
        "spki": found.spki,
    }
    assert certificate(config, "--json").stdout == made.stdout
    both = certificate(config, "--json", "--spki")
    assert (both.exit_code, "--spki and --json are not allowed together" in both.stderr) == (2, True)


def test_a_missing_certificate_names_the_command_that_makes_one(config: Path) -> None:
    shown = certificate(config)
    assert (shown.exit_code, "allowed: --make, which makes one" in shown.stderr) == (1, True)
    with pytest.raises(ConfigError, match="tableside table certificate --make makes both"):
        tls_context(read(config))


def test_no_other_certificate_can_be_signed_with_it(config: Path) -> None:
    certificate(config, "--make")
    trusting = ssl.create_default_context(cafile=str(config.parent / "keys" / "web.crt"))
    assert trusting.get_ca_certs() == []


async def test_pages_are_served_with_the_certificate(config: Path) -> None:
    certificate(config, "--make")
    folder = config.parent / "keys"
    trusting = ssl.create_default_context(cafile=str(folder / "web.crt"))
    async with served(server_context(folder / "web.crt", folder / "web.key")) as port:
        async with httpx.AsyncClient(verify=trusting, trust_env=False) as client:
            answer = await client.get(f"https://localhost:{port}/health")
        assert answer.json()["status"] == "ok"
        assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
        old = ssl.create_default_context(cafile=str(folder / "web.crt"))
        old.maximum_version = ssl.TLSVersion.TLSv1_2
        async with httpx.AsyncClient(verify=old, trust_env=False) as client:
            assert (await client.get(f"https://127.0.0.1:{port}/health")).status_code == 200
        with pytest.raises(httpx.TransportError):
            async with httpx.AsyncClient(trust_env=False) as client:
                await client.get(f"http://127.0.0.1:{port}/health")


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (WARNING_PERIOD + 1, ""),
        (29.5 * DAY, "The certificate of the pages ends in 29 days"),
        (-DAY, "The certificate of the pages has ended"),
    ],
)
def test_an_alert_comes_before_the_certificate_expires(left: float, said: str) -> None:
    todo = ": tableside table certificate --make --replace" if said else ""
    assert expiry_warning(1e9 + left, 1e9) == said + todo
    assert expiry_warning(None, 1e9) == ""


def test_a_certificate_expires_after_the_requested_days(tmp_path: Path) -> None:
    begins = datetime(2026, 11, 20, 19, 0, tzinfo=UTC)
    path = tmp_path / "web.crt"
    path.write_bytes(make("Table 7", ["localhost", "10.7.0.12"], begins, 20).certificate)
    found = read_certificate(path)
    assert found.expires == begins.timestamp() + 20 * DAY
    assert found.names == ("localhost", "10.7.0.12")


@pytest.mark.parametrize("host", [EVERYWHERE, "10.7.0.12", "::", "table7.pit.example"])
def test_an_address_beyond_this_machine_needs_a_certificate(host: str, config: Path) -> None:
    raw = {"table": {"name": "T", "game": "easy-jack"}, "web": {"host": host}}
    with pytest.raises(ConfigError) as refused:
        parse(raw)
    faults = [fault for fault in refused.value.faults if fault.startswith("web.host")]
    assert faults == [
        f'web.host = "{host}": not allowed without tls, because others on the network could read passwords; '
        "allowed: 127.0.0.1, ::1, localhost, or any with tls = true"
    ]
    assert read(config).web.host == EVERYWHERE


def test_a_houses_own_certificate_may_have_no_names(tmp_path: Path) -> None:
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    begins = datetime(2026, 11, 20, tzinfo=UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, begins, begins + timedelta(days=20)).sign(
        key, hashes.SHA256()
    )
    path = tmp_path / "web.crt"
    path.write_bytes(made.public_bytes(Encoding.PEM))
    assert read_certificate(path).names == ()


@asynccontextmanager
async def served(tls: ssl.SSLContext) -> AsyncIterator[int]:
    listener, changes = listen("127.0.0.1", 0), ChangeNotifier()
    async with linked(core_of(lambda: BETTING), changes) as (_, link):
        parts = WebContext(link.client, link.view, changes, tls=True)
        serving = asyncio.create_task(serve(build(parts), changes, listener, tls))
        try:
            yield int(listener.getsockname()[1])
        finally:
            serving.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await serving
