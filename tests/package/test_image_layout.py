"""An image layout of a small root, read by the specification."""

import os
from pathlib import Path

from systemd.oci.__main__ import SETTINGS
from systemd.oci.layout import Image, write_layout
from tests.package.image import read_image

IMAGE = Image("1.2.3", "amd64", 1_700_000_000, SETTINGS)


def small_root(folder: Path) -> Path:
    root = folder / "root"
    (root / "bin").mkdir(parents=True)
    (root / "tmp").mkdir()
    (root / "tmp").chmod(0o1777)
    (root / "bin" / "run").write_text("#!/bin/sh\n")
    (root / "bin" / "run").chmod(0o755)
    (root / "bin" / "again").hardlink_to(root / "bin" / "run")
    (root / "sh").symlink_to("bin/run")
    return root


def test_an_image_holds_the_files_of_its_root(tmp_path: Path) -> None:
    write_layout(IMAGE, small_root(tmp_path), tmp_path / "image")
    read_image(tmp_path / "image").unpack(tmp_path / "unpacked")
    unpacked = tmp_path / "unpacked"
    assert sorted(path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*")) == [
        "bin",
        "bin/again",
        "bin/run",
        "sh",
        "tmp",
    ]
    assert (unpacked / "bin" / "run").read_text() == "#!/bin/sh\n"
    assert (unpacked / "bin" / "run").stat().st_mode & 0o7777 == 0o755
    assert (unpacked / "bin" / "run").samefile(unpacked / "bin" / "again")
    assert (unpacked / "tmp").stat().st_mode & 0o7777 == 0o1777
    assert (unpacked / "sh").readlink() == Path("bin/run")
    assert (unpacked / "bin" / "run").stat().st_mtime == IMAGE.epoch


def test_an_image_says_what_it_runs_and_for_which_machine(tmp_path: Path) -> None:
    write_layout(IMAGE, small_root(tmp_path), tmp_path / "image")
    image = read_image(tmp_path / "image")
    assert (image.tag, image.config["os"], image.config["architecture"]) == ("1.2.3", "linux", "amd64")
    assert image.config["created"] == "2023-11-14T22:13:20Z"
    assert image.settings["Entrypoint"] == ["/opt/tableside/bin/tableside"]
    assert image.settings["Cmd"] == ["demo"]
    assert image.settings["User"] != "0:0"


def test_the_same_files_give_the_same_image(tmp_path: Path) -> None:
    """Whatever their times are."""
    root = small_root(tmp_path)
    write_layout(IMAGE, root, tmp_path / "image")
    for path in root.rglob("*"):
        os.utime(path, (1, 1), follow_symlinks=False)
    write_layout(IMAGE, root, tmp_path / "again")
    one, other = ((tmp_path / name / "index.json").read_bytes() for name in ("image", "again"))
    assert one == other
