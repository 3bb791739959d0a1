"""The keys of a property's servers: what is signed, what is revoked, and what a real server makes of it."""

import asyncio
import time
from pathlib import Path
from typing import get_args

import pytest

from controller.floor.authority.authority import Authority, AuthorityError
from controller.floor.authority.claims import ClaimsError, read_claims
from controller.floor.authority.nkeys import Nkey, NkeyKind
from controller.floor.authority.permissions import Role
from controller.floor.authority.server_files import accounts
from controller.floor.connection import ConnectionEndedError, Servers, connection
from controller.floor.credentials import Credentials, credentials_text
from controller.floor.nats_server import nats_server
from tests.fixtures.floor_authority import Guarded, guarded
from tests.fixtures.waiting import PATIENCE, come_true

NOW = 1_000_000
USER = Nkey.make(NkeyKind.USER).public


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    made = Authority(tmp_path / "authority", "house")
    made.prepare(NOW)
    return made


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_preparing_again_changes_nothing(authority: Authority) -> None:
    authority.make_credentials("floor", "floor", NOW)
    before = contents(authority.folder)
    authority.prepare(NOW + 9)
    authority.make_credentials("floor", "floor", NOW + 9)
    assert contents(authority.folder) == before


def test_a_server_that_runs_gets_the_same_operator_after_a_revocation(authority: Authority) -> None:
    """It would refuse any other one, and with it the revocation."""
    authority.issue("bj-1", USER, NOW)
    before = accounts(authority)
    authority.revoke("bj-1", NOW + 1)
    after = accounts(authority)
    changed = [line for line in after if line not in before]
    assert len(changed) == 1
    assert authority.account in changed[0]


def test_every_key_is_its_owners(authority: Authority) -> None:
    authority.make_credentials("floor", "floor", NOW)
    secret = [path for path in authority.folder.iterdir() if path.suffix in (".seed", ".creds")]
    assert len(secret) == 9
    assert {path.stat().st_mode & 0o777 for path in secret} == {0o600}
    assert authority.folder.stat().st_mode & 0o777 == 0o700


def test_credentials_whose_key_was_changed_are_made_again(authority: Authority) -> None:
    path = authority.make_credentials("floor", "floor", NOW)
    before = Credentials.read(path).jwt
    (authority.folder / "floor.seed").unlink()
    authority.prepare(NOW + 1)
    authority.make_credentials("floor", "floor", NOW + 1)
    assert Credentials.read(path).jwt != before


@pytest.mark.parametrize("role", get_args(Role))
def test_what_any_program_shows_fits_into_the_first_line(role: Role, tmp_path: Path) -> None:
    """A server reads 4,096 bytes; names have 24 characters at most."""
    authority = Authority(tmp_path, "p" * 24)
    authority.prepare(NOW)
    path = authority.make_credentials(role, "l" * 24, NOW)
    assert len(Credentials.read(path).jwt) < 1500


def test_what_a_table_gets_says_only_who_it_is(authority: Authority) -> None:
    claims = read_claims(authority.issue("bj-1", USER, NOW).read_text())
    assert (claims["sub"], claims["name"], claims["iat"]) == (USER, "bj-1", NOW)
    assert claims["nats"] == {"type": "user", "issuer_account": authority.account, "version": 2}


def test_the_keys_of_one_table_are_not_those_of_another_one(authority: Authority) -> None:
    other = Nkey.make(NkeyKind.USER).public
    authority.issue("bj", USER, NOW)
    authority.issue("bj-1", other, NOW)
    assert (authority.issued("bj"), authority.issued("bj-1"), authority.issued("bj-2")) == (
        (USER,),
        (other,),
        (),
    )


def test_what_is_revoked_stays_revoked_when_the_account_is_signed_again(authority: Authority) -> None:
    authority.issue("bj-1", USER, NOW)
    assert authority.revoke("bj-1", NOW + 1) == (USER,)
    other = Nkey.make(NkeyKind.USER).public
    authority.issue("bj-2", other, NOW)
    authority.revoke("bj-2", NOW + 2)
    authority.prepare(NOW + 3)
    assert authority.revoked() == {USER: NOW + 1, other: NOW + 2}


def test_a_missing_key_is_named(tmp_path: Path) -> None:
    with pytest.raises(AuthorityError, match=r"account\.jwt cannot be read.*floor prepare makes it"):
        _ = Authority(tmp_path, "house").account


@pytest.mark.parametrize("text", ["", "a.b", "a.!.c", "a.e30.c"])
def test_a_text_that_is_not_signed_claims_is_refused(text: str) -> None:
    with pytest.raises(ClaimsError):
        read_claims(text)


async def test_a_table_that_nobody_admitted_cannot_sign_in(tmp_path: Path) -> None:
    stranger = Authority(tmp_path / "stranger", "house")
    stranger.prepare(NOW)
    user = Nkey.make(NkeyKind.USER)
    path = tmp_path / "stranger.creds"
    path.write_text(credentials_text(stranger.issue("bj-1", user.public, NOW).read_text(), user.seed))
    async with guarded(tmp_path) as server:
        refusals = list[str]()
        servers = Servers((server.address,), "bj-1", "_INBOX_bj-1", None, path)
        connecting = asyncio.create_task(_connect(servers, refusals))
        await come_true(lambda: refusals)
        connecting.cancel()
        await asyncio.wait([connecting])
    assert "Authorization Violation" in refusals[0]


async def _connect(servers: Servers, refusals: list[str]) -> None:
    async with connection(servers, on_refused=refusals.append):
        raise AssertionError("the server lets a stranger in")


async def test_a_reload_ends_the_connection_of_a_table_that_was_revoked(tmp_path: Path) -> None:
    async with guarded(tmp_path) as server:
        table, other = server.as_table("bj-1"), server.as_table("bj-2")
        async with connection(other) as still:
            with pytest.raises(ConnectionEndedError, match="revoked"):
                await _revoked_meanwhile(server, table)
            assert still.is_connected
            await still.flush()


async def _revoked_meanwhile(server: Guarded, table: Servers) -> None:
    async with connection(table):
        server.authority.revoke("bj-1", int(time.time()))
        server.reload()
        await asyncio.sleep(PATIENCE)


async def test_a_server_that_starts_knows_what_was_revoked(tmp_path: Path) -> None:
    authority = Authority(tmp_path / "authority", "house")
    authority.prepare(int(time.time()))
    user = Nkey.make(NkeyKind.USER)
    path = tmp_path / "bj-1.creds"
    issued = authority.issue("bj-1", user.public, int(time.time())).read_text()
    path.write_text(credentials_text(issued, user.seed))
    authority.revoke("bj-1", int(time.time()))
    refusals = list[str]()
    async with nats_server(tmp_path / "nats", more=accounts(authority)) as address:
        connecting = asyncio.create_task(
            _connect(Servers((address,), "bj-1", "_INBOX_bj-1", None, path), refusals)
        )
        await come_true(lambda: refusals)
        connecting.cancel()
        await asyncio.wait([connecting])
