"""The page that lists the floor's alerts."""

from pathlib import Path

from controller.floor.tables.alert_kinds import ALERT_KINDS

PAGE = Path(__file__).parents[4] / "docs/floor-status.md"


def test_the_page_lists_every_alert_of_the_floor_as_it_is() -> None:
    lines = PAGE.read_text("utf-8").splitlines()
    begin = lines.index("| kind | alert | severity | ends | what to do |") + 2
    listed = lines[begin : lines.index("", begin)]
    assert listed == [
        f"| `{name}` | {kind.meaning} | `{kind.severity}` | {kind.ends} |"
        f" {kind.todo.format(table='the table')} |"
        for name, kind in ALERT_KINDS.items()
    ]


def test_every_alert_says_what_to_do() -> None:
    assert [
        name for name, kind in ALERT_KINDS.items() if len(kind.todo) < 20 or kind.todo.endswith(".")
    ] == []
