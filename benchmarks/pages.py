"""With PAGES pages open: how long a key takes to the screen, and how soon a page shows that the daemon is
silent."""

import asyncio
import contextlib
import os
import signal
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks.crowd import Stream, crowd
from benchmarks.latency import Dealer, staged
from benchmarks.people import cookies
from benchmarks.processors import all_processors
from benchmarks.yardstick import yardstick
from controller.demo.table import DemoTable
from tests.fixtures.chromium import CHROMIUM, FLAGS

KEYS = 200
STANDSTILLS = 9
TIMED = """
() => {
  const seen = (window.pressed = []);
  let since = 0;
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-action]")) since = event.timeStamp;
  }, true);
  const due = document.querySelector("[sse-swap='console-due']");
  new MutationObserver(() => {
    if (!since) return;
    const from = since;
    since = 0;
    requestAnimationFrame(() => setTimeout(() => seen.push(performance.now() - from)));
  }).observe(due, {childList: true, subtree: true, characterData: true});
}
"""
"""Runs in the page: milliseconds from the tap until the page has drawn what is due next."""


@dataclass(frozen=True, slots=True)
class Pages:
    """Keys, and silences until the page shows them, in seconds."""

    keys: list[float]
    silences: list[float]


def measure() -> Pages:
    with tempfile.TemporaryDirectory(prefix="tableside-") as folder:
        return Pages(*on_screen(Path(folder)))


def streams(dealer: str, supervisor: str) -> list[Stream]:
    """What people with these cookies follow, and what anybody may."""
    return [("/console/events", dealer), ("/supervisor/events", supervisor), ("/events", "")]


def on_screen(folder: Path) -> tuple[list[float], list[float]]:
    """Times KEYS taps on the console's page and STANDSTILLS of the daemon."""
    stage, runner = staged(folder), asyncio.Runner()
    with _anywhere(), runner, yardstick(folder) as measured, contextlib.closing(Screen(stage)) as dealer:
        runner.run(stage.start_web())
        runner.run(stage.start_daemon())
        try:
            signed_in = cookies(stage)
            with crowd(stage, streams(*signed_in)), _browser() as page:
                dealer.sees(_console(page, stage, signed_in[0]))
                assert stage.daemon is not None
                dealer.open(stage.daemon.pid)
                while len(dealer.pressed()) < KEYS:
                    dealer.play(measured)
                return [ms / 1e3 for ms in dealer.pressed()], [*_silences(page, stage)]
        finally:
            runner.run(stage.stop_daemon())
            runner.run(stage.kill_web())


def _silences(page: Page, stage: DemoTable) -> Iterator[float]:
    """Seconds that the daemon has stood still each time when the page shows it."""
    assert stage.daemon
    for _ in range(STANDSTILLS):
        began = time.monotonic()
        stage.daemon.send_signal(signal.SIGSTOP)
        page.locator("#lost").wait_for()
        yield time.monotonic() - began
        stage.daemon.send_signal(signal.SIGCONT)
        page.locator("#lost").wait_for(state="hidden")


@contextlib.contextmanager
def _anywhere() -> Iterator[None]:
    """Allows every processor, because the browser runs next to the daemon, as on a table's computer."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, all_processors())
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextlib.contextmanager
def _browser() -> Iterator[Page]:
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS])
        try:
            yield browser.new_page(viewport={"width": 1280, "height": 800})
        finally:
            browser.close()


def _console(page: Page, stage: DemoTable, dealer: str) -> Page:
    for cookie in dealer.split("; "):
        name, _, value = cookie.partition("=")
        page.context.add_cookies([{"name": name, "value": value, "url": stage.address}])
    page.goto(f"{stage.address}console")
    page.evaluate(TIMED)
    return page


class Screen(Dealer):
    """A dealer who taps keys on the console's page."""

    def sees(self, page: Page) -> None:
        """Uses this open page of the console."""
        self._page = page

    def pressed(self) -> list[float]:
        """The milliseconds of each key so far."""
        found: list[float] = self._page.evaluate("window.pressed")
        return found

    def _press(self, action: str, seat: int = 0) -> None:
        self._serve(lambda: action in self._keys())
        before, key = len(self.pressed()), f".keys [data-action='{action}'][data-seat='{seat}']"
        self._serve(self._page.locator(key).is_visible)  # a click that waits would leave the devices alone
        self._page.locator(key).click()
        self._serve(lambda: len(self.pressed()) > before)
        self._rest()
