"""The floor's page in a browser: how soon the tiles are painted, and what following them costs."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from statistics import median

from playwright.async_api import CDPSession, Page

from benchmarks.floor.figures import MILLISECONDS, PERCENT, SECONDS, Figure
from tests.fixtures.chromium import chromium

OPENINGS = 3
FOLLOWING = 10.0
"""Seconds for which the page is followed."""
FIRST_PAINT = """() => new Promise((seen) => {
  new PerformanceObserver((found) => seen(found.getEntries()[0].startTime / 1000))
    .observe({type: "paint", buffered: true});
})"""
ALL_PAINTED = """(count) => new Promise((shown) => {
  const look = () => document.querySelectorAll(".tile").length < count ? requestAnimationFrame(look)
    : requestAnimationFrame(() => setTimeout(() => shown(performance.now() / 1000)));
  look();
})"""
"""Seconds from the begin of the navigation until a frame with all tiles has been painted."""
LONG_TASKS = """() => {
  window.longTasks = [0];
  new PerformanceObserver((found) => found.getEntries().forEach((one) => window.longTasks.push(one.duration)))
    .observe({type: "longtask"});
}"""
BUSY = "ThreadTime"
"""Processor time: on a busy machine, tasks also wait for their turn."""


@dataclass(frozen=True, slots=True)
class BrowserFigures:
    """`first`, `painted`: seconds until the first paint, and until all tiles are painted, each time the page
    was opened; `busy`: share of a processor of the page's main thread while tiles change; `longest`:
    milliseconds for which it did not answer then, 0 if it was never longer than 50."""

    tables: int
    first: list[float]
    painted: list[float]
    busy: float
    longest: float

    def figures(self) -> list[Figure]:
        return [
            Figure("  first paint in a browser, median", median(self.first), 1, SECONDS),
            Figure(f"  all {self.tables} tiles are painted, median", median(self.painted), None, SECONDS),
            Figure("  the browser while tiles change", self.busy, None, PERCENT),
            Figure("  its longest task", self.longest, None, MILLISECONDS),
        ]


async def measure(address: str, tables: int) -> BrowserFigures:
    """`address`: of pages that are open without signing in."""
    first, painted = list[float](), list[float]()
    async with _opened() as page:
        for _ in range(OPENINGS):
            await page.goto(f"{address}floor")
            painted.append(await page.evaluate(ALL_PAINTED, tables))
            first.append(await page.evaluate(FIRST_PAINT))
        busy, longest = await _follow(page)
    return BrowserFigures(tables, first, painted, busy, longest)


async def _follow(page: Page) -> tuple[float, float]:
    """The share of the main thread, and its longest task in milliseconds."""
    session = await page.context.new_cdp_session(page)
    await session.send("Performance.enable")
    await page.evaluate(LONG_TASKS)
    begun, before = time.monotonic(), await _busy(session)
    await page.wait_for_timeout(FOLLOWING * 1000)
    share = (await _busy(session) - before) / (time.monotonic() - begun)
    return share, await page.evaluate("Math.max(...window.longTasks)")


async def _busy(session: CDPSession) -> float:
    """Processor time of the page's main thread so far, in seconds."""
    answer = await session.send("Performance.getMetrics")
    return float(next(one["value"] for one in answer["metrics"] if one["name"] == BUSY))


@asynccontextmanager
async def _opened() -> AsyncIterator[Page]:
    async with chromium() as browser:
        yield await browser.new_page(viewport={"width": 1920, "height": 1080})
