"""The logo of the house: a PNG, or an SVG that only draws.

Browsers run no script of a picture and load nothing for it; but somebody may open its address as a page. So
an SVG has only elements that draw, and nothing in it leads elsewhere.
"""

import base64
import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal
from xml.parsers import expat

from controller.config.faults import Fault, located
from controller.config.reading import ConfigError, file_text
from controller.config.section import toml_text
from controller.config.web import WebSection

MOST_BYTES: Final = 256 * 1024
MOST_PIXELS: Final = 4096
ALLOWED: Final = (
    f"a PNG or SVG picture of at most {MOST_BYTES // 1024} kB; an SVG without scripts, styles of other files "
    "and links"
)
SVG: Final = "http://www.w3.org/2000/svg"
DRAWING: Final = frozenset(
    {"svg", "g", "defs", "symbol", "use", "title", "desc", "style"}
    | {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan"}
    | {"linearGradient", "radialGradient", "stop", "clipPath", "mask", "pattern"}
)
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_HEADER: Final = struct.Struct(">8s4x4sII")
_NUMBER: Final = re.compile(r"\s*([0-9.]+)(?:px)?\s*")
_LEADS_ELSEWHERE: Final = re.compile(r"url\(\s*['\"]?(?!#|['\"\s])|@import|javascript:", re.IGNORECASE)
Kind = Literal["png", "svg"]
MEDIA_TYPES: Final[Mapping[Kind, str]] = {"png": "image/png", "svg": "image/svg+xml"}


class LogoError(Exception):
    """The file is not a logo; the message says why, and what is allowed."""


@dataclass(frozen=True, slots=True)
class Logo:
    """A picture, and its width divided by its height."""

    kind: Kind
    picture: bytes
    aspect: float

    @property
    def digest(self) -> str:
        """Differs for other pictures."""
        return sha256(self.picture).hexdigest()[:12]

    @property
    def media_type(self) -> str:
        return MEDIA_TYPES[self.kind]

    @property
    def data_address(self) -> str:
        """The picture itself as an address, for a page that loads nothing."""
        return f"data:{self.media_type};base64,{base64.b64encode(self.picture).decode()}"


def read_logo(path: Path) -> Logo:
    """The logo in this file. Raises LogoError."""
    try:
        with path.open("rb") as file:
            picture = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise _fault(f"cannot be read: {error.strerror}") from None
    if len(picture) > MOST_BYTES:
        raise _fault("is too large")
    return _png(picture) if picture.startswith(_PNG) else _svg(picture)


def require_logo(path: Path, web: WebSection) -> None:
    """Check the logo of a configuration that was read from `path`. Raises ConfigError unless it has none or
    its file is a picture that the pages may show."""
    if not web.logo:
        return
    try:
        read_logo(Path(web.logo))
    except LogoError as error:
        fault = Fault(f"web.logo = {toml_text(web.logo)}: {error}", (("web", "logo"),))
        raise ConfigError(located(path, file_text(path), (fault,))) from error


def _fault(why: str) -> LogoError:
    return LogoError(f"{why}; allowed: {ALLOWED}")


def _png(picture: bytes) -> Logo:
    if len(picture) < _HEADER.size:
        raise _fault("is only the beginning of a PNG")
    _, chunk, width, height = _HEADER.unpack_from(picture)
    if chunk != b"IHDR" or not (0 < width <= MOST_PIXELS and 0 < height <= MOST_PIXELS):
        raise _fault(f"is a PNG of {width} x {height} pixels")
    return Logo("png", picture, width / height)


def _svg(picture: bytes) -> Logo:
    reader = _SvgReader()
    try:
        reader.parser.Parse(picture, True)
    except expat.ExpatError as error:
        raise _fault(f"is neither PNG nor SVG: {error}") from None
    return Logo("svg", picture, _aspect(reader.root))


class _SvgReader:
    """Refuses everything that does not draw. `root`: the attributes of the outermost element."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartElementHandler = self._element
        self.parser.CharacterDataHandler = self._text
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.ProcessingInstructionHandler = self._instruction
        self.root: dict[str, str] = {}
        self._depth = 0

    def _element(self, name: str, attributes: dict[str, str]) -> None:
        namespace, _, local = name.rpartition(" ")
        if namespace != SVG or local not in DRAWING:
            raise _fault(f"has the element {local}")
        if not self._depth:
            if local != "svg":
                raise _fault(f"has the element {local} around its picture")
            self.root = attributes
        self._depth += 1
        for found in _leading_attributes(attributes):
            raise _fault(f"has the attribute {found} in the element {local}")

    def _text(self, text: str) -> None:
        if _LEADS_ELSEWHERE.search(text):
            raise _fault("has a style that leads elsewhere")

    def _doctype(self, *_declaration: object) -> None:
        raise _fault("has a document type")

    def _instruction(self, target: str, _text: str) -> None:
        raise _fault(f"has the instruction {target}")


def _leading_attributes(attributes: Mapping[str, str]) -> Iterator[str]:
    """The attributes that run something or lead out of the file."""
    for name, value in attributes.items():
        local = name.rpartition(" ")[2]
        leads = local == "href" and not value.startswith("#")
        if leads or local.lower().startswith("on") or _LEADS_ELSEWHERE.search(value):
            yield local


def _aspect(root: Mapping[str, str]) -> float:
    """Raises LogoError if the picture does not say how large it is."""
    box = root.get("viewBox", "").replace(",", " ").split()
    sizes = box[2:] if len(box) == 4 else [root.get("width", ""), root.get("height", "")]
    found = [float(size[1]) for text in sizes if (size := _NUMBER.fullmatch(text))]
    if len(found) != 2 or not all(found):
        raise _fault("does not say how large its picture is: it needs viewBox, or width and height")
    return found[0] / found[1]
