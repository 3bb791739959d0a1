"""The pictures in docs/: every page has its sheets, the docs show them, and what was measured is good."""

import re
from pathlib import Path
from typing import Final

import pytest

from tests.browser.pictures.catalogue import DOCS, PAGES, PAPER, PICTURES, SHEETS, SIZES, WHOLE, sheet_name
from tests.browser.pictures.writing import gallery_files
from tests.fixtures.page_targets import LEAST

MOST_BYTES: Final = 18_000_000
"""Of all pictures: whoever clones the repository loads them."""
LEAST_CONTRAST: Final = {"light": 4.5, "contrast": 7.0}
"""What docs/look.md promises of each text."""
MEASURED: Final = [title for name, title in PAGES.items() if name not in PAPER]
JPEG, PNG = b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n"


def measured() -> dict[str, list[str]]:
    """The cells of the table of docs/look.md by the title of the page."""
    text = (DOCS / "look.md").read_text("utf-8").partition("<!-- made by `make pictures` -->")[2]
    rows = (line.strip("| \n").split(" | ") for line in text.partition("<!-- end -->")[0].splitlines())
    return {cells[0]: cells[1:] for cells in rows if len(cells) > 1 and cells[0] != "page"}


def test_every_page_has_a_sheet_for_each_size_and_there_are_no_others() -> None:
    wanted = {sheet_name(page, size) for page in PAGES for size in SIZES}
    assert {file.name for file in SHEETS.iterdir()} == wanted
    assert {file.name for file in PICTURES.iterdir() if file.is_file()} == set(WHOLE)


def test_the_gallery_shows_every_sheet_under_the_title_of_its_page() -> None:
    text = (DOCS / "gallery.md").read_text("utf-8")
    assert gallery_files(text) == {file.name for file in SHEETS.iterdir()}
    assert re.findall(r"^### (.+)$", text, re.MULTILINE) == [*PAGES.values()]


def test_the_guide_shows_every_picture_at_full_size() -> None:
    guide = (DOCS / "operators-guide.md").read_text("utf-8")
    assert set(re.findall(r"\(pictures/([^)]+)\)", guide)) == set(WHOLE)


def test_the_pictures_are_pictures_and_small() -> None:
    files = [*SHEETS.iterdir(), *(PICTURES / file for file in WHOLE)]
    assert [file.name for file in files if not _is_picture(file)] == []
    assert sum(file.stat().st_size for file in files) < MOST_BYTES


def _is_picture(file: Path) -> bool:
    return file.read_bytes().startswith(JPEG if file.suffix == ".jpg" else PNG)


def test_every_page_was_measured() -> None:
    assert measured().keys() == set(MEASURED)


@pytest.mark.parametrize("page", MEASURED)
def test_a_page_has_large_targets_clear_texts_and_no_fault(page: str) -> None:
    target, _, light, contrast, faults = measured()[page]
    sides = [int(side) for side in re.findall(r"\d+", target)]
    assert all(side >= LEAST for side in sides)
    assert float(light) >= LEAST_CONTRAST["light"]
    assert float(contrast) >= LEAST_CONTRAST["contrast"]
    assert faults == "0"
