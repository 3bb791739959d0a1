"""The address of the page: free, taken, and not there yet."""

import socket

import pytest

from controller.monitor.server.address import Address, listen

NOT_OURS = "192.0.2.1"
"""An address that belongs to nobody (RFC 5737)."""


async def test_a_taken_address_is_tried_again_until_it_is_free() -> None:
    reports, pauses = list[str](), list[float]()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        async def sleep(seconds: float) -> None:
            pauses.append(seconds)
            if len(pauses) == 7:
                taken.close()

        with Address("127.0.0.1", port) as page:
            assert page.url == ""
            (await page.listening_socket(reports.append, sleep)).close()
            assert page.url == f"http://127.0.0.1:{port}/"
            await page.wait_until_assigned(reports.append, sleep)
    assert pauses == [1, 2, 4, 8, 16, 30, 30]
    why = f"No page can be served at 127.0.0.1 port {port}: Address already in use"
    assert reports == [f"{why}. It is tried again every 30 s"] * 7 + [""]


async def test_an_address_that_comes_later_is_listened_on_before() -> None:
    reports = list[str]()

    class Enough(Exception): ...

    async def sleep(_seconds: float) -> None:
        raise Enough

    with Address(NOT_OURS, 0) as page:
        with await page.listening_socket(reports.append, sleep) as listener:
            assert listener.getsockname()[0] == NOT_OURS
        with pytest.raises(Enough):
            await page.wait_until_assigned(reports.append, sleep)
    assert reports == ["No page can be reached at 192.0.2.1 port 0: this computer has no such address yet"]


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
async def test_an_address_that_is_free_is_served_at_once(host: str) -> None:
    reports = list[str]()
    with Address(host, 0) as page:
        (await page.listening_socket(reports.append)).close()
        await page.wait_until_assigned(reports.append)
        assert page.url.startswith("http://[::1]:" if ":" in host else "http://127.0.0.1:")
    assert reports == [""]


def test_a_port_that_is_taken_names_both() -> None:
    with (
        listen("127.0.0.1", 0) as taken,
        pytest.raises(OSError, match=r"127\.0\.0\.1 port \d+: Address already in use"),
    ):
        listen(*taken.getsockname())
