"""Debian's own browser, without a screen, that asks nobody outside."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Browser, async_playwright, expect

from tests.waiting import PATIENCE

CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip

expect.set_options(timeout=PATIENCE * 1000)


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """A browser for as long as this lasts."""
    async with (
        async_playwright() as driver,
        await driver.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS]) as browser,
    ):
        yield browser
