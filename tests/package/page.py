"""The commands of docs/install.md, in order."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "install.md"
BY_HAND = "# at the table"
"""The end of a line that needs hardware, a screen or hands."""
INSTALL = "apt-get install --yes --no-install-recommends"
_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def commands() -> list[str]:
    """All lines of all shell blocks."""
    blocks = _BLOCK.findall(PAGE.read_text("utf-8"))
    return [line for block in blocks for line in block.splitlines() if line.strip()]


def run_here() -> list[str]:
    """The commands that a machine without a table can run."""
    return [line for line in commands() if not line.endswith(BY_HAND)]
