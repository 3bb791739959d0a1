"""The simulated USB device: its descriptors, its endpoints, and what is said without umockdev."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from drivers.sim.usb import umockdev
from drivers.sim.usb.bus import Bus
from drivers.sim.usb.descriptors import Identity
from drivers.sim.usb.gadget import ROOM, Gadget

WHO = Identity("SN-1")


def setup(kind: int, request: int, value: int, length: int) -> bytes:
    return bytes([kind, request]) + b"".join(number.to_bytes(2, "little") for number in (value, 0, length))


class TestDescriptors:
    def test_the_device_names_its_ids_and_its_number(self) -> None:
        said = WHO.answer(setup(0x80, 6, 0x0100, 18))
        assert said == WHO.device
        assert said[8:12] == bytes.fromhex("09120100")
        assert said[16] == 3  # the index of the string that is the serial number

    def test_the_configuration_is_as_long_as_it_says(self) -> None:
        said = WHO.answer(setup(0x80, 6, 0x0200, 255))
        assert said == WHO.configuration
        assert int.from_bytes(said[2:4], "little") == len(said) == 32

    def test_no_more_is_answered_than_was_asked_for(self) -> None:
        assert WHO.answer(setup(0x80, 6, 0x0200, 9)) == WHO.configuration[:9]

    def test_the_string_descriptors_name_maker_product_and_serial(self) -> None:
        assert WHO.string(0) == bytes.fromhex("04030904")
        assert WHO.string(3) == b"\x0a\x03" + "SN-1".encode("utf-16-le")
        assert WHO.string(4) is None

    @pytest.mark.parametrize(
        "request_", [(0x40, 6, 0x0100), (0x80, 6, 0x0600), (0x80, 6, 0x0304), (0x80, 9, 1)]
    )
    def test_what_it_does_not_know_stalls(self, request_: tuple[int, int, int]) -> None:
        assert WHO.answer(setup(*request_, 64)) is None


class TestEndpoints:
    def test_a_transfer_is_there_when_a_packet_that_is_not_full_has_ended_it(self) -> None:
        came: list[bool] = []
        gadget = Gadget(WHO, lambda: came.append(True))
        assert gadget.accept(bytes(64))
        assert gadget.accept(bytes(128))
        assert (gadget.take(), came) == (b"", [])
        assert gadget.accept(b"")
        assert (gadget.take(), came) == (bytes(192), [True])

    def test_what_has_no_room_is_not_taken(self) -> None:
        gadget = Gadget(WHO)
        assert gadget.accept(bytes(ROOM - 1))
        assert not gadget.accept(b"xx")
        assert len(gadget.take()) == ROOM - 1
        assert gadget.accept(b"xx")

    def test_what_the_host_does_not_fetch_is_lost_and_counted(self) -> None:
        gadget = Gadget(WHO)
        gadget.write(bytes(ROOM))
        gadget.write(b"lost")
        assert gadget.lost == 4

    def test_a_host_that_asks_for_less_gets_the_rest_later(self) -> None:
        gadget = Gadget(WHO)
        gadget.write(b"abcdef")
        gadget.write(b"gh")
        assert [gadget.give(4) for _ in range(4)] == [b"abcd", b"ef", b"gh", None]

    def test_a_pulled_plug_forgets_what_is_on_its_way(self) -> None:
        gadget = Gadget(WHO)
        gadget.write(b"out")
        gadget.accept(b"in")
        gadget.accept(bytes(64))
        gadget.reset()
        assert (gadget.give(64), gadget.take()) == (None, b"")


class TestWithoutUmockdev:
    def test_a_missing_wrapper_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", "/nowhere")
        with pytest.raises(umockdev.UmockdevMissingError, match=umockdev.INSTALL):
            umockdev.check()

    def test_a_missing_library_is_named(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr(umockdev, "GI", tmp_path / "gi")
        monkeypatch.setattr(sys, "path", [])
        monkeypatch.delitem(sys.modules, "gi", raising=False)
        with pytest.raises(umockdev.UmockdevMissingError, match=umockdev.INSTALL):
            umockdev.library()

    def test_a_bus_outside_of_the_wrapper(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("LD_PRELOAD", raising=False)
        with pytest.raises(umockdev.UmockdevMissingError, match=umockdev.WRAPPER):
            Bus()

    def test_the_demonstration_names_the_packages(self) -> None:
        ended = subprocess.run(
            [sys.executable, "-m", "controller", "demo", "--usb", "--rounds", "1"],
            env={**os.environ, "PATH": "/nowhere"},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert ended.returncode == 1
        assert ended.stderr.startswith("tableside: the shoe cannot be on USB: no umockdev-wrapper")
        assert umockdev.PACKAGES in ended.stderr
