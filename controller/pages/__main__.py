"""Writes what the pages say of the rules into a folder, between the marks; all else in them stays.

`python -m controller.pages [FOLDER]`; the folder is docs/ unless another is named.
"""

import sys
from pathlib import Path

from controller.pages.contents import pages
from controller.pages.markdown import regenerate

DOCS = Path(__file__).parents[2] / "docs"


def write(folder: Path) -> None:
    """Renews every page; raises WrongParts where the marks of one are not as they must be."""
    for name, parts in pages().items():
        page = folder / name
        page.write_text(regenerate(page.read_text("utf-8"), parts), "utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS)
