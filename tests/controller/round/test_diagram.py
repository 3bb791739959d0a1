from pathlib import Path

from controller.games import open_game
from controller.round.course import TRANSITIONS
from controller.round.diagram import diagram
from controller.round.phases import PHASES

PAGE = Path(__file__).parents[3] / "docs" / "games" / "easy-jack.md"


def test_draws_every_transition_once() -> None:
    lines = diagram(open_game("ez-bust")).splitlines()
    for row in TRANSITIONS:
        assert sum(line.strip().startswith(f"{row.source} --> {row.dest}: ") for line in lines) == sum(
            (row.source, row.dest) == (other.source, other.dest) for other in TRANSITIONS
        )
    assert "    [*] --> betting" in lines
    assert {"    over --> [*]", "    void --> [*]"} <= set(lines)


def test_windows_that_a_game_lacks_are_not_drawn() -> None:
    drawn = diagram(open_game("easy-jack"))
    assert "offering" not in drawn
    assert "insuring" not in drawn
    assert "insuring" not in diagram(open_game("ez-bust", {"insurance": False}))


def test_every_phase_is_drawn() -> None:
    assert {phase for row in TRANSITIONS for phase in (row.source, row.dest)} == set(PHASES)


def test_the_page_shows_the_diagram_of_today() -> None:
    assert f"```mermaid\n{diagram(open_game('easy-jack'))}\n```" in PAGE.read_text(encoding="utf-8")
