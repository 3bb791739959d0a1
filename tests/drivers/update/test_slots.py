"""The table of the slots, and a flash that outlives its process."""

from pathlib import Path

import pytest

from drivers.errors import Misuse
from drivers.protocol.codes import DeviceClass
from drivers.sim.flash import Flash, FlashFile, PowerLost
from drivers.sim.link.slots import NEXT, SLOT_STATES, Slots
from drivers.update.image import sign
from drivers.update.maker_key import sign_maker_key
from drivers.update.signing import public_key
from tests.drivers.update.desk import IMAGE, MAKER, ROOT, Desk, made

LATER = bytes(range(64, 96))


def slots(flash: Flash) -> Slots:
    return Slots(flash, DeviceClass.DISPLAY, public_key(MAKER), (1, b"factory"))


def filled(flash: Flash) -> Slots:
    found = slots(flash)
    found.begin(made().manifest)
    for offset in range(0, len(IMAGE), 192):
        found.write(IMAGE[offset : offset + 192])
    return found


def test_every_state_boots_and_none_is_a_dead_end() -> None:
    assert set(NEXT) == set(SLOT_STATES)
    assert all("start" in steps for steps in NEXT.values())
    assert {state for steps in NEXT.values() for state in steps.values()} == set(SLOT_STATES)


def test_steps_that_a_state_does_not_have_are_our_bug() -> None:
    found = slots(Flash())
    for step in (found.apply, found.confirm, found.check):
        with pytest.raises(Misuse, match="of a slot that is empty: allowed are begin, start"):
            step()


def test_a_trial_that_is_restarted_reverts_and_can_be_tried_again() -> None:
    found = filled(Flash())
    assert found.check()
    for _ in range(2):
        found.apply()
        found.start()
        assert (found.state, found.running, found.version, found.good) == ("trial", "B", 7, "A")
        found.start()
        assert (found.state, found.running, found.version, found.counter) == ("whole", "A", 1, 1)


def test_what_is_damaged_after_the_check_is_not_started() -> None:
    flash = Flash()
    found = filled(flash)
    assert found.check()
    found.apply()
    flash.write("B", 0, IMAGE[:-1] + b"!")
    found.start()
    assert (found.state, found.running, found.version) == ("empty", "A", 1)


def test_a_good_slot_that_is_damaged_is_not_started() -> None:
    flash = Flash()
    factory = slots(flash)
    assert factory.start()
    flash.write("A", 0, b"factorz")
    assert not factory.start(), "the factory's image"
    flash.write("A", 0, b"factory")
    found = filled(flash)
    assert found.check()
    found.apply()
    assert found.start()
    found.confirm()
    assert found.start()
    flash.write("B", 0, IMAGE[:-1] + b"!")
    assert not found.start(), "the confirmed one"


def test_a_simulated_device_whose_good_slot_is_damaged_stays_off() -> None:
    desk = Desk()
    desk.run()
    desk.flash.write(desk.slots.good, 0, IMAGE[:-1] + b"!")
    desk.wire.host = None
    desk.unit.ask({"do": "reboot", "seconds": 0}, desk.wire.now)
    desk.wire.run(5.0)
    assert not desk.unit.running
    assert {"notice": "power", "on": False, "at": desk.wire.now} in desk.unit.look()
    desk.flash.write(desk.slots.good, 0, IMAGE)
    desk.unit.ask({"do": "power", "on": True}, desk.wire.now)
    desk.wire.run(1.0)
    assert desk.unit.running


def test_slots_change_places_and_back() -> None:
    found = filled(Flash())
    found.check()
    found.apply()
    found.start()
    found.confirm()
    assert (found.good, found.counter, found.state, found.authentic("B")) == ("B", 7, "empty", True)
    found.begin(made(8, b"eight").manifest)
    found.write(b"eight")
    assert found.check()
    found.apply()
    found.start()
    assert (found.running, found.version, found.image("A")) == ("A", 8, b"eight")


def test_a_flash_file_outlives_its_process(tmp_path: Path) -> None:
    flash = FlashFile(tmp_path / "flash")
    found = filled(flash)
    flash.fail_at(2)
    with pytest.raises(PowerLost):
        flash.write("A", 0, b"torn apart")
    flash.close()
    again = FlashFile(tmp_path / "flash")
    assert (again.read("A"), again.read("B")) == (b"torn ", IMAGE)
    assert slots(again).filled == found.filled == len(IMAGE)
    assert slots(again).check()
    again.close()


def test_a_new_maker_key_is_one_write_and_outlives_the_process() -> None:
    flash = Flash()
    slots = Slots(flash, DeviceClass.DISPLAY, public_key(MAKER), (1, b"factory"), root=public_key(ROOT))
    record = sign_maker_key(public_key(LATER), DeviceClass.DISPLAY, "sim", 3, ROOT).action
    before = flash.writes
    assert slots.trusts_key(record)
    slots.replace_maker(record)
    assert flash.writes == before + 1
    again = Slots(flash, DeviceClass.DISPLAY, public_key(MAKER), (1, b"factory"), root=public_key(ROOT))
    assert again.generation == 3
    assert again.trusts(sign(b"image", DeviceClass.DISPLAY, "sim", 2, LATER))
    assert not again.trusts(sign(b"image", DeviceClass.DISPLAY, "sim", 2, MAKER))
    assert not again.trusts(sign(b"image", DeviceClass.DISPLAY, "sim2", 2, LATER))


def test_no_maker_key_is_trusted_without_a_root_key() -> None:
    slots = Slots(Flash(), DeviceClass.DISPLAY, public_key(MAKER), (1, b"factory"))
    assert not slots.trusts_key(sign_maker_key(public_key(LATER), DeviceClass.DISPLAY, "sim", 1, ROOT).action)
