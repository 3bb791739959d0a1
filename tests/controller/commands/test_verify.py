"""`tableside journal verify`: its options, its output, its exit status."""

import json
import re
from pathlib import Path

import pytest

from controller.journal.chain import JournalRow
from tests.controller.past.verify.test_falsified import paid_and_net
from tests.fixtures.journal_files import closed_files
from tests.fixtures.journal_table import SIGNER, changed, played_rows, run, write_journal
from tests.fixtures.played_journal import CONFIG

PUBLIC = SIGNER.public.hex()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


@pytest.fixture
def whole(path: Path) -> list[JournalRow]:
    return write_journal(path, played_rows())


def test_a_whole_journal_is_reported_whole(path: Path, whole: list[JournalRow]) -> None:
    result = run(path)
    assert result.exit_code == 0
    assert "The rows are whole." in result.stdout
    assert f"{len(whole)}:{whole[-1].hash.hex()}" in result.stdout
    assert PUBLIC in result.stdout


def test_the_result_is_printed_as_json(path: Path, whole: list[JournalRow]) -> None:
    answer = json.loads(run(path, "--json").stdout)
    assert (answer["whole"], answer["files"], answer["last"], answer["rounds"]) == (True, 3, len(whole), 6)
    assert answer["keys"].keys() == {PUBLIC}


def test_a_finding_is_status_1(path: Path) -> None:
    write_journal(
        path, changed(played_rows(), "round", 0, lambda body: body["round"]["lines"][0].update(paid=7))
    )
    result = run(path)
    assert result.exit_code == 1
    assert "round 1: seat 1 has a net of" in result.stdout
    answer = json.loads(run(path, "--json").stdout)
    assert (answer["whole"], answer["findings"][0]["about"]) == (False, "money")


def test_rounds_are_settled_again_only_on_request(path: Path) -> None:
    write_journal(path, changed(played_rows(), "round", 0, paid_and_net))
    assert run(path).exit_code == 0
    result = run(path, "--rules")
    assert (result.exit_code, "by the rules" in result.stdout) == (1, True)


def test_the_public_key_is_given_as_digits_or_as_a_file(path: Path, whole: list[JournalRow]) -> None:
    assert whole
    path.with_name("public").write_text(PUBLIC + "\n")
    assert run(path, "--public", PUBLIC).exit_code == 0
    assert run(path, "--public", path.with_name("public")).exit_code == 0
    assert run(path, "--public", "00" * 32).exit_code == 1


def test_a_noted_hash_is_compared(path: Path, whole: list[JournalRow]) -> None:
    noted = f"5:{whole[4].hash.hex()}"
    assert run(path, "--expect", noted, "--expect", f"9:{whole[8].hash.hex()}").exit_code == 0
    assert run(path, "--expect", noted.replace("5:", "6:")).exit_code == 1


def test_anchors_of_a_file_are_compared(path: Path, whole: list[JournalRow]) -> None:
    anchors = path.with_name("anchors.txt")
    grouped = re.sub(r"(.{8})", r"\1 ", whole[4].hash.hex())
    anchors.write_text(f"# of the day\n5: {grouped} # slip 12\n\n9:{whole[8].hash.hex().upper()}\n")
    assert run(path, "--anchor", anchors).exit_code == 0
    anchors.write_text(f"5:{whole[4].hash.hex()}\n9:{whole[7].hash.hex()}\n")
    result = run(path, "--anchor", anchors)
    assert (result.exit_code, f"row 9: its hash is {whole[8].hash.hex()}" in result.stdout) == (1, True)


def test_the_first_anchor_that_differs_is_named(path: Path, whole: list[JournalRow]) -> None:
    wrong = [f"{row}:{'00' * 32}" for row in (len(whole) + 1, 9, 7)]
    right = f"5:{whole[4].hash.hex()}"
    result = run(path, "--json", *(word for each in (*wrong, right) for word in ("--anchor", each)))
    texts = {each["row"]: each["text"] for each in json.loads(result.stdout)["findings"]}
    assert list(texts) == [7, 9, len(whole) + 1]
    assert texts[7].endswith("It is the first anchor that differs; the anchor of row 5 is right")
    assert not any("first anchor" in text for row, text in texts.items() if row > 7)


def test_a_journal_that_was_cut_back_lacks_its_anchor(path: Path, whole: list[JournalRow]) -> None:
    result = run(path, "--anchor", f"{len(whole) + 5}:{'ab' * 32}")
    assert result.exit_code == 1
    assert f"row {len(whole) + 5}: it is not there" in result.stdout
    assert "It is the first anchor that differs; no anchor before it is right" in result.stdout


def test_an_anchor_of_a_removed_file_is_not_called_a_difference(path: Path, whole: list[JournalRow]) -> None:
    oldest = closed_files(path)[0]
    first = int(oldest.stem.partition("-")[2]) + 1
    oldest.unlink()
    said = run(path, "--anchor", f"5:{whole[4].hash.hex()}").stdout
    assert f"row 5: it is not there, because the journal begins with row {first}" in said
    assert "first anchor that differs" not in said


def test_a_file_of_anchors_with_another_line_is_refused(path: Path, whole: list[JournalRow]) -> None:
    anchors = path.with_name("anchors.txt")
    anchors.write_text(f"5:{whole[4].hash.hex()}\nrow nine\n")
    result = run(path, "--anchor", anchors)
    assert result.exit_code == 2
    assert f"--anchor {anchors}, line 2: 'row nine' is not allowed; allowed: ROW:HASH" in result.stderr


def test_the_configuration_names_the_journal(path: Path, whole: list[JournalRow]) -> None:
    assert whole
    config = path.with_name("table.toml")
    config.write_text(CONFIG)
    assert run("--config", config).exit_code == 0
    config.write_text(CONFIG.replace('"journal.sqlite"', '"journal.sqlite"\nmirror = "absent"'))
    result = run("--config", config)
    assert (result.exit_code, "absent is not there" in result.stdout) == (1, True)


def test_a_named_mirror_is_compared(path: Path, whole: list[JournalRow]) -> None:
    assert whole
    assert run(path, "--mirror", path).exit_code == 0
    assert run(path, "--mirror", path.with_name("absent")).exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "no journal is named"),
        (("JOURNAL", "--config", "x.toml"), "is not allowed with --config"),
        (("--config", "absent.toml"), "absent.toml cannot be read"),
        (("JOURNAL", "--public", "absent"), "--public absent: No such file"),
        (("JOURNAL", "--anchor", "5"), "--anchor '5' is not allowed; allowed: ROW:HASH"),
        (("JOURNAL", "--expect", f"0:{'00' * 32}"), "is not allowed; allowed: ROW:HASH"),
    ],
)
def test_contradictory_options_are_refused(arguments: tuple[str, ...], says: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert says in result.stderr


def test_a_file_without_a_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("nothing")
    result = run("JOURNAL", "--public", tmp_path / "key")
    assert (result.exit_code, "no key is in there" in result.stderr) == (2, True)


def test_a_missing_journal_is_named(tmp_path: Path) -> None:
    result = run(tmp_path / "absent")
    assert result.exit_code == 1
    assert result.stderr == f"tableside: journal {tmp_path / 'absent'} is not there\n"
