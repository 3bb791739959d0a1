"""The style sheet that is part of a slip, and what a browser is to allow a slip for its sake."""

import base64
import hashlib
from functools import cache
from pathlib import Path

TEMPLATES = Path(__file__).parent / "templates"


@cache
def style() -> str:
    """Its style sheet, which is part of the page."""
    return (TEMPLATES / "slip.css").read_text("utf-8")


@cache
def policy() -> str:
    """What a browser is to allow the page: its own style, and nothing else."""
    digest = base64.b64encode(hashlib.sha256(style().encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
