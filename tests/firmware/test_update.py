"""`tableside device update` puts an image over the link into the second slot of an emulated board, whose
power fails meanwhile; the boot loader starts it."""

import re
from pathlib import Path
from typing import Final

from drivers.key_files import key_text, make_key, store_key
from drivers.protocol.codes import DeviceClass, Reset
from drivers.update.image import FirmwareUpdate, serialize, sign
from drivers.update.signing import public_key
from tests.firmware.bench import images
from tests.firmware.powered import asked, powered
from tests.fixtures.hired import hire
from tests.fixtures.waiting import PATIENCE
from tests.system.test_sample_update import MAKER, SERIAL, VERSION, configuration, updating

FACTORY: Final = 1
NEXT: Final = 2


def test_an_image_that_came_over_the_link_is_booted(tmp_path: Path) -> None:
    image = (images() / "shoe-next.bin").read_bytes()
    words = prepare(tmp_path, image)
    with updating(tmp_path) as said:
        with powered(tmp_path, "shoe", *words):
            assert asked(tmp_path, "shoe", "board") == {"image": FACTORY, "reset": Reset.POWER}
            assert any(re.search(r" [1-9]0 %", line) for line in said)
        with powered(tmp_path, "shoe", *words):
            assert any(f"version {VERSION} runs, confirmed" in line for line in said)
            assert asked(tmp_path, "shoe", "board") == {"image": NEXT, "reset": Reset.UPDATE}
    with powered(tmp_path, "shoe", *words):
        assert asked(tmp_path, "shoe", "board") == {"image": NEXT, "reset": Reset.POWER}
    damage(tmp_path / "shoe.memory.flash", image)
    with powered(tmp_path, "shoe", *words) as board:
        assert board.wait(PATIENCE) == 1  # the boot loader starts nothing that its maker did not sign


def prepare(folder: Path, image: bytes) -> tuple[str, ...]:
    """Files for an update to this image, and the board's further words."""
    store_key(make_key(), folder / "shoe.key")
    (folder / "maker.pub").write_text(key_text(public_key(MAKER)))
    update = FirmwareUpdate(sign(image, DeviceClass.SHOE, "sim", VERSION, MAKER), image)
    (folder / "shoe.update").write_bytes(serialize(update))
    (folder / "table.toml").write_text(configuration(folder))
    hire(folder)
    return ("--maker", str(folder / "maker.pub"), "--serial", SERIAL, "--speed", "max")


def damage(flash: Path, image: bytes) -> None:
    """Changes a byte in the middle of the image."""
    held = bytearray(flash.read_bytes())
    held[held.index(image) + len(image) // 2] ^= 1
    flash.write_bytes(held)
