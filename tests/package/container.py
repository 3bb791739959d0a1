"""`python -m tests.package.container`: builds the image twice, and runs its command in namespaces, as root.

The image is read here by the specification alone. Ends with status 1 when the demonstration does not play,
or when the second image has other bytes.
"""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from systemd.oci.__main__ import build
from tests.package.image import read_image

ROUNDS = 20
APART = ("unshare", "--mount", "--pid", "--net", "--ipc", "--uts", "--fork", "--kill-child")
START = """
set -e
ip link set lo up
mount --make-rprivate /
mount -t proc proc "$1/proc"
mount -t tmpfs -o mode=1777 tmpfs "$1/tmp"
mount -t tmpfs -o mode=755 tmpfs "$1/dev"
mkdir "$1/dev/pts" "$1/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$1/dev/shm"
ln -s pts/ptmx "$1/dev/ptmx"
for device in null zero full random urandom; do
  touch "$1/dev/$device"; mount --bind "/dev/$device" "$1/dev/$device"
done
root=$1 user=$2; shift 2
exec chroot --userspec="$user" "$root" "$@"
"""


def main() -> int:
    with TemporaryDirectory() as place:
        folder = Path(place)
        build(folder / "image", 0)
        build(folder / "again", 0)
        one, other = ((folder / name / "index.json").read_bytes() for name in ("image", "again"))
        image = read_image(folder / "image")
        image.unpack(folder / "root")
        demo = [*image.settings["Entrypoint"], "demo", "--rounds", str(ROUNDS), "--speed", "max", "--json"]
        started = ["sh", "-c", START, "sh", str(folder / "root"), image.settings["User"]]
        played = subprocess.run(
            [*APART, *started, "/usr/bin/env", "-i", *image.settings["Env"], *demo],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout
        size = sum(file.stat().st_size for file in (folder / "image").rglob("*") if file.is_file())
    print(played, f"{size} bytes", "the same bytes" if one == other else "OTHER BYTES", sep="\n")
    return 0 if one == other and json.loads(played.splitlines()[-1])["rounds"] == ROUNDS else 1


if __name__ == "__main__":
    sys.exit(main())
