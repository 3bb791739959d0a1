"""The style sheets of all pages: colours have one place, and the font comes with the pages."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from controller.demo.simulator.application import OWN_STATIC as SIMULATOR
from controller.floor.pages.rendering import STATIC as FLOOR
from controller.monitor.paths import STATIC
from tests.fixtures.web_server import web_server

TOKENS: Final = STATIC / "tokens.css"
OTHERS: Final = sorted({*STATIC.glob("*.css"), *FLOOR.glob("*.css"), *SIMULATOR.glob("*.css")} - {TOKENS})
COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
SELECTED: Final = re.compile(r"\[[^]]*]")
"""As in `[fill="#ffffff"]`, which finds a part of a drawing for paper."""
LITERAL: Final = re.compile(
    r"#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(|(?<![-\w])(?:white|black|red|green|gray)(?![-\w])",
    re.IGNORECASE,
)
NAMED: Final = re.compile(r"(--[a-z][a-z0-9-]*)\s*:")
USED: Final = re.compile(r"var\((--[a-z][a-z0-9-]*)")
TEMPLATES: Final = sorted((Path(STATIC).parents[1]).rglob("templates/**/*.html"))
ICON: Final = re.compile(r'icons\.svg#([a-z-]+)|\b(?:icon|empty)\("([a-z-]+)"')
FONT: Final = "fonts/inter-3.19.woff2"


def declarations(css: str) -> Iterator[str]:
    """What stands between braces, without comments and selectors."""
    return (found.group(1) for found in re.finditer(r"\{([^{}]*)\}", COMMENT.sub("", css)))


def literal_colours(css: str) -> list[str]:
    return [line.strip() for block in declarations(css) for line in block.split(";") if LITERAL.search(line)]


def test_only_the_tokens_have_colours() -> None:
    assert {sheet.name: found for sheet in OTHERS if (found := literal_colours(sheet.read_text()))} == {}


@pytest.mark.parametrize(
    "rule", ["color: #fff", "background: rgb(0 0 0 / 16%)", "border: 1px solid black", "fill: HSL(0 0% 0%)"]
)
def test_a_colour_in_a_style_sheet_is_found(rule: str) -> None:
    assert literal_colours(f'/* black */ .a[fill="#fff"] {{ margin: 0; {rule} }} #add {{ gap: 0; }}') == [
        rule
    ]


def test_every_custom_property_that_is_used_exists_and_every_token_is_used() -> None:
    sheets = {sheet: COMMENT.sub("", sheet.read_text()) for sheet in (TOKENS, *OTHERS)}
    used = {name for css in sheets.values() for name in USED.findall(css)}
    named = {name for css in sheets.values() for name in NAMED.findall(css)}
    assert used - named == set()
    assert set(NAMED.findall(sheets[TOKENS])) - used == set()


async def test_browsers_may_load_the_font_and_keep_it() -> None:
    async with web_server() as house:
        page, font = await house.client.get("/"), await house.client.get(f"/static/{FONT}")
    assert f'href="/static/{FONT}"' in page.text
    assert f'url("{FONT}")' in TOKENS.read_text()
    assert "font-src 'self'" in page.headers["content-security-policy"].split("; ")
    assert font.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert font.content[:4] == b"wOF2"
    assert len(font.content) < 150_000


def test_the_licence_of_the_font_is_beside_it() -> None:
    licence = Path(STATIC / FONT).with_name("OFL.txt").read_text()
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert Path(FONT).name in licence


def test_every_icon_is_one_of_the_set_and_every_one_of_the_set_is_used() -> None:
    texts = (template.read_text() for template in TEMPLATES)
    used = {one or other for text in texts for one, other in ICON.findall(text)}
    assert used == set(re.findall(r'<symbol id="([a-z-]+)"', (STATIC / "icons.svg").read_text()))
    assert "ISC License" in (STATIC / "icons.LICENSE").read_text()
