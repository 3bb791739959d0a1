"""The page that lists the floor's alerts."""

from pathlib import Path

from controller.floor.tables.alert_kinds import ALERT_KINDS

PAGE = Path(__file__).parents[4] / "docs/floor-status.md"


def test_the_page_lists_every_alert_of_the_floor_as_it_is() -> None:
    lines = PAGE.read_text("utf-8").splitlines()
    begin = lines.index("| kind | alert | severity | ends |") + 2
    listed = lines[begin : lines.index("", begin)]
    assert listed == [
        f"| `{name}` | {kind.meaning} | `{kind.severity}` | {kind.ends} |"
        for name, kind in ALERT_KINDS.items()
    ]
