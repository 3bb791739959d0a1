"""The branding of the house: a style sheet with its felt, its name and its logo, and the logo itself.

Every page links the style sheet. The names in it are those of tokens.css.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from controller.config.felt import DEFAULT, shades
from controller.config.logo import Logo, LogoError, read_logo
from controller.config.web import WebSection
from controller.monitor.server.static_files import FOR_A_YEAR
from controller.past.slips.letterhead import Letterhead

PATH: Final = "/house"
PICTURE_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
"""For somebody who opens the logo as a page: it may have styles, and nothing else."""


@dataclass(frozen=True, slots=True)
class House:
    """What a house has chosen. `fault`: why its logo is not shown; empty if it is, or if it has none."""

    name: str = ""
    felt: str = DEFAULT
    logo: Logo | None = None
    fault: str = ""

    @property
    def letterhead(self) -> Letterhead:
        """For papers of the house."""
        return Letterhead(self.name, self.logo.data_address if self.logo else "")

    @property
    def style(self) -> str:
        """The style sheet."""
        found = shades(self.felt)
        tokens = {
            "felt": found.felt,
            "felt-light": found.light,
            "felt-dark": found.dark,
            "felt-edge": found.edge,
        }
        if self.logo:
            tokens["house-content"] = f'"" / {_css_text(self.name)}'
            tokens["house-logo"] = f'url("{PATH}/logo.{self.logo.kind}?{self.logo.digest}")'
            tokens["house-aspect"] = f"{self.logo.aspect:.4f}"
            tokens["house-align"] = "middle"
        elif self.name:
            tokens["house-content"] = _css_text(self.name)
        return ":root {\n" + "".join(f"  --{name}: {value};\n" for name, value in tokens.items()) + "}\n"

    @property
    def style_address(self) -> str:
        """The address of the style sheet; differs for other style sheets."""
        return _style_address(self)


NO_HOUSE: Final = House()


def no_house() -> House:
    return NO_HOUSE


@lru_cache(1)
def _style_address(house: House) -> str:
    return f"{PATH}/style.css?{sha256(house.style.encode()).hexdigest()[:12]}"


def house_of(web: WebSection) -> House:
    """The branding in this section, without a logo that cannot be used."""
    house = House(web.house, web.felt)
    if not web.logo:
        return house
    try:
        return House(web.house, web.felt, read_logo(Path(web.logo)))
    except LogoError as error:
        return House(web.house, web.felt, fault=f"{web.logo} {error}")


def house_files(house: Callable[[], House]) -> ASGIApp:
    """Serves the style sheet and the logo of the house as it is now, to be mounted at PATH."""

    async def style(_request: Request) -> Response:
        return Response(house().style, media_type="text/css")

    async def picture(request: Request) -> Response:
        logo = house().logo
        if not logo or logo.kind != request.path_params["kind"]:
            raise HTTPException(404)
        headers = {"Cache-Control": FOR_A_YEAR, "Content-Security-Policy": PICTURE_POLICY}
        return Response(logo.picture, media_type=logo.media_type, headers=headers)

    return Starlette(routes=[Route("/style.css", style), Route("/logo.{kind}", picture)])


def _css_text(text: str) -> str:
    """As a string in a style sheet. Configured texts have no characters that cannot be seen."""
    return json.dumps(text, ensure_ascii=False)
