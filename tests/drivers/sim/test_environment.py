from pathlib import Path

from drivers.sim.physical_state import PhysicalState


def test_an_environment_in_a_file_survives_a_restart(tmp_path: Path) -> None:
    around = PhysicalState(tmp_path / "shoe.around")
    assert around.untouched
    around.put(cards=["As", "Td"], before=0)
    around.put(before=3)
    again = PhysicalState(tmp_path / "shoe.around")
    assert not again.untouched
    assert again.get("cards", []) == ["As", "Td"]
    assert again.get("before", 0) == 3
    assert again.get("jam", False) is False


def test_an_environment_without_a_file_is_kept_in_memory() -> None:
    around = PhysicalState()
    around.put(jam=True)
    assert around.get("jam", False) is True
