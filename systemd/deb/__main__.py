"""`python -m systemd.deb` builds the package of this checkout."""

import argparse
import os
from pathlib import Path

from systemd.deb.build import build
from systemd.deb.sources import version

DIST = Path("dist")


def main() -> None:
    """Builds the package and prints its path."""
    parser = argparse.ArgumentParser(prog="python -m systemd.deb", description="Build the Debian package.")
    parser.add_argument("--out", type=Path, default=DIST, help="the folder that it goes to (default: dist)")
    parser.add_argument("--version", default=version(), help="another version than pyproject.toml's")
    parser.add_argument("--release-key", type=Path, help="the key that signs the list of the program's files")
    options = parser.parse_args()
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    print(build(options.out, options.version, epoch, options.release_key))


if __name__ == "__main__":
    main()
