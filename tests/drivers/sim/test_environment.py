from pathlib import Path

from drivers.sim.physical_state import Surroundings


def test_what_was_put_is_there_after_a_restart(tmp_path: Path) -> None:
    around = Surroundings(tmp_path / "shoe.around")
    assert around.untouched
    around.put(cards=["As", "Td"], before=0)
    around.put(before=3)
    again = Surroundings(tmp_path / "shoe.around")
    assert not again.untouched
    assert again.get("cards", []) == ["As", "Td"]
    assert again.get("before", 0) == 3
    assert again.get("jam", False) is False


def test_without_a_file_it_lives_as_long_as_it_does() -> None:
    around = Surroundings()
    around.put(jam=True)
    assert around.get("jam", False) is True
