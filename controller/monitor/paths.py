"""Folders of the web server's files."""

from pathlib import Path

STATIC = Path(__file__).parent / "static"
