"""Takes the pictures of a page in all sizes, colours and languages, and measures the page."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from playwright.async_api import Page, expect

from tests.browser.pictures.catalogue import (
    LANGUAGES,
    PAPER,
    SIZES,
    THEMES,
    WHOLE,
    Language,
    Look,
    Size,
    Theme,
    size_text,
)
from tests.fixtures.accessibility import lowest_contrast, violations
from tests.fixtures.browser_table import BEING_MADE, DESK
from tests.fixtures.page_targets import Target, targets

CHOOSE_THEME: Final = (
    "theme => theme ? localStorage.setItem('theme', theme) : localStorage.removeItem('theme')"
)
DRAWN: Final = """async () => {
    await document.fonts.ready;
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
}"""
WIDER: Final = "document.documentElement.scrollWidth - window.innerWidth"

Ready = Callable[[Page], Awaitable[None]]


async def has_main(page: Page) -> None:
    """Returns when the page shows its contents."""
    await expect(page.locator("main").first).to_be_visible()
    await expect(page.locator(BEING_MADE)).to_have_count(0)


@dataclass(slots=True)
class Measured:
    """What was measured on one page. `contrast`: the lowest contrast in each theme; `faults`: what axe found,
    or a look that is wider than its screen."""

    target: Target | None = None
    target_size: Size = DESK
    contrast: dict[Theme, float] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def add_targets(self, found: list[Target], size: Size) -> None:
        """Keeps the smallest one."""
        smallest = min(found, key=lambda each: each.side, default=None)
        if smallest and (self.target is None or smallest.side < self.target.side):
            self.target, self.target_size = smallest, size

    def add_contrast(self, theme: Theme, ratio: float) -> None:
        self.contrast[theme] = min(ratio, self.contrast.get(theme, ratio))


class Photographer:
    """Takes pictures into `folder`. `measured`: what it found, by page."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.measured: dict[str, Measured] = {}
        self.taken: list[str] = []
        """The pages that have pictures."""

    async def take(self, page: Page, name: str, url: str, ready: Ready = has_main) -> None:
        """All pictures of the page at `url`, in which a person has signed in. `ready` waits until it shows
        what it is to show."""
        print(name, flush=True)
        self.taken.append(name)
        if name in PAPER:
            await self._paper(page, name, url, ready)
            return
        found = self.measured[name] = Measured()
        for theme, language in product(THEMES, LANGUAGES):
            await _open(page, url, theme, language, ready)
            for size in SIZES:
                await self._picture(page, Look(name, size, theme, language).file, size)
                found.add_targets(await targets(page), size)
                if (wider := await page.evaluate(WIDER)) > 0:
                    found.faults.append(f"{wider} px wider than {size_text(size)} in {language}")
            await _resize(page, DESK)
            found.add_contrast(theme, await lowest_contrast(page, theme))
            found.faults += [
                f"{theme}, {language}: {fault}" for fault in await violations(page, contrast=True)
            ]
        for file, size in _whole(name):
            await _open(page, url, "", "en", ready)
            await self._picture(page, file, size)
        await _open(page, url, "", "en", ready)
        await _resize(page, DESK)

    async def _paper(self, page: Page, name: str, url: str, ready: Ready) -> None:
        """The pictures of a page that is made to be printed."""
        for theme, language in product(THEMES, LANGUAGES):
            await _open(page, url, theme, language, ready)
            for size in SIZES:
                await self._picture(page, Look(name, size, theme, language).file, size)

    async def _picture(self, page: Page, file: str, size: Size) -> None:
        await _resize(page, size)
        await page.screenshot(path=self.folder / file, animations="disabled", caret="hide")


def _whole(name: str) -> Iterator[tuple[str, Size]]:
    """The pictures at full size of this page."""
    return ((file, size) for file, (page, size) in WHOLE.items() if page == name)


async def _open(page: Page, url: str, theme: Theme | str, language: Language, ready: Ready) -> None:
    """Opens the page as somebody sees it who chose these colours, "" for none, and this language."""
    if not page.url.startswith("http"):
        await page.goto(url)
    await page.evaluate(CHOOSE_THEME, theme)
    host = urlsplit(url).hostname or ""
    await page.context.add_cookies([{"name": "language", "value": language, "domain": host, "path": "/"}])
    await page.goto(url)
    await ready(page)


async def _resize(page: Page, size: Size) -> None:
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    await page.evaluate(DRAWN)
