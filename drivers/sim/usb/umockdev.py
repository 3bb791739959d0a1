"""umockdev's library through Debian's `gi`, which is installed for another Python than ours.

Of all that Debian has installed for its Python, only this package is loaded. Nothing is written anywhere.
"""

import importlib
import importlib.util
import os
import shutil
import sys
import warnings
from pathlib import Path
from typing import Any

WRAPPER = "umockdev-wrapper"
"""Runs a command with the testbed of $UMOCKDEV_DIR as its /sys, /dev/bus/usb and udev."""
PACKAGES = "umockdev gir1.2-umockdev-1.0 python3-gi"
INSTALL = f"install as root: apt-get install --no-install-recommends {PACKAGES}"
GI = Path("/usr/lib/python3/dist-packages/gi")


class UmockdevMissingError(Exception):
    """umockdev is not installed, or not for this version of Python."""


def check() -> None:
    """Raises UmockdevMissingError, which says what to install."""
    if shutil.which(WRAPPER) is None:
        raise UmockdevMissingError(f"no {WRAPPER}: {INSTALL}")
    library()


def library() -> Any:
    """The module UMockdev. Raises UmockdevMissingError, which says what to install."""
    try:
        if "gi" not in sys.modules and importlib.util.find_spec("gi") is None:
            _borrow_gi()
        importlib.import_module("gi").require_version("UMockdev", "1.0")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ImportWarning)  # Debian 12's gi imports in the way of Python 3.3
            return importlib.import_module("gi.repository.UMockdev")
    except (ImportError, OSError, ValueError) as error:
        sys.modules.pop("gi", None)
        raise UmockdevMissingError(
            f"umockdev cannot be used ({error}): {INSTALL};"
            " Debian's Python must be of the same version as this one"
        ) from error


def preloaded() -> bool:
    """Whether this process runs under WRAPPER."""
    return "umockdev-preload" in os.environ.get("LD_PRELOAD", "")


def _borrow_gi() -> None:
    spec = importlib.util.spec_from_file_location(
        "gi", GI / "__init__.py", submodule_search_locations=[str(GI)]
    )
    if spec is None or spec.loader is None:
        raise ImportError("no gi")
    sys.modules["gi"] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
