"""What the docs say of the pictures: the page with all sheets, and the table of what was measured."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from controller.pages.markdown import table
from tests.browser.pictures.catalogue import PAGES, PAPER, SHEETS, SIZES, THEMES, Size, sheet_name, size_text
from tests.browser.pictures.photographer import Measured

GENERATED: Final = re.compile(
    r"(?<=^<!-- made by `make pictures` -->\n).*?(?=^<!-- end -->$)", re.DOTALL | re.MULTILINE
)
HEAD: Final = (
    "page",
    "smallest target",
    "which, and where",
    *(f"lowest contrast: {title.lower()}" for title in THEMES.values()),
    "faults",
)
NAME: Final = 24
"""Most characters of the words on a target."""


def write_gallery(page: Path) -> None:
    """Writes the sheets of all pages into this page."""
    _write(page, "\n\n".join(_section(name, title, page) for name, title in PAGES.items()))


def write_measured(page: Path, measured: Mapping[str, Measured]) -> None:
    """Writes the table of what was measured into this page."""
    _write(page, table(HEAD, (_row(PAGES[name], measured[name]) for name in PAGES if name not in PAPER)))


def fault_lines(measured: Mapping[str, Measured]) -> list[str]:
    """Each fault after the name of its page."""
    return [f"{name}: {fault}" for name, found in measured.items() for fault in found.faults]


def gallery_files(text: str) -> set[str]:
    """The names of the sheets that the page of all sheets shows."""
    return set(re.findall(rf"\({SHEETS.parent.name}/{SHEETS.name}/([^)]+)\)", text))


def _write(page: Path, text: str) -> None:
    page.write_text(GENERATED.sub(lambda _: f"\n{text}\n\n", page.read_text("utf-8")), "utf-8")


def _section(name: str, title: str, page: Path) -> str:
    """The heading and the sheets of one page."""
    folder = SHEETS.relative_to(page.parent)
    sheets = [
        f"{_size(size)}, {kind}:\n\n![{title}, {_size(size)}]({folder}/{sheet_name(name, size)})"
        for size, kind in SIZES.items()
    ]
    return "\n\n".join((f"### {title}", *sheets))


def _row(title: str, found: Measured) -> tuple[str, ...]:
    target, place = "none", "nobody touches it"
    if found.target:
        target = f"{round(found.target.width)} x {round(found.target.height)} px"
        place = f"{_words(found.target.name)}, at {size_text(found.target_size)}"
    return title, target, place, *(f"{found.contrast[theme]:.1f}" for theme in THEMES), str(len(found.faults))


def _size(size: Size) -> str:
    return f"{size[0]} x {size[1]}"


def _words(name: str) -> str:
    """The words on a target, in one line that a table can hold."""
    line = " ".join(name.split()).replace("|", "/")
    return line if len(line) <= NAME else f"{line[:NAME].rstrip()} …"
