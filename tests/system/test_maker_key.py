"""A stolen key of a maker is replaced at a closed table, on the simulated device in Python and on the sample
in C, each a process on a pty: the commands sign, send and update."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

import pytest

from drivers.key_files import key_text, make_key, store_key, store_public
from drivers.protocol.codes import DeviceClass
from drivers.update.image import FirmwareUpdate, serialize, sign
from drivers.update.signing import public_key
from tests.controller.commands.updates import NEXT, PASSWORDS, Site
from tests.drivers.update.desk import MAKER
from tests.fixtures.hired import hire
from tests.system.command import tableside_here
from tests.system.test_sample_update import configuration, shoe

IMAGE: Final = bytes(range(256)) * 4
PERSONS: Final = ("--who", "A. Smith", "--second", "B. Jones")


class SimulatedDisplay:
    kind = "display"

    def __init__(self, folder: Path) -> None:
        self._site = Site(folder)
        self.config = self._site.config

    def powered(self) -> AbstractContextManager[Any]:
        return self._site.switched_on()


class SampleShoe:
    kind = "shoe"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.config = folder / "table.toml"
        self.config.write_text(configuration(folder))
        store_key(make_key(), folder / "shoe.key")
        (folder / "maker.pub").write_text(key_text(public_key(MAKER)))
        hire(folder)

    def powered(self) -> AbstractContextManager[Any]:
        return shoe(self._folder, root=self._folder / "root.pub")


def commanded(*words: str) -> tuple[int, str]:
    done = tableside_here("device", *words, typed=PASSWORDS)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("device", [SimulatedDisplay, SampleShoe])
def test_a_stolen_key_signs_nothing_any_more_and_the_next_one_does(
    device: Callable[[Path], SimulatedDisplay | SampleShoe], tmp_path: Path
) -> None:
    table = device(tmp_path)
    kind, key = table.kind, tmp_path / "next.pub"
    store_public(public_key(NEXT), key)
    signed = ("--class", kind, "--hardware", "sim", "--generation", "1", "--root", f"{tmp_path}/root")
    status, said = commanded("sign-maker-key", str(key), *signed, "--new-root")
    assert status == 0, said
    replace = ("replace-maker-key", kind, f"{key}.signed", "--config", str(table.config), *PERSONS)
    with table.powered():
        status, said = commanded(*replace, "--root", f"{tmp_path}/root.pub")
        assert (status, f"{kind}: replaced: it trusts the maker's key of generation 1" in said) == (
            0,
            True,
        ), said
    with table.powered():
        assert "REFUSED: generation 1: 1 is known" in commanded(*replace)[1]
        stolen = updated(tmp_path, kind, table.config, MAKER)
        assert (stolen[0], "REFUSED: the signature is not our maker's" in stolen[1]) == (1, True), stolen
        status, said = updated(tmp_path, kind, table.config, NEXT)
        assert (status, f"{kind}: confirmed: version 7 runs, confirmed" in said) == (0, True), said


def updated(folder: Path, kind: str, config: Path, maker: bytes) -> tuple[int, str]:
    update = FirmwareUpdate(sign(IMAGE, DeviceClass[kind.upper()], "sim", 7, maker), IMAGE)
    (folder / "fw.update").write_bytes(serialize(update))
    return commanded("update", kind, f"{folder}/fw.update", "--config", str(config), *PERSONS)
