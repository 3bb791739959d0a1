"""`python -m tests.package.pipx`: pipx installs the wheel, and then the sdist, in a clean Debian without a
network, as root.

What they need comes from a folder of wheels, each with the hash that the lock names. Ends with status 1 when
a demonstration does not play there.
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
PLUGIN_ROUNDS = 3
INSTALL = f"""
set -e
export HOME=/root PIP_NO_INDEX=1 PIP_FIND_LINKS=/srv/wheels LANG=C.UTF-8
ip link set lo up
echo "Debian $(cat /etc/debian_version), pipx $(pipx --version)"
(cd /srv/wheels; wc --bytes tableside-*)
pipx install /srv/wheels/tableside-*.whl
"$HOME"/.local/bin/tableside --version
"$HOME"/.local/bin/tableside game new copper-jack --folder /tmp/copper-jack
pipx inject tableside /tmp/copper-jack
"$HOME"/.local/bin/tableside game list
"$HOME"/.local/bin/tableside demo --game copper-jack --rounds {PLUGIN_ROUNDS} --speed max --json
"$HOME"/.local/bin/tableside demo --rounds {ROUNDS} --json
export PIPX_HOME="$HOME"/sdist PIPX_BIN_DIR="$HOME"/sdist/bin
pipx install /srv/wheels/tableside-*.tar.gz
"$HOME"/sdist/bin/tableside demo --rounds {ROUNDS} --speed max --json
"""
"""The wheel plays at the speed of people, as `tableside demo` does by itself."""


def main() -> int:
    with TemporaryDirectory() as place:
        root = Path(place, "debian")
        include = f"--include={PACKAGES},iproute2"
        debian = ["mmdebstrap", "--quiet", "--variant=minbase", include, "bookworm", str(root)]
        subprocess.run(debian, check=True)
        _gather(root / "srv" / "wheels")
        played = _run(root, INSTALL)
    print(played)
    rounds = [json.loads(line)["rounds"] for line in played.splitlines() if line.startswith("{")]
    return 0 if rounds == [PLUGIN_ROUNDS, ROUNDS, ROUNDS] else 1


def _gather(folder: Path) -> None:
    """Wheel and sdist of this checkout, wheels of its libraries, and what pipx needs for an environment."""
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
