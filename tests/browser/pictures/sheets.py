"""Contact sheets: the four looks of a page at one size, beside each other and large enough to be read."""

import base64
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Final

from playwright.async_api import Browser, Page

from tests.browser.pictures.catalogue import LANGUAGES, SIZES, THEMES, Look, Size, sheet_name

WIDTH: Final = {True: 390, False: 790}
"""Pixels of a look on a sheet, by whether it is higher than wide: a phone is shown at its full size."""
COLUMNS: Final = {True: 4, False: 2}
"""Looks in a row, by the same: a sheet is some 1,600 pixels wide."""
QUALITY: Final = 40
"""Of the JPEG files, 0 to 100: letters stay clear, and a sheet has some 120 kB."""
STYLE: Final = """
body { margin: 0; background: #8b938f; font: 600 13px/20px "Liberation Sans", sans-serif; color: #000; }
main { display: inline-grid; gap: 6px; padding: 6px; }
.columns-2 { grid-template-columns: repeat(2, auto); }
.columns-4 { grid-template-columns: repeat(4, auto); }
figure, figcaption { margin: 0; }
img { display: block; height: auto; }
"""


async def make_sheets(browser: Browser, pictures: Path, sheets: Path, names: Iterable[str]) -> None:
    """Makes the sheets of these pages, one for each size, from the pictures of a folder."""
    page = await browser.new_page(viewport={"width": 1640, "height": 1200})
    for name in names:
        for size in SIZES:
            await _make(page, pictures, name, size, sheets / sheet_name(name, size))
    await page.close()


async def _make(page: Page, pictures: Path, name: str, size: Size, sheet: Path) -> None:
    looks = "".join(
        _figure(pictures / Look(name, size, theme, language).file, f"{colours}, {tongue}", size)
        for theme, colours in THEMES.items()
        for language, tongue in LANGUAGES.items()
    )
    await page.set_content(
        f"<style>{STYLE}</style><main class='columns-{COLUMNS[_is_high(size)]}'>{looks}</main>"
    )
    await page.locator("main").screenshot(path=sheet, type="jpeg", quality=QUALITY)


def _figure(picture: Path, caption: str, size: Size) -> str:
    data = base64.b64encode(picture.read_bytes()).decode()
    width = WIDTH[_is_high(size)]
    return (
        f'<figure><figcaption>{escape(caption)}</figcaption><img width="{width}" alt="" '
        f'src="data:image/png;base64,{data}"></figure>'
    )


def _is_high(size: Size) -> bool:
    return size[1] > size[0]
