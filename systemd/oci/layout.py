"""An OCI image with one layer, as an image layout: a folder that podman, skopeo and containerd read.

The form is that of the OCI image format specification 1.0: blobs are named by their SHA-256; the index names
the manifest, which names the configuration and the layer.
"""

import gzip
import hashlib
import json
import shutil
import tarfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

INDEX: Final = "application/vnd.oci.image.index.v1+json"
MANIFEST: Final = "application/vnd.oci.image.manifest.v1+json"
CONFIG: Final = "application/vnd.oci.image.config.v1+json"
LAYER: Final = "application/vnd.oci.image.layer.v1.tar+gzip"
NAME: Final = "org.opencontainers.image.ref.name"
LEVEL = 6


@dataclass(frozen=True, slots=True)
class Image:
    """`architecture`: as Go names it. `epoch`: seconds of Unix time, the age of the image and of all its
    files. `settings`: the user, the environment and the command, as `config` of the specification."""

    tag: str
    architecture: str
    epoch: int
    settings: dict[str, Any]


def write_layout(image: Image, root: Path, out: Path) -> None:
    """Writes the files below `root` as an image into `out`, which is absent before. The same files give the
    same bytes."""
    blobs = out / "blobs" / "sha256"
    blobs.mkdir(parents=True)
    layer, content = _layer(root, image.epoch, blobs)
    config = _blob(blobs, CONFIG, _config(image, content))
    manifest = {"schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": [layer]}
    named = {**_blob(blobs, MANIFEST, manifest), "annotations": {NAME: image.tag}}
    index = {"schemaVersion": 2, "mediaType": INDEX, "manifests": [named]}
    (out / "index.json").write_bytes(_json(index))
    (out / "oci-layout").write_bytes(_json({"imageLayoutVersion": "1.0.0"}))


def _config(image: Image, content: str) -> dict[str, Any]:
    """`content`: the digest of the layer before it is compressed."""
    created = f"{datetime.fromtimestamp(image.epoch, UTC):%Y-%m-%dT%H:%M:%SZ}"
    return {
        "created": created,
        "architecture": image.architecture,
        "os": "linux",
        "config": image.settings,
        "rootfs": {"type": "layers", "diff_ids": [content]},
        "history": [{"created": created, "created_by": "make image"}],
    }


def _layer(root: Path, epoch: int, blobs: Path) -> tuple[dict[str, Any], str]:
    """The descriptor of the layer, and the digest of what it holds."""
    plain, packed = blobs / "plain", blobs / "packed"
    with tarfile.open(plain, "w", format=tarfile.GNU_FORMAT) as archive:
        for path in sorted(root.rglob("*")):
            member = archive.gettarinfo(str(path), path.relative_to(root).as_posix())
            member.mtime, member.uname, member.gname = epoch, "", ""
            if member.isreg():
                with path.open("rb") as file:
                    archive.addfile(member, file)
            else:
                archive.addfile(member)
    with (
        packed.open("wb") as out,
        gzip.GzipFile("", "wb", LEVEL, out, mtime=epoch) as compressed,
        plain.open("rb") as file,
    ):
        shutil.copyfileobj(file, compressed)
    content = _digest(plain)
    plain.unlink()
    return _described(packed, LAYER), content


def _blob(blobs: Path, kind: str, value: dict[str, Any]) -> dict[str, Any]:
    path = blobs / "json"
    path.write_bytes(_json(value))
    return _described(path, kind)


def _described(path: Path, kind: str) -> dict[str, Any]:
    """The descriptor of a blob, which gets its name."""
    digest = _digest(path)
    described = {"mediaType": kind, "digest": digest, "size": path.stat().st_size}
    path.rename(path.with_name(digest.partition(":")[2]))
    return described


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()
