from pathlib import Path

from controller.games import open_game
from controller.round.course import TRANSITIONS
from controller.round.diagram import diagram
from controller.round.phases import PHASES

PAGE = Path(__file__).parents[3] / "docs" / "games" / "easy-jack.md"


def test_draws_every_transition_once() -> None:
    lines = diagram(open_game("easy-jack")).splitlines()
    for row in TRANSITIONS:
        assert sum(line.strip().startswith(f"{row.source} --> {row.dest}: ") for line in lines) == 1
    assert "    [*] --> betting" in lines
    assert {"    over --> [*]", "    void --> [*]"} <= set(lines)


def test_every_phase_is_drawn() -> None:
    assert {phase for row in TRANSITIONS for phase in (row.source, row.dest)} == set(PHASES)


def test_the_page_shows_the_diagram_of_today() -> None:
    assert f"```mermaid\n{diagram(open_game('easy-jack'))}\n```" in PAGE.read_text(encoding="utf-8")
