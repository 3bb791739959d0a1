from pathlib import Path

import pytest

from controller.games import GAMES, open_game
from controller.round.machine import TRANSITIONS, diagram
from controller.round.phases import PHASES

PAGES = Path(__file__).parents[3] / "docs" / "games"


def test_the_diagram_draws_every_transition_once() -> None:
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


@pytest.mark.parametrize("game", GAMES)
def test_each_page_shows_the_diagram_of_today(game: str) -> None:
    shown = (PAGES / f"{game}.md").read_text(encoding="utf-8")
    assert f"```mermaid\n{diagram(open_game(game))}\n```" in shown


@pytest.mark.parametrize("game", GAMES)
def test_every_way_leads_to_an_end(game: str) -> None:
    """Each phase of a game in the diagram has a way in and a way out."""
    edges = [
        line.split(":")[0].split(" --> ") for line in diagram(open_game(game)).split("\n") if "-->" in line
    ]
    into, out = {into.strip() for _, into in edges}, {source.strip() for source, _ in edges}
    assert into == out
