"""Signing in through the table socket."""

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

from controller.access.errors import AccountsUnusable, HashingFailed
from controller.access.turns import MOST_WAITING
from controller.socket.client_link import MOST_RUNNING
from controller.socket.codes import Code, as_call_error
from controller.socket.wire import CallRefused
from tests.fixtures.access_desk import FROM, PASSWORD, PIN
from tests.fixtures.core_table import open_core


async def test_a_dealer_who_signs_in_deals_from_now_on(tmp_path: Path) -> None:
    async with open_core(tmp_path) as core, core.client() as client:
        assert await _code(client.sign_in("pin", "dee", PIN, FROM)) == Code.NO_SESSION
        signed = await client.sign_in("pin", "dee", PIN, FROM, at_table=True)
        session = await client.session(signed.token)
        assert core.at.table.state.shift.croupier == "Dee"
    assert (signed.person.name, signed.person.role) == ("Dee", "dealer")
    assert session is not None
    assert (session.person, session.csrf, session.until) == (signed.person, signed.csrf, signed.until)
    assert (session.failures, signed.failures) == (1, 1)


async def test_a_wrong_secret_gives_no_session_and_is_counted(tmp_path: Path) -> None:
    async with open_core(tmp_path) as core, core.client() as client:
        codes = [await _code(client.sign_in("password", "Ann", "wrong", FROM)) for _ in range(5)]
        assert codes == [Code.NO_SESSION] * 4 + [Code.LOCKED]
        with pytest.raises(CallRefused) as locked:
            await client.sign_in("password", "Ann", PASSWORD, FROM)
    assert locked.value.code == Code.LOCKED
    assert locked.value.data["seconds"] > 0


async def test_people_who_are_signed_in_do_not_wait_for_strangers_who_sign_in(tmp_path: Path) -> None:
    """All of them reach the core through the one connection of the web server."""
    order: list[str] = []
    async with open_core(tmp_path) as core, core.client() as client:

        async def stranger(number: int) -> None:
            with suppress(CallRefused):
                await client.sign_in("password", "Ann", "wrong", f"10.0.1.{number}")
            order.append("stranger")

        strangers = [asyncio.create_task(stranger(number)) for number in range(MOST_WAITING)]
        await asyncio.sleep(0)
        assert await client.session(core.tokens["Ann"])
        order.append("Ann")
        await asyncio.gather(*strangers)
    assert order.index("Ann") < MOST_WAITING - MOST_RUNNING


def test_secrets_that_cannot_be_checked_are_told_and_the_path_of_the_accounts_is_not() -> None:
    failed = as_call_error(HashingFailed("no reply within 20 s"))
    unusable = as_call_error(AccountsUnusable(Path("/var/lib/access.db"), "database is locked"))
    assert failed is not None
    assert unusable is not None
    assert (failed.code, unusable.code) == (Code.UNAVAILABLE, Code.UNAVAILABLE)
    assert failed.text == "passwords and PINs cannot be checked: no reply within 20 s"
    assert unusable.text == "the accounts cannot be used now: look at the alerts"


async def test_a_session_that_has_ended_is_none(tmp_path: Path) -> None:
    async with open_core(tmp_path) as core, core.client() as client:
        token = core.tokens["Ann"]
        assert await client.session(token)
        await client.sign_out(token, FROM)
        assert await client.session(token) is None
        assert await client.session("a token of nobody") is None


async def test_a_supervisor_sees_who_is_signed_in_and_a_dealer_how_many(tmp_path: Path) -> None:
    async with open_core(tmp_path) as core, core.client() as client:
        seen = await client.sessions(core.tokens["Ann"])
        counted = await client.sessions(core.tokens["Dee"])
    assert (seen.count, counted.count, counted.sessions) == (6, 6, ())
    assert {one.name for one in seen.sessions} == {"Dee", "Don", "Ann", "Bob", "Ted", "Aud"}


async def test_a_new_password_ends_the_session(tmp_path: Path) -> None:
    async with open_core(tmp_path) as core, core.client() as client:
        token = core.tokens["Ann"]
        assert await _code(client.set_secret(token, "wrong", "a much better one", FROM)) == Code.REFUSED
        await client.set_secret(token, PASSWORD, "a much better one", FROM)
        assert await client.session(token) is None
        assert await client.sign_in("password", "Ann", "a much better one", FROM)


async def test_a_forged_request_goes_to_the_journals_records(tmp_path: Path) -> None:
    async with open_core(tmp_path) as core, core.client() as client:
        await client.forged(core.tokens["Bob"], "10.9.8.7", "POST /api/v1/decisions")
        records = [record for _, record in core.access.pending_records() if record.what == "forged"]
    assert [(one.who, one.address, one.text) for one in records] == [
        ("Bob", "10.9.8.7", "POST /api/v1/decisions")
    ]


async def _code(call: object) -> int:
    with pytest.raises(CallRefused) as refused:
        await call  # type: ignore[misc]
    return refused.value.code
