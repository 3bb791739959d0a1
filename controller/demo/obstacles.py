"""What keeps a demonstration from being set up at all."""

import os
from pathlib import Path

from drivers.sim.usb import umockdev

MOST_FOLDER = 86
"""Bytes: a Unix socket's name has 107, and those in the folder are called up to "/shuffler.control.new"."""


def obstacle(folder: Path, *, usb: bool) -> str:
    """A sentence; empty where there is none."""
    length = len(os.fsencode(folder))
    if length > MOST_FOLDER:
        return f"folder {folder}: a name of {length} bytes; allowed: up to {MOST_FOLDER}, sockets lie in it"
    if usb:
        try:
            umockdev.check()
        except umockdev.UmockdevMissingError as error:
            return f"the shoe can not be on USB: {error}"
    return ""
