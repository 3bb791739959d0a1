"""What the players' display says in rounds with windows."""

import pytest

from controller.table.view.display import MOST_BYTES, display
from tests.fixtures.state_table import StateTable

BET = "1:main=1000 close"


@pytest.mark.parametrize(
    ("game", "tokens", "status", "result"),
    [
        ("ez-bust", "", "Place your bets", ""),
        ("ez-bust", f"{BET} 9h", "No more bets", ""),
        ("ez-bust", f"{BET} 9h As 8h 5h", "Insurance?", ""),
        ("ez-bust", f"{BET} 9h 6s 8h 5h", "EZ Bust is open", ""),
        ("ez-bust", f"{BET} 9h 6s 8h 5h close", "Seat 1 plays", ""),
        ("ez-bust", f"{BET} 9h 9s 8h 9d 1:stand", "Dealer has 18", "No winners"),
        ("ez-bust", f"{BET} 9h 6s 8h Td 1:ez-bust=100 1:stand Kd", "Dealer busts with 26", "Winners: seat 1"),
    ],
)
def test_the_display_shows_status_and_result(game: str, tokens: str, status: str, result: str) -> None:
    table = StateTable(game)
    table.play(tokens)
    lines = display(table.state)
    assert lines[1:] == (status, result)
    assert all(len(line.encode()) <= MOST_BYTES for line in lines)
