"""Takes the pictures of all pages, measures the pages, and writes both into docs/.

`python -m tests.browser.pictures [PART ...]`; the parts are table, simulator and floor. With only some of
them, the pictures are in build/pictures, to be looked at. Exits 1 if a page has a fault.
"""

import argparse
import asyncio
import shutil
import sys
from collections.abc import Awaitable, Callable, Collection, Mapping
from pathlib import Path
from typing import Final

from tests.browser.pictures.catalogue import DOCS, PICTURES, SHEETS, WHOLE
from tests.browser.pictures.floor_pages import picture_floor
from tests.browser.pictures.photographer import Measured, Photographer
from tests.browser.pictures.sheets import make_sheets
from tests.browser.pictures.table_pages import picture_simulator, picture_table
from tests.browser.pictures.writing import fault_lines, write_gallery, write_measured
from tests.fixtures.chromium import chromium, shared_in_this_loop
from tests.fixtures.process_table import fork_server

FOLDER: Final = DOCS.parent / "build" / "pictures"
PARTS: Final[Mapping[str, Callable[[Photographer], Awaitable[None]]]] = {
    "table": picture_table,
    "simulator": picture_simulator,
    "floor": picture_floor,
}


def main(parts: Collection[str]) -> int:
    """Takes the pictures of these parts; returns the exit status."""
    sheets = FOLDER / SHEETS.name
    sheets.mkdir(parents=True, exist_ok=True)
    with fork_server():
        measured = asyncio.run(_take(parts, sheets))
    if set(parts) == set(PARTS):
        shutil.rmtree(PICTURES)
        shutil.copytree(sheets, SHEETS)
        for file in WHOLE:
            shutil.copy(FOLDER / file, PICTURES / file)
        write_gallery(DOCS / "gallery.md")
        write_measured(DOCS / "look.md", measured)
    faults = fault_lines(measured)
    print(*faults, sep="\n")
    return 1 if faults else 0


async def _take(parts: Collection[str], sheets: Path) -> Mapping[str, Measured]:
    """Takes the pictures, and makes the sheets of the pages of these parts."""
    photographer = Photographer(FOLDER)
    async with shared_in_this_loop(), chromium() as browser:
        for part in parts:
            await PARTS[part](photographer)
        await make_sheets(browser, FOLDER, sheets, photographer.taken)
    return photographer.measured


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"one of {', '.join(PARTS)}")
    chosen = parser.parse_args().parts
    if unknown := set(chosen) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    sys.exit(main(chosen or [*PARTS]))
