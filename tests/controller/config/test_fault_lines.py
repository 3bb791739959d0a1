"""The line of each fault of a configuration, and the name that a person probably meant."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.config import ConfigError, read
from controller.config.lines import Location, key_lines

EXAMPLES = Path(__file__).parents[3] / "examples"
TABLE = """\
[table]
name = "T"
game = "easy-jack"
[journal]
path = "j"
[devices]
shoe.port = "/dev/a"
shoe.serial = "A"
[devices.sensors]
port = "/dev/b"
serial = "B"
"""
"""Eleven lines without a fault."""


def faults(folder: Path, text: str) -> list[str]:
    """The faults without the path of the file."""
    path = folder / "table.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        read(path)
    return [fault.removeprefix(f"{path}, ") for fault in caught.value.faults]


def places(document: dict[str, Any], outer: Location = ()) -> Iterator[Location]:
    """Each key of a document."""
    for name, value in document.items():
        yield (*outer, name)
        if isinstance(value, dict):
            yield from places(value, (*outer, name))


class TestLines:
    @pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
    def test_each_key_of_the_examples_has_the_line_that_names_it(self, path: Path) -> None:
        text = path.read_text("utf-8")
        lines = key_lines(text)
        in_braces = ("options", "limits")
        assert set(lines) >= {place for place in places(tomllib.loads(text)) if place[:-1] != in_braces}
        rows = text.split("\n")
        assert all(place[-1] in rows[line - 1] for place, line in lines.items())

    @pytest.mark.parametrize(
        ("text", "lines"),
        [
            (
                "[[a.b]]\nc = 1\n[[a.b]]\nc = 2\nd = 3\n[a.b.e]\nf = 4",
                "a1 a.b1 a.b.c2 a.b.d5 a.b.e6 a.b.e.f7",
            ),
            ("a.b . c = 1\n[ d . e ] # [x]\nf.g = 2", "a1 a.b1 a.b.c1 d2 d.e2 d.e.f3 d.e.f.g3"),
            (
                '"a" = 1\n\'b\' = 2\n"\\u0063" = 3\n["d" . e]\n"f=g" = 4\n["h]"]',
                "a1 b2 c3 d4 d.e4 d.e.f=g5 h]6",
            ),
            ("a = { b = 1, c = { d = 2 } }\ne = 3", "a1 e2"),
            ("a = [\n  1, # ]\n  [2],\n  { b = 3 },\n]\nc = 4", "a1 c6"),
            ('# [a]\n# b = 1\nc = """\n[d]\ne = 1\n"""\nf = 2', "c3 f7"),
            ("a = '''\n[b]\nc = \"\"\"\n'''\nd = 1", "a1 d5"),
            (
                'a = """x""""" # two quotes more\nb = \'\'\'y\'\'\'\'\nc = ""\nd = \'\'\ne = 1',
                "a1 b2 c3 d4 e5",
            ),
            ('a = """\\"""\nb = 1\n"""\nc = "#\\"["\nd = \'\\\'\ne = 1', "a1 c4 d5 e6"),
            ("\r\n[a]\r\n\r\nb = 1\r\n", "a2 a.b4"),
            ("\n\n", ""),
        ],
        ids=[
            "arrays of tables",
            "dotted keys",
            "quoted keys",
            "inline tables",
            "arrays",
            "comments",
            "literal strings",
            "quotes at the end",
            "escapes",
            "carriage returns",
            "nothing",
        ],
    )
    def test_a_key_has_the_first_line_that_names_it(self, text: str, lines: str) -> None:
        tomllib.loads(text)
        found = key_lines(text)
        assert " ".join(f"{'.'.join(place)}{line}" for place, line in found.items()) == lines

    def test_a_fault_has_the_line_of_its_key(self, tmp_path: Path) -> None:
        text = f'{TABLE}baud = 1\n# [web]\n[web]\nnames = [\n  "a",\n]\nport = "x"\n'
        found = [fault.partition(" = ")[0] for fault in faults(tmp_path, text)]
        assert found == ["line 18: web.port", "line 12: devices.sensors.baud"]

    @pytest.mark.parametrize(
        ("more", "start"),
        [
            ("[options]\nlimits = { mein = [1, 2] }", "line 13: options.limits.mein = [1, 2]"),
            ("[options.limits]\nmein = [1, 2]", "line 13: options.limits.mein = [1, 2]"),
            ("[options]\ndealer_bust = { 9 = '1:1' }", "line 13: options.dealer_bust.9 = "),
            ("[devices.console]\nserial = 'C'", "line 12: devices.console.port is missing"),
            ("[[web]]\nport = 1", "line 12: web = [{"),
            ("[reports]\nshifts = [\n'06:00',\n6]", "line 13: reports.shifts = 6"),
            ("[jackpot.buster]\nseed = 1", "line 12: jackpot.buster: unknown key"),
            ("[journal.x]\ny = 1", "line 12: journal.x = "),
        ],
    )
    def test_a_fault_within_a_value_has_the_line_of_the_value(
        self, tmp_path: Path, more: str, start: str
    ) -> None:
        found = faults(tmp_path, f"{TABLE}{more}\n")
        assert found[0].startswith(start), found

    @pytest.mark.parametrize(
        ("written", "line"), [("warn_free = 5\nstop_free = 6", 13), ("retention = 90\nstop_free = 1000", 14)]
    )
    def test_a_conflict_has_a_line_that_is_written(self, tmp_path: Path, written: str, line: int) -> None:
        moved = TABLE.replace('[journal]\npath = "j"\n', "\n\n")
        [fault] = faults(tmp_path, f'{moved}[journal]\n{written}\npath = "j"\n')
        assert fault.startswith(f"line {line}: journal.warn_free = ")

    def test_a_missing_section_has_no_line(self, tmp_path: Path) -> None:
        assert faults(tmp_path, TABLE.replace("[journal]\npath", "[access]\npath")) == [
            "journal is missing; needed: a section with path"
        ]

    def test_levels_without_keys_are_a_fault_of_the_keys(self, tmp_path: Path) -> None:
        found = faults(tmp_path, f'{TABLE}[progressive]\nlevels = {{ "main" = "sevens" }}\n')
        assert found[0].startswith("line 13: progressive.keys = []: not allowed with levels")
        assert "line 13: uplink is missing, with progressive.levels" in found[-1]


class TestNearestName:
    @pytest.mark.parametrize(
        ("old", "new", "end"),
        [
            ("[journal]", "[jurnal]", "; did you mean journal?"),
            ("game =", "Game =", "; did you mean game?"),
            ("[devices.sensors]", "[devices.sensor]", "; did you mean sensors?"),
            ('"easy-jack"', '"Easy Jack"', '; did you mean "easy-jack"?'),
            ("[journal]", 'bank = "rotated"\n[journal]', '; did you mean "rotating"?'),
            ("[journal]", "[options]\ndeck = 6\n[journal]", "; did you mean decks?"),
            ("[journal]", '[options]\nnatural = "3-2"\n[journal]', '; did you mean "3:2"?'),
            ("[journal]", "[options.limits]\nmein = [1, 2]\n[journal]", "; did you mean main?"),
        ],
    )
    def test_a_misspelt_name_gets_the_nearest_known_one(
        self, tmp_path: Path, old: str, new: str, end: str
    ) -> None:
        found = faults(tmp_path, TABLE.replace(old, new, 1))
        assert [fault for fault in found if "did you mean" in fault and fault.endswith(end)], found

    def test_the_spot_of_a_jackpot_is_among_the_names(self, tmp_path: Path) -> None:
        text = TABLE.replace('"easy-jack"', '"blackjack-x"\ncurrency = "USD"') + "[jackpot.blazing-7]\n"
        assert faults(tmp_path, text) == [
            "line 13: jackpot.blazing-7: unknown key; allowed here: blazing-7s; did you mean blazing-7s?"
        ]

    @pytest.mark.parametrize("more", ["[zoo]", "[web]\nzoo = 1", "[table.zoo]", "[options]\nnatural = 7"])
    def test_a_name_that_is_like_none_gets_no_suggestion(self, tmp_path: Path, more: str) -> None:
        found = faults(tmp_path, f"{TABLE}{more}\n")
        assert found
        assert not [fault for fault in found if "did you mean" in fault]
