"""`tableside device decode`: the example captures, hex text and bytes, and what it says about other files."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from controller.commands.app import app
from controller.commands.handlers.decode import READERS

CAPTURES = Path(__file__).parents[3] / "firmware-protocol" / "captures"
EIGHT = bytes.fromhex("05 31 44 81 B8 03 34 46")
SAID = {
    "angel-eye-2ex.hex": (
        "< the shoe starts",
        "< not done: wrong BCC",
        "< not done: busy",
        "< unlocked",
        "< 8s drawn (its own game: player, 1)",
        "< noise: BCC 3230 where 3238 is right: 05 34 44 91 ca 03 32 30",
        "< error 1 (error mode): a card cannot be read",
        "< Kc drawn outside a game, in lock mode",
        "< Kc sent again, or dealt again: the documents disagree",
        "< cut card drawn",
        "< preset '03' is '0042' now",
        "< noise: broken off: 05 33 44 82 91",
        "     32 message",
        "      2 noise",
    ),
    "bee-tek.txt": (
        "< 4s drawn",
        "< Tc drawn",
        "< a card was drawn that cannot be read",
        "< alarm E3: Card Not Read",
        "< warning 01",
        "< Kd drawn",
        f"< noise: no token reads so: {b' [Game]<Card:H3> '.hex(' ')}",
        "      1 noise",
    ),
    "tsl.hex": (
        "  events    S---   300     2+8   sealed: 28 bytes, counter 7",
        "      1 hello",
        "      1 event: card drawn",
        "      1 noise: crc",
    ),
}


def decode(*words: str, stdin: bytes = b"") -> tuple[int, list[str], str]:
    done = CliRunner().invoke(app, ["decode", *words], input=stdin)
    return done.exit_code, done.stdout.splitlines(), done.stderr


@pytest.mark.parametrize("name", SAID)
def test_the_example_captures_decode_to_the_stated_lines(name: str) -> None:
    status, lines, complaints = decode("--adapter", name.rpartition(".")[0], str(CAPTURES / name))
    assert (status, complaints) == (1, "")
    assert [line for line in SAID[name] if line not in lines] == []


def test_every_example_is_here_and_every_adapter_has_one() -> None:
    assert {path.name for path in CAPTURES.iterdir()} == {"README.md", *SAID}
    assert {name.rpartition(".")[0] for name in SAID} == set(READERS)


@pytest.mark.parametrize("written", [EIGHT, EIGHT.hex().encode(), b"# remark\n" + EIGHT.hex(" ").encode()])
def test_bytes_and_hex_text_are_the_same(written: bytes) -> None:
    status, lines, _ = decode("--adapter", "angel-eye-2ex", stdin=written)
    assert status == 0
    assert lines == ["< 8s drawn (its own game: player, 1)", "      8 bytes", "      1 message"]


def test_empty_input_is_not_noise() -> None:
    assert decode("--adapter", "tsl") == (0, ["      0 bytes"], "")


def test_input_that_cannot_be_decoded_is_named(tmp_path: Path) -> None:
    known = ", ".join(READERS)
    wrong = f"tableside: --adapter 'angel' is not allowed; allowed: {known}\n"
    assert decode("--adapter", "angel") == (2, [], wrong)
    missing = tmp_path / "missing"
    why = f"tableside: {missing} cannot be read: No such file or directory\n"
    assert decode("--adapter", "tsl", str(missing)) == (1, [], why)
    odd = "tableside: the capture is hex text with an odd number of digits\n"
    assert decode("--adapter", "tsl", stdin=b"00 1") == (1, [], odd)
