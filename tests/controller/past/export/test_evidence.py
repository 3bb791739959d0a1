"""The evidence of a round, checked by nothing but the rules of its own README."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from controller.journal.history import History
from controller.past.export.evidence import evidence
from controller.past.export.proof import prove
from controller.round.settle import settle
from tests.controller.past.export.exporting import (
    FIRST,
    SECOND,
    SEVENS,
    SIGNER,
    append_checkpoint,
    bundle,
    export,
    table,
)
from tests.controller.past.slips.jackpot_hit import STEPS, end, jackpot_hit, take_steps
from tests.fixtures.played_journal import journal, played_table, replay


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with played_table(tmp_path) as at:
        at.play(FIRST)
        append_checkpoint(at)
        at.clear()
        at.play(SECOND)
        at.clear()
        at.play("1:main=500 close 2h")
    return tmp_path


def code(files: dict[str, bytes]) -> str:
    """The Python code of the README."""
    block = files["README.txt"].decode().split("With Python, and nothing else:\n\n")[1].split("\n\n")[0]
    return "\n".join(line.removeprefix("    ") for line in block.splitlines())


def recomputed(files: dict[str, bytes], folder: Path) -> None:
    """Recomputes as somebody would who has only the files."""
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    done = subprocess.run(
        ["python3", "-W", "ignore", "-c", code(files)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise ValueError(done.stderr)


@pytest.mark.parametrize("number", [1, 2])
def test_the_chain_and_the_sums_of_a_bundle_can_be_recomputed(
    folder: Path, tmp_path: Path, number: int
) -> None:
    files = bundle(folder, number)
    recomputed(files, tmp_path / "out")
    for line in files["SHA256SUMS"].decode().splitlines():
        digest, _, name = line.partition("  ")
        assert hashlib.sha256(files[name]).hexdigest() == digest
    manifest = json.loads(files["manifest.json"])
    assert {name: member["sha256"] for name, member in manifest["members"].items()} == {
        name: hashlib.sha256(files[name]).hexdigest()
        for name in files.keys() - {"manifest.json", "SHA256SUMS"}
    }
    assert (manifest["round"], manifest["outcome"], manifest["rules agree"]) == (number, "settled", True)
    assert manifest["game"] == "easy-jack"


def test_the_chain_joins_that_of_the_round_before(folder: Path) -> None:
    first, second = (json.loads(bundle(folder, number)["manifest.json"]) for number in (1, 2))
    assert second["rows"]["first"] == first["rows"]["round"] + 1
    assert second["chain"]["before"] == first["chain"]["round"]
    assert first["chain"]["before"] == "00" * 32


def test_a_changed_row_is_found(folder: Path, tmp_path: Path) -> None:
    files = bundle(folder)
    changed = files | {"rows.jsonl": files["rows.jsonl"].replace(b"6s", b"7s", 1)}
    with pytest.raises(ValueError, match="AssertionError"):
        recomputed(changed, tmp_path / "out")


def test_the_signature_holds_with_openssl(folder: Path, tmp_path: Path) -> None:
    files = bundle(folder)
    signed = json.loads(files["manifest.json"])["checkpoint"]
    assert signed["public"] == SIGNER.public.hex()
    rows = [json.loads(line) for line in files["rows.jsonl"].splitlines()]
    assert (rows[-1]["kind"], rows[-2]["row"], rows[-2]["hash"]) == (
        "checkpoint",
        signed["row"],
        signed["hash"],
    )
    (tmp_path / "line").write_text(f"tableside checkpoint 1 {signed['row']} {signed['hash']}")
    (tmp_path / "key").write_bytes(bytes.fromhex("302a300506032b6570032100" + signed["public"]))
    (tmp_path / "signature").write_bytes(bytes.fromhex(signed["signature"]))
    command = re.search(r"openssl (.+)", files["README.txt"].decode())
    assert command
    openssl = shutil.which("openssl")
    assert openssl
    done = subprocess.run(
        [openssl, *command[1].split()], cwd=tmp_path, capture_output=True, check=False, env=dict(os.environ)
    )
    assert done.returncode == 0, done.stderr


def test_a_signature_after_the_next_key_does_not_count(folder: Path) -> None:
    """Round 2 was not signed before the next key; a later signature does not count."""
    assert json.loads(bundle(folder, 2)["manifest.json"])["checkpoint"] is None


def test_a_wrong_signature_is_no_evidence(tmp_path: Path) -> None:
    with played_table(tmp_path) as at:
        at.play(FIRST)
        append_checkpoint(at)
        (row,) = (entry.content for entry in at.loop.journal.since(0) if entry.content.kind == "checkpoint")
        at.loop.journal.append([row])
        at.play("1:main=500")
        result = export(tmp_path, "--evidence", "1", "--output", str(tmp_path / "x.tar"))
    assert result.exit_code == 0


def test_the_same_journal_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    first, again = tmp_path / "a.tar", tmp_path / "b.tar"
    said = [
        export(folder, "--evidence", "1", "--output", str(path)).stderr.strip() for path in (first, again)
    ]
    assert first.read_bytes() == again.read_bytes()
    with played_table(folder) as at:
        append_checkpoint(at)
    assert first.read_bytes() == (bundle(folder), (folder / "bundle.tar").read_bytes())[1]
    found = evidence(prove(History(journal(folder)).rows(), 1))
    assert said == [f"tableside: evidence {found.hash}"] * 2
    assert found.hash == hashlib.sha256(found.manifest).hexdigest()


def test_another_round_has_another_hash(folder: Path) -> None:
    assert len({evidence(prove(History(journal(folder)).rows(), number)).hash for number in (1, 2)}) == 2


def test_the_round_is_also_given_in_plain_notation(folder: Path) -> None:
    files = bundle(folder)
    assert settle(files["script.json"].decode())["net"] == {"1": 500, "2": -800}
    assert json.loads(files["round.json"])["lines"][1]["paid"] == -700
    steps = files["steps.txt"].decode()
    assert "seat 1: 5h 6s = 11" in steps
    assert "The rules settle this round the same." in steps
    assert "5h 6s = 11" in replay(folder, "1").stdout


def test_every_edge_of_the_sensors_is_in_the_bundle(folder: Path) -> None:
    found = table(bundle(folder)["sensors.csv"])
    assert [(edge["seat"], edge["spot"], edge["edge"], edge["amount"]) for edge in found] == [
        ("1", "main", "chips", "5.00"),
        ("2", "main", "chips", "7.00"),
        ("2", "dealer-bust", "chips", "1.00"),
    ]
    assert [edge["device_us"] for edge in found] == ["1000", "2000", "3000"]
    lay = table(bundle(folder, 2)["sensors.csv"])
    assert [(edge["seat"], edge["edge"]) for edge in lay] == [
        ("1", "lay"),
        ("2", "lay"),
        ("2", "lay"),
        ("1", "none"),
        ("2", "none"),
        ("2", "none"),
        ("4", "chips"),
    ]


def test_every_change_of_a_lamp_is_in_the_bundle(folder: Path) -> None:
    found = [
        lamp for lamp in table(bundle(folder)["lamps.csv"]) if (lamp["seat"], lamp["spot"]) == ("1", "main")
    ]
    assert [lamp["lamp"] for lamp in found] == ["no bets", "open", "latched", "win", "open"]


def test_every_confirmation_by_a_person_is_in_the_bundle(tmp_path: Path) -> None:
    with played_table(tmp_path) as at:
        at.play("1:main=500 close 5h 1:double")
        at.supervise("void", why="cards fell down")
    found = table(bundle(tmp_path)["confirmations.csv"])
    assert [(line["who"], line["what"], line["seat"], line["why"]) for line in found][-2:] == [
        ("table", "refused: double", "1", found[-2]["why"]),
        ("Ann", "void", "", "cards fell down"),
    ]
    assert found[0]["what"] == "close"


def test_the_bundle_has_the_jackpots_of_its_round(tmp_path: Path) -> None:
    with played_table(tmp_path, "blackjack-x") as at:
        at.play(SEVENS)
    lamps = table(bundle(tmp_path)["lamps.csv"])
    assert ("1", "blazing-7s", "jackpot") in {(lamp["seat"], lamp["spot"], lamp["lamp"]) for lamp in lamps}


def test_claims_grow_and_change_nothing_else(tmp_path: Path) -> None:
    with jackpot_hit(tmp_path) as at:
        take_steps(at, *STEPS[:1])
        end(at)
        first = bundle(tmp_path)
        take_steps(at, *STEPS[1:])
        after = bundle(tmp_path)
    assert first["manifest.json"] == after["manifest.json"]
    assert [claim["state"] for claim in table(first["claims.csv"])] == ["pending", "confirmed"]
    claims = table(after["claims.csv"])
    assert [claim["state"] for claim in claims[2:]] == ["checked", "verified", "paid"]
    assert (claims[-1]["amount"], claims[-1]["second"], claims[-1]["payer"]) == (
        "10000.15",
        "B. Jones",
        "C. Young",
    )
    said = [line for line in table(after["confirmations.csv"]) if line["who"] == "Maria"]
    assert [(line["what"], line["why"]) for line in said] == [("confirm 1", "confirm: seen")]


def test_evidence_of_a_missing_round_is_refused(folder: Path, tmp_path: Path) -> None:
    result = export(folder, "--evidence", "9", "--output", str(tmp_path / "x.tar"))
    assert (result.exit_code, (tmp_path / "x.tar").exists()) == (1, False)
    assert result.stderr == "tableside: round 9 is not there, or has not ended yet; there are rounds 1 to 2\n"


def test_the_sealed_card_opens_as_the_readme_says(folder: Path) -> None:
    files = bundle(folder)
    rows = [json.loads(line) for line in files["rows.jsonl"].splitlines()]
    opened = json.loads(next(row["body"] for row in rows if row["kind"] == "opened"))
    sealed = json.loads(next(row["body"] for row in rows if row["row"] == opened["row"]))
    box = sealed["body"]["card_drawn"]["sealed"]["box"]
    given = {"KEY": opened["key"], "BOX": box, "ROW": str(opened["row"])}
    block = (
        files["README.txt"].decode().split("the three values put in their places:\n\n")[-1].split("\n\n")[0]
    )
    program = "\n".join(line.removeprefix("    ") for line in block.splitlines())
    for name, value in given.items():
        program = program.replace(f'"{name}"', f'"{value}"').replace(f" {name}\n", f" {value}\n")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [opened["card"], "True"]


def test_a_sheet_says_when_the_card_was_sealed_and_opened(folder: Path) -> None:
    heading, line = bundle(folder)["seals.csv"].decode().splitlines()
    row = dict(zip(heading.split(","), line.split(","), strict=True))
    assert (row["what"], row["same"]) == ("hole card", "yes")
    assert int(row["row"]) < int(row["opened_row"])
