"""The colour of the felt on the pages: its shades, and whether the texts on it can be read."""

import colorsys
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}")
DEFAULT: Final = "#135239"
TEXTS: Final[Mapping[str, str]] = {
    "felt-ink": "#d5e8de",
    "felt-quiet": "#b5cabf",
    "felt-bad": "#ffaaa2",
}
"""The faintest texts on the felt, by their names in tokens.css."""
LEAST: Final = 4.5
"""The contrast of a text (WCAG 2.2, 1.4.3)."""
LEAST_AT_THE_TOP: Final = 3.0
"""That on the light spot at the top of the felt, where texts are large."""
STEP: Final = 0.01
"""Lightness by which a darker colour is looked for."""


@dataclass(frozen=True, slots=True)
class Shades:
    """The four colours of a felt, each as #rrggbb. `light`: at the top; `dark`: at the bottom."""

    felt: str
    light: str
    dark: str
    edge: str


def shades(felt: str) -> Shades:
    """The shades of a felt of this colour."""
    hue, lightness, saturation = colorsys.rgb_to_hls(*_channels(felt))
    return Shades(
        felt.lower(),
        _colour(hue, lightness + 0.06, saturation),
        _colour(hue, lightness * 0.575, saturation),
        _colour(hue, lightness + 0.098, saturation * 0.67),
    )


def faint_texts(felt: str) -> Iterator[str]:
    """For each text that cannot be read on a felt of this colour, a phrase with its colour and contrast."""
    found = shades(felt)
    for text in TEXTS.values():
        for ground, least in ((found.felt, LEAST), (found.light, LEAST_AT_THE_TOP)):
            if (measured := contrast(text, ground)) < least:
                yield f"the text {text} has a contrast of {measured:.1f} on {ground}, and needs {least}"


def readable(felt: str) -> str:
    """The nearest darker colour on which every text can be read; `felt` itself if it is such a colour."""
    hue, lightness, saturation = colorsys.rgb_to_hls(*_channels(felt))
    while any(faint_texts(felt)):
        lightness = max(0.0, lightness - STEP)
        felt = _colour(hue, lightness, saturation)
    return felt


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21 (WCAG 2.2, contrast ratio)."""
    dark, light = sorted(map(_luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    """WCAG 2.2, relative luminance."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in _channels(colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _channels(colour: str) -> tuple[float, float, float]:
    """Red, green and blue, each from 0 to 1."""
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red / 255, green / 255, blue / 255


def _colour(hue: float, lightness: float, saturation: float) -> str:
    parts = colorsys.hls_to_rgb(hue, min(1.0, lightness), saturation)
    return "#" + bytes(round(part * 255) for part in parts).hex()
