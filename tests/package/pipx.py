"""`python -m tests.package.pipx`: pipx installs the wheel in a clean Debian without a network, as root.

What it needs comes from a folder of wheels, each with the hash that the lock names. Ends with status 1 when
the demonstration does not play there.
"""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from systemd.deb import sources
from systemd.wheels import build

PACKAGES = "pipx,python3-venv"
ROUNDS = 20
INSTALL = f"""
set -e
export HOME=/root PIP_NO_INDEX=1 PIP_FIND_LINKS=/srv/wheels LANG=C.UTF-8
ip link set lo up
pipx install /srv/wheels/tableside-*.whl
/root/.local/bin/tableside --version
/root/.local/bin/tableside game new copper-jack --folder /tmp/copper-jack
pipx inject tableside /tmp/copper-jack
/root/.local/bin/tableside game list
/root/.local/bin/tableside demo --game copper-jack --rounds 3 --speed max --json
/root/.local/bin/tableside demo --rounds {ROUNDS} --speed max --json
"""


def main() -> int:
    with TemporaryDirectory() as place:
        root = Path(place, "debian")
        include = f"--include={PACKAGES},iproute2"
        debian = ["mmdebstrap", "--quiet", "--variant=minbase", include, "bookworm", str(root)]
        subprocess.run(debian, check=True)
        _gather(root / "srv" / "wheels")
        played = _run(root, INSTALL)
    print(played)
    figures = json.loads(played.splitlines()[-1])
    return 0 if figures["rounds"] == ROUNDS else 1


def _gather(folder: Path) -> None:
    """The wheel of this checkout, those of its libraries, and what pipx needs for an environment."""
    folder.mkdir()
    build(folder, sources.version(), 0)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "wheel"]
    pip += ["--no-deps", "--wheel-dir", str(folder)]
    subprocess.run([*pip, "--require-hashes", "-r", str(sources.LOCK)], check=True)
    subprocess.run([*pip, "pip", "setuptools", "wheel", "packaging"], check=True)


def _run(root: Path, script: str) -> str:
    """The output of a script in the root, which has no network but loopback. Raises CalledProcessError."""
    apart = ["unshare", "--mount", "--pid", "--net", "--fork", "--mount-proc", f"--root={root}"]
    mounts = "mount -t proc proc /proc; mount -t devpts -o newinstance,ptmxmode=0666 devpts /dev/pts; "
    done = subprocess.run(
        [*apart, "sh", "-c", mounts + script], stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
