"""`python -m systemd.deb` builds the packages of this checkout."""

import argparse
import os
from pathlib import Path

from systemd.deb.build import build
from systemd.deb.packages import PACKAGES
from systemd.deb.sources import version

DIST = Path("dist")


def main() -> None:
    """Builds the packages and prints their paths."""
    parser = argparse.ArgumentParser(prog="python -m systemd.deb", description="Build the Debian packages.")
    parser.add_argument("--out", type=Path, default=DIST, help="the folder that they go to (default: dist)")
    parser.add_argument("--version", default=version(), help="another version than pyproject.toml's")
    parser.add_argument("--release-key", type=Path, help="the key that signs the list of the program's files")
    options = parser.parse_args()
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    for package in PACKAGES:
        print(build(package, options.out, options.version, epoch, options.release_key))


if __name__ == "__main__":
    main()
