"""The real command."""

import subprocess
import sys


def tableside(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `tableside` to its end."""
    return subprocess.run(
        [sys.executable, "-m", "controller", *arguments],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
