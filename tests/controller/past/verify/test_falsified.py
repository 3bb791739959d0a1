"""Falsified journals with every hash computed anew: only meters, money or signatures give them away."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.journal.chain import RowContent
from controller.journal.signing import Signer
from controller.past.verify.external import VerifyDemands
from controller.property.commands import Command
from controller.property.signed import SignedMessage
from controller.table.record.codec import to_row
from controller.table.record.events import FloorCommand
from tests.fixtures.jackpot_table import SPOT
from tests.fixtures.journal_table import (
    SIGNER,
    RowChange,
    changed,
    findings,
    played_rows,
    write_journal,
)

OTHER = Signer(bytes(range(1, 33)))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.db"


def test_what_a_table_writes_is_whole(path: Path) -> None:
    write_journal(path, played_rows())
    assert findings(path, VerifyDemands(public=SIGNER.public)) == []


def add(*names: str, by: int = 1) -> RowChange:
    """Increases a number in a body."""

    def change(body: dict[str, Any]) -> None:
        for name in names[:-1]:
            body = body[name]
        body[names[-1]] += by

    return change


@pytest.mark.parametrize(
    ("kind", "place", "change", "says"),
    [
        ("meter", 1, add("before"), f"jackpot {SPOT} is at 10000.31; by row"),
        ("meter", 1, add("after"), f"jackpot {SPOT}: moved to 10000.61; its books show 10000.60"),
        ("meter", 0, add("books", "paid"), "the books do not balance: contributions + seeds are not"),
        ("meter", 0, add("books", "display", by=-(10**12)), "the books do not balance: an amount under 0"),
        ("snapshot", 0, add("meters", SPOT, "display"), f"jackpot {SPOT}: the books do not balance"),
        ("snapshot", 3, add("number"), ""),
    ],
)
def test_a_falsified_meter_is_found(path: Path, kind: str, place: int, change: RowChange, says: str) -> None:
    write_journal(path, changed(played_rows(), kind, place, change))
    found = [text for about, _, text in findings(path) if about == "meter"]
    assert (says in found[0]) if says else not found


def shift(body: dict[str, Any]) -> None:
    """Money from nowhere, in books that balance."""
    body["books"]["seeds"] += 10_000
    body["books"]["display"] += 10_000
    body["after"] += 1


def paid_less(body: dict[str, Any]) -> None:
    body["books"]["contributions"] -= 10_000
    body["books"]["begun"] = 0
    body["books"]["seeds"] += 10_000


def test_a_gap_between_two_meter_amounts_is_found(path: Path) -> None:
    parts = changed(played_rows(), "meter", 0, shift)
    write_journal(path, parts)
    found = findings(path, VerifyDemands(by_rules=False))
    assert [about for about, _, _ in found] == ["meter"]
    assert found[0][2].startswith(f"journal {path}.archive/")
    assert f"jackpot {SPOT} has the books" in found[0][2] or "is at 10000.30" in found[0][2]


def test_missing_contributions_are_found(path: Path) -> None:
    write_journal(path, changed(played_rows(), "meter", 3, paid_less))
    assert any("contributions are" in text for _, _, text in findings(path))


def test_a_removed_movement_is_found(path: Path) -> None:
    parts = played_rows()
    at = next(at for at, row in enumerate(parts[1]) if row.kind == "meter")
    del parts[1][at]
    write_journal(path, parts)
    assert any("by row" in text for about, _, text in findings(path) if about == "meter")


def test_a_falsified_snapshot_of_a_later_file_is_found(path: Path) -> None:
    def more(body: dict[str, Any]) -> None:
        body["meters"][SPOT]["display"] += 10_000
        body["meters"][SPOT]["seeds"] += 10_000

    parts = played_rows()
    place = sum(row.kind == "snapshot" for row in parts[0])
    write_journal(path, changed(parts, "snapshot", place, more))
    found = [text for about, _, text in findings(path) if about == "meter"]
    assert "0000000" in found[0]
    assert found[0].count(SPOT) == 1
    assert "by row" in found[0]


def paid_more(body: dict[str, Any]) -> None:
    body["round"]["lines"][0]["paid"] += 500


def paid_and_net(body: dict[str, Any]) -> None:
    paid_more(body)
    body["round"]["seats"][0]["net"] += 500


class TestMoney:
    def test_a_net_that_is_not_what_its_lines_come_to(self, path: Path) -> None:
        write_journal(path, changed(played_rows(), "round", 0, paid_more))
        about, row, text = findings(path, VerifyDemands(by_rules=False))[0]
        assert (about, row > 0) == ("money", True)
        assert "round 1: seat 1 has a net of " in text
        assert "; its lines come to " in text

    def test_a_net_and_lines_that_are_not_by_the_rules(self, path: Path) -> None:
        write_journal(path, changed(played_rows(), "round", 0, paid_and_net))
        assert findings(path, VerifyDemands(by_rules=False)) == []
        found = findings(path)
        assert {about for about, _, _ in found} == {"money"}
        assert any("paid" in text and "by the rules" in text for _, _, text in found)

    def test_a_share_that_no_meter_lost(self, path: Path) -> None:
        def share(body: dict[str, Any]) -> None:
            line = next(line for line in body["round"]["lines"] if line["pays"] == "10%")
            line["paid"] += 500
            body["round"]["seats"][line["seat"] - 1]["net"] += 500

        write_journal(path, changed(played_rows(), "round", 1, share))
        found = findings(path, VerifyDemands(by_rules=False))
        assert [about for about, _, _ in found] == ["money"]
        assert "round 2: jackpot blazing-7s fell by 1000.06; the lines paid 1005.06 of it" in found[0][2]

    def test_a_round_that_was_taken_out(self, path: Path) -> None:
        parts = played_rows()
        parts[0] = [row for row in parts[0] if row.kind != "round"] + parts[0][-1:]
        write_journal(path, [parts[0], *parts[1:]])
        assert all(about != "chain" for about, _, _ in findings(path))

    def test_rounds_whose_numbers_leave_a_gap(self, path: Path) -> None:
        write_journal(path, changed(played_rows(), "round", 3, lambda body: body["round"].update(number=9)))
        found = [text for about, _, text in findings(path, VerifyDemands(by_rules=False)) if about == "money"]
        assert "round 9; it should be 4" in found[0]
        assert "round 5; it should be 10" in found[1]

    @pytest.mark.parametrize("kind", ["meter", "snapshot", "round"])
    def test_a_body_that_makes_no_sense(self, path: Path, kind: str) -> None:
        write_journal(path, changed(played_rows(), kind, 0, lambda body: body.clear()))
        found = findings(path)
        if kind == "snapshot":
            assert found == []
        else:
            assert f"it makes no sense as a row of kind {kind}" in found[0][2]


class TestCheckpoints:
    def test_the_keys_that_signed_are_told(self, path: Path) -> None:
        write_journal(path, played_rows(), OTHER)
        found = findings(path, VerifyDemands(public=SIGNER.public))
        assert {about for about, _, _ in found} == {"checkpoint"}
        assert f"signed by {OTHER.public.hex()}; it should be by {SIGNER.public.hex()}" in found[1][2]
        assert found[0][2].endswith(f"no row is signed by {SIGNER.public.hex()}")

    def test_none_is_there_where_one_is_demanded(self, path: Path) -> None:
        write_journal(path, played_rows(), None)
        assert findings(path) == []
        assert [text for _, _, text in findings(path, VerifyDemands(public=SIGNER.public))] == [
            f"journal {path}: no row is signed by {SIGNER.public.hex()}"
        ]

    @pytest.mark.parametrize("field", ["signature", "public", "hash"])
    def test_one_that_is_forged(self, path: Path, field: str) -> None:
        parts = played_rows()
        whole = write_journal(path, parts)
        signed = [entry.content for entry in whole if entry.content.kind == "checkpoint"]
        parts[-1].append(signed[0])
        path_again = path.with_name("again.db")
        body = changed([[signed[0]]], "checkpoint", 0, lambda body: body.update({field: "00" * 32}))
        parts[-1][-1] = body[0][0]
        write_journal(path_again, parts)
        found = findings(path_again)
        assert [about for about, _, _ in found] == ["checkpoint"]
        assert "its signature is not one of row" in found[0][2]

    def test_one_that_was_moved(self, path: Path) -> None:
        parts = played_rows()
        whole = write_journal(path, parts)
        signed = next(entry.content for entry in whole if entry.content.kind == "checkpoint")
        parts[-1].insert(3, signed)
        again = path.with_name("again.db")
        write_journal(again, parts)
        assert [about for about, _, _ in findings(again)] == ["checkpoint"]


def command_rows(**changes: Any) -> list[list[RowContent]]:
    """A journal with a command of the floor, whose row was changed."""
    about = {"nonce": "0" * 32}
    given = {"v": 1, "id": "c1", "table": "t7", "epoch": "0" * 16, "command": "close", "about": about}
    payload = json.dumps(
        given | {"text": "a drill", "who": "Flo", "role": "supervisor", "issued": 1}
    ).encode()
    message = SignedMessage.make("ts.house.command.t7.close", payload, OTHER)
    row = FloorCommand.of(Command.read(payload), message)
    *before, last = played_rows()
    return [*before, [*last, to_row(last[-1].at, replace(row, **changes))]]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({}, ""),
        ({"who": "Bob"}, "it differs from what was signed: who"),
        ({"command": "message"}, "it differs from what was signed: command"),
        ({"payload": b"{}"}, "the signature is wrong"),
        ({"signature": bytes(64)}, "the signature is wrong"),
        ({"key": SIGNER.public}, "the signature is wrong"),
        ({"subject": "ts.house.command.t8.close"}, "the signature is wrong"),
    ],
)
def test_a_falsified_command_of_the_floor_is_found(path: Path, changes: dict[str, object], says: str) -> None:
    write_journal(path, command_rows(**changes))
    found = [text for about, _, text in findings(path) if about == "floor"]
    assert (says in found[0]) if says else not found
