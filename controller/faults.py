"""What a command says when it cannot do what it was asked, and the status that it ends with."""

import sys

FAILED, USAGE = 1, 2
"""It was asked rightly and could not; it was asked wrongly."""


def say(*faults: str) -> None:
    """Each on a line of its own."""
    for fault in faults:
        print(f"tableside: {fault}", file=sys.stderr)
