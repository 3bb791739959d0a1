"""The few SVG shapes that charts need. Lengths are pixels; y grows downwards."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
INK = "#1f2933"
FAINT = "#616e7c"
GRID = "#d9dfe5"

Anchor = Literal["start", "middle", "end"]

WIDTH = 900
LEFT = 76
RIGHT = 28
TOP = 112
"""What is left free around a chart for titles and scales."""


@dataclass(frozen=True, slots=True)
class Titles:
    """The titles of a chart. `description` is for screen readers."""

    title: str
    subtitle: str
    description: str = ""


def headed(height: float, titles: Titles, shapes: Iterable[str]) -> str:
    """A whole file with its titles."""
    description = f"<desc>{escape(titles.description)}</desc>" if titles.description else ""
    return _drawing(height, f"{titles.title}: {titles.subtitle}", (*_heads(titles), *shapes), description)


def rectangle(x: float, y: float, width: float, height: float, fill: str) -> str:
    return f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" fill="{fill}"/>'


def line(x1: float, y1: float, x2: float, y2: float, stroke: str = GRID) -> str:
    """One pixel wide."""
    return f'<line x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}" stroke="{stroke}"/>'


def dot(x: float, y: float, radius: float, fill: str) -> str:
    return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" fill="{fill}"/>'


def path(points: Sequence[tuple[float, float]], stroke: str, dashes: str = "") -> str:
    """A line through points, two pixels wide. `dashes`: lengths of dash and gap."""
    through = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<polyline points="{through}" fill="none" stroke="{stroke}" stroke-width="2"{dashed}/>'


def triangle(x: float, y: float, size: float, fill: str) -> str:
    """A triangle with its lower corner at x, y."""
    corners = ((x, y), (x - size / 2, y - size), (x + size / 2, y - size))
    through = " ".join(f"{_n(across)},{_n(down)}" for across, down in corners)
    return f'<polygon points="{through}" fill="{fill}"/>'


def text(
    x: float,
    y: float,
    words: str,
    size: int = 12,
    anchor: Anchor = "middle",
    fill: str = INK,
    *,
    bold: bool = False,
) -> str:
    """One line of text with its baseline at y."""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{_n(x)}" y="{_n(y)}" font-size="{size}" text-anchor="{anchor}" fill="{fill}"{weight}>'
        f"{escape(words)}</text>"
    )


def _drawing(height: float, title: str, shapes: Iterable[str], description: str) -> str:
    """`title` and `description` are for screen readers."""
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {_n(height)}"'
            f' width="{WIDTH}" height="{_n(height)}" role="img" font-family="{FONT}">',
            f"<title>{escape(title)}</title>{description}",
            rectangle(0, 0, WIDTH, height, "#ffffff"),
            *shapes,
            "</svg>\n",
        )
    )


def _heads(titles: Titles) -> Iterator[str]:
    yield text(LEFT, 38, titles.title, 20, "start", bold=True)
    yield text(LEFT, 62, titles.subtitle, 13, "start", FAINT)


def _n(value: float) -> str:
    """One decimal at most, so that the same figures give the same file."""
    return f"{value:.1f}".removesuffix(".0")
