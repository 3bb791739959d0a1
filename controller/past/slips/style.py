"""The style sheet of a slip, and the Content-Security-Policy that allows it."""

import base64
import hashlib
from functools import cache
from pathlib import Path

TEMPLATES = Path(__file__).parent / "templates"


@cache
def style() -> str:
    return (TEMPLATES / "slip.css").read_text("utf-8")


@cache
def policy() -> str:
    """A policy that allows the style sheet and the logo of the page, and nothing else."""
    digest = base64.b64encode(hashlib.sha256(style().encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    )
