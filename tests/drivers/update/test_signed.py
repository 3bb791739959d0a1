"""What is signed, and the files of updates."""

import json
from pathlib import Path

import pytest

from drivers.link import codec
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import DeviceClass
from drivers.update.image import (
    FIRST_LINE,
    FirmwareUpdate,
    ImageManifest,
    parse,
    read_update,
    serialize,
    sign,
    signed_bytes,
)
from drivers.update.signed_file import SignedFileFault
from drivers.update.signing import MOST_U32, public_key
from tests.conformance.vectors import Vector, load, name_of
from tests.drivers.update.desk import IMAGE, MAKER, made


@pytest.mark.parametrize("vector", load("updates"), ids=name_of)
def test_the_signatures_match_the_vectors(vector: Vector) -> None:
    payload = bytes.fromhex(vector["payload"])
    begin = tsl.Frame.FromString(payload).command.update_begin
    device_class, image = DeviceClass(vector["device_class"]), bytes.fromhex(vector["image"])
    hardware = vector["hardware"]
    signed = signed_bytes(device_class, hardware, begin.version, begin.size, begin.sha256)
    assert signed.hex() == vector["signed"]
    readable = not isinstance(codec.parse(payload), codec.Unreadable)
    verdict = _verdict(device_class, hardware, begin, bytes.fromhex(vector["public_key"]), image)
    assert (verdict if readable else "unreadable") == vector["verdict"]


def _verdict(device_class: DeviceClass, hardware: str, begin: object, maker: bytes, image: bytes) -> str:
    fields = {name: getattr(begin, name) for name in ("version", "size", "sha256", "signature")}
    try:
        manifest = ImageManifest(device_class, hardware, **fields)
    except ValueError:
        return "range"
    if not manifest.signed_by(maker):
        return "signature"
    return "good" if manifest.fits(image) else "image"


def test_who_signs_is_known_by_the_public_key_alone() -> None:
    manifest = sign(IMAGE, DeviceClass.SHOE, "sim", 3, MAKER)
    assert manifest.signed_by(public_key(MAKER))
    assert not manifest.signed_by(public_key(bytes(32)))
    assert manifest.fits(IMAGE)
    assert not manifest.fits(IMAGE[:-1] + b"!")


@pytest.mark.parametrize(("version", "image"), [(-1, b"x"), (MOST_U32 + 1, b"x"), (1, b"")])
def test_an_image_out_of_bounds_is_not_signed(version: int, image: bytes) -> None:
    with pytest.raises(ValueError, match="allowed are"):
        sign(image, DeviceClass.SHOE, "sim", version, MAKER)


class TestFiles:
    def test_an_update_file_is_read_back(self, tmp_path: Path) -> None:
        path = tmp_path / "fw.update"
        path.write_bytes(serialize(made()))
        assert read_update(path) == made()

    def test_a_person_can_read_it(self) -> None:
        first, second, image = serialize(made()).split(b"\n", 2)
        assert first == b"TSL/1 firmware update"
        assert json.loads(second) | {"sha256": "", "signature": ""} == {
            "class": "display",
            "hardware": "sim",
            "version": 7,
            "size": len(IMAGE),
            "sha256": "",
            "signature": "",
        }
        assert image == IMAGE

    @pytest.mark.parametrize("place", range(0, len(FIRST_LINE) + 330, 3))
    def test_one_changed_byte_is_found(self, place: int) -> None:
        """Except what the signature alone covers, which the device checks."""
        content = bytearray(serialize(made()))
        content[place] ^= 1
        try:
            found = parse(bytes(content))
        except ValueError:
            return
        assert not found.manifest.signed_by(public_key(MAKER))

    @pytest.mark.parametrize("size", [0, 5, len(FIRST_LINE), 100, 400, -1])
    def test_what_is_not_whole_is_refused(self, size: int) -> None:
        with pytest.raises(ValueError, match=r"must|incomplete|not JSON"):
            parse(serialize(made())[:size])

    def test_what_comes_after_is_refused(self) -> None:
        with pytest.raises(ValueError, match="776 bytes of image, the manifest says 775: it is incomplete"):
            parse(serialize(made()) + b"!")

    def test_another_image_of_that_length_is_refused(self) -> None:
        with pytest.raises(ValueError, match="another SHA-256"):
            FirmwareUpdate(made().manifest, bytes(len(IMAGE)))

    @pytest.mark.parametrize(
        ("field", "value", "fault"),
        [
            ("signature", "", "it is not signed"),
            ("signature", None, "it is not signed"),
            ("signature", "ab", "signature of 1 bytes: must have 64"),
            ("signature", "xy" * 64, "must be hexadecimal digits"),
            ("sha256", "ab", "sha256 of 1 bytes: must have 32"),
            (
                "class",
                "roulette",
                "class = 'roulette': allowed are shoe, shuffler, sensors, display, console",
            ),
            ("version", "7", "version = '7': must be a whole number"),
            ("version", True, "version = True: must be a whole number"),
            ("version", 2**32, "version 4294967296: allowed are 0 to 4294967295"),
            ("size", 0, "bytes of image, the manifest says 0|size 0: allowed are 1"),
        ],
    )
    def test_faults_of_the_manifest(self, field: str, value: object, fault: str) -> None:
        first, second, image = serialize(made()).split(b"\n", 2)
        changed = json.dumps(json.loads(second) | {field: value}).encode()
        with pytest.raises(ValueError, match=fault):
            parse(b"\n".join((first, changed, image)))

    @pytest.mark.parametrize("line", [b"[]", b"7", b"{", b"[" * 900, b"{" * 2000, b"\xff"])
    def test_no_line_raises_anything_else(self, line: bytes) -> None:
        with pytest.raises(ValueError, match=r"not signed|not JSON|must end"):
            parse(FIRST_LINE + line + b"\n")

    def test_a_fault_names_the_file(self, tmp_path: Path) -> None:
        with pytest.raises(SignedFileFault, match=r"fw\.update cannot be read: No such file"):
            read_update(tmp_path / "fw.update")
        (tmp_path / "fw.update").write_bytes(b"\x7fELF")
        with pytest.raises(
            SignedFileFault, match=r"fw\.update: not a firmware update: it must begin with 'TSL/1"
        ):
            read_update(tmp_path / "fw.update")
