"""CSV sheets: their content, and that they read back as they were written."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.past.export.cells import FORMULA, csv_line, money
from drivers.messages import Cover, Fault
from tests.controller.past.export.exporting import FIRST, SECOND, SEVENS, bundle, sheet, table
from tests.fixtures.played_journal import played_table


def test_the_settlement_sheet_has_a_line_for_each_wager(tmp_path: Path) -> None:
    with played_table(tmp_path) as at:
        at.play(FIRST)
        at.clear()
        at.play(SECOND)
    found = sheet(tmp_path, "settlements")
    assert [(line["round"], line["seat"], line["wager"], line["amount"], line["paid"]) for line in found] == [
        ("1", "1", "main", "5.00", "5.00"),
        ("1", "2", "main", "7.00", "-7.00"),
        ("1", "2", "dealer-bust", "1.00", "-1.00"),
        ("2", "4", "main", "", ""),
    ]
    assert found[0]["reason"] == "11 beats dealer's 10"
    assert {line["ended"] for line in found} == {"settled"}
    assert found == sheet(tmp_path, "settlements", "--from", "1")
    assert [line["seat"] for line in sheet(tmp_path, "settlements", "--round", "2")] == ["4"]


def test_a_void_round_says_so(tmp_path: Path) -> None:
    with played_table(tmp_path) as at:
        at.play("1:main=500 close 5h")
        at.supervise("void", why="cards fell down")
    (found,) = sheet(tmp_path, "settlements")
    assert (found["ended"], found["outcome"], found["paid"]) == ("void", "push", "0.00")


def test_the_meter_sheet_has_a_line_for_each_movement(tmp_path: Path) -> None:
    with played_table(tmp_path, "blackjack-x") as at:
        at.play(SEVENS)
    found = sheet(tmp_path, "meters")
    assert (found[0]["kind"], found[0]["before"], found[0]["after"]) == (
        "contribution",
        "10000.00",
        "10000.15",
    )
    assert {line["spot"] for line in found} == {"blazing-7s"}
    assert found[-1]["after"] == "10000.00"
    assert [int(line["row"]) for line in found] == sorted(int(line["row"]) for line in found)


def test_alerts_have_code_device_and_sentence(tmp_path: Path) -> None:
    with played_table(tmp_path) as at:
        at.apply(at.script.event("shoe", Cover(True)), at.script.event("shoe", Cover(False)))
        at.apply(at.script.event("console", Fault(7, True, "=1+1")))
        at.apply(at.script.event("console", Fault(7, False, "")))
        at.play(FIRST)
    found = sheet(tmp_path, "alerts")
    assert [(event["code"], event["text"]) for event in found if event["device"] == "shoe"][-2:] == [
        ("COVER", "cover opened"),
        ("COVER", "cover closed"),
    ]
    faults = [event["text"] for event in found if event["code"] == "COMPONENT_FAULT"]
    assert faults == ["fault 7: =1+1", "fault 7 is cleared"]
    assert "POWER_UP" in {event["code"] for event in found}


def test_what_a_supervisor_typed_is_no_formula(tmp_path: Path) -> None:
    why = '=HYPERLINK("x"),\r\n"y"'
    with played_table(tmp_path) as at:
        at.play("1:main=1000 close")
        at.supervise("void", why=why)
    assert [event["text"] for event in sheet(tmp_path, "alerts")][-2] == f"Ann: voided the round: {why}"
    confirmed = bundle(tmp_path)["confirmations.csv"]
    assert b',"\'=HYPERLINK(""x""),\r\n""y"""\r\n' in confirmed
    assert table(confirmed)[-1]["why"] == f"'{why}"


def read(written: bytes) -> list[str]:
    (cells,) = csv.reader(io.StringIO(written.decode(), newline=""), strict=True)
    return cells


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), min_size=2))
def test_any_text_reads_back_and_is_no_formula(texts: list[str]) -> None:
    written = csv_line(texts)
    assert written.endswith(b"\r\n")
    for text, cell in zip(texts, read(written), strict=True):
        assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
        assert cell.removeprefix("'") == text
        assert cell.startswith("'") == text.startswith(FORMULA)


@pytest.mark.parametrize(
    ("cells", "written"),
    [
        (("a", 1, None, ""), b"a,1,,\r\n"),
        (('say "x", y', "-5", "@a"), b'"say ""x"", y",\'-5,\'@a\r\n'),
        ((money(-750), money(None), money(0)), b"-7.50,,0.00\r\n"),
        (("half a pair: \ud800", "Zoë"), "half a pair: \\ud800,Zoë\r\n".encode()),
    ],
)
def test_csv_lines_quote_and_escape_their_cells(cells: tuple[str | int | None, ...], written: bytes) -> None:
    assert csv_line(cells) == written
