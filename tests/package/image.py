"""An image layout read by the specification, every digest checked."""

import gzip
import hashlib
import json
import tarfile
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class ReadImage:
    """`layers`: tar archives, from the lowest to the highest."""

    tag: str
    config: dict[str, Any]
    layers: tuple[bytes, ...]

    @property
    def settings(self) -> dict[str, Any]:
        return dict(self.config["config"])

    def unpack(self, folder: Path) -> None:
        for layer in self.layers:
            with tarfile.open(fileobj=BytesIO(layer)) as archive:
                # As the archive says, whatever the Python; that of Debian 12 knows no argument for it
                archive.extraction_filter = lambda member, _path: member
                archive.extractall(folder, numeric_owner=True)  # noqa: S202 - our own image


def read_image(layout: Path) -> ReadImage:
    """Raises AssertionError where the layout is not as specified."""
    assert json.loads((layout / "oci-layout").read_bytes()) == {"imageLayoutVersion": "1.0.0"}
    [named] = json.loads((layout / "index.json").read_bytes())["manifests"]
    manifest = json.loads(_blob(layout, named))
    config = json.loads(_blob(layout, manifest["config"]))
    layers = tuple(gzip.decompress(_blob(layout, each)) for each in manifest["layers"])
    assert [_digest(layer) for layer in layers] == config["rootfs"]["diff_ids"]
    return ReadImage(named["annotations"]["org.opencontainers.image.ref.name"], config, layers)


def _blob(layout: Path, described: dict[str, Any]) -> bytes:
    algorithm, _, name = described["digest"].partition(":")
    content: bytes = (layout / "blobs" / algorithm / name).read_bytes()
    assert (len(content), _digest(content)) == (described["size"], described["digest"])
    return content


def _digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"
