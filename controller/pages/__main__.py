"""Writes the generated sections into the pages of a folder, between their marks, and changes nothing else.

`python -m controller.pages [FOLDER]`; the default folder is docs/.
"""

import sys
from pathlib import Path

from controller.pages.contents import pages
from controller.pages.markdown import regenerate

DOCS = Path(__file__).parents[2] / "docs"


def write(folder: Path) -> None:
    """Raises WrongMarks if a page does not have the marks of its sections."""
    for name, parts in pages().items():
        page = folder / name
        page.write_text(regenerate(page.read_text("utf-8"), parts), "utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS)
