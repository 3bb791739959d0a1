"""The audit log: who did what."""

from dataclasses import fields, is_dataclass
from itertools import product
from pathlib import Path
from unicodedata import normalize

import pytest

from controller.journal.errors import JournalError
from controller.journal.history import TimeSpan
from controller.past.recall.audit import AUDIT_SORTS, ON_REQUEST_ONLY, AuditLine, AuditQuery, audit
from controller.table.record import events
from controller.table.record.codec import to_row
from controller.table.record.events import (
    Acknowledged,
    ClaimStep,
    ConsoleKey,
    DealerOn,
    FloorCommand,
    Input,
    LampTest,
    MeterCorrection,
    Supervisor,
)
from controller.table.record.kinds import KINDS
from controller.table.record.notes import (
    Accessed,
    FirmwareUpdated,
    KeyUndone,
    MakerKeyReplaced,
    Note,
    Overridden,
    Refusal,
    RequestMoved,
    RoundCorrected,
)
from tests.fixtures.journal_files import build, overwrite
from tests.fixtures.random_nights import kept

PERSONS = frozenset({"who", "second", "croupier", "supervisor", "by"})
TOLD: tuple[tuple[Input | Note, str, tuple[str, ...], str], ...] = (
    (
        Accessed("signed in", "Ann", "supervisor", "10.0.0.7"),
        "access",
        ("Ann",),
        "signed in as supervisor at 10.0.0.7",
    ),
    (Accessed("refused", "Eve", text="no such person"), "access", ("Eve",), "refused: no such person"),
    (
        Supervisor("void", "Ann", "cards fell", None, "Bob"),
        "decision",
        ("Ann", "Bob"),
        "voided the round: cards fell",
    ),
    (
        Supervisor("card", "Ann", "read by eye", "9h"),
        "decision",
        ("Ann",),
        "put the card that waited where the next one was due: read by eye",
    ),
    (
        Supervisor("entry", "Tom", "new fuse", None, device="shoe", licence="L-7"),
        "decision",
        ("Tom",),
        "opened a case of shoe, licence L-7: new fuse",
    ),
    (
        RoundCorrected(7, 2, 1, 3, "Ks", "Kh", "Ann", "seen", "Bob", (), (), ()),
        "decision",
        ("Ann", "Bob"),
        "round 7, seat 2, hand 1, card 3: Ks is Kh: seen",
    ),
    (
        KeyUndone(7, "hit", 2, None, "Ann", "", "pressed by mistake", ()),
        "decision",
        ("Ann",),
        "took back hit of seat 2 in round 7: pressed by mistake",
    ),
    (
        RequestMoved(3, "void", "open", "Dana", "cards fell", 1, (), (), "Dana"),
        "request",
        ("Dana",),
        "request 3: void: cards fell",
    ),
    (
        RequestMoved(3, "void", "open", "Dana", "cards fell", 2, ("Ann",), (), "Ann", "seen"),
        "request",
        ("Dana", "Ann"),
        "request 3, void, granted by Ann, 1 of 2: seen",
    ),
    (
        RequestMoved(3, "void", "granted", "Dana", "cards fell", 1, ("Ann",), (), "Ann", "seen"),
        "request",
        ("Dana", "Ann"),
        "request 3, void, granted by Ann: seen",
    ),
    (ClaimStep(2, "verify", "Ann", "seen"), "claim", ("Ann",), "verify claim 2: seen"),
    (
        MeterCorrection("blazing-7s", 123_456, "Ann", "Bob", "counted"),
        "meter",
        ("Ann", "Bob"),
        "set blazing-7s to 1234.56: counted",
    ),
    (Acknowledged(5, "Ann"), "alert", ("Ann",), "has seen alert 5"),
    (DealerOn("Dana"), "dealer", ("Dana",), "deals from now on"),
    (DealerOn(""), "dealer", (), "nobody deals any more"),
    (events.TestMode(True, "Tom", "new lamps"), "test", ("Tom",), "test mode on: new lamps"),
    (LampTest("win", "Tom"), "test", ("Tom",), "had the lamps show win"),
    (
        events.LampReported(3, "main", False, "Tom"),
        "test",
        ("Tom",),
        "said that the lamp of seat 3, main, is faulty",
    ),
    (
        FirmwareUpdated("shoe", "Ann", "Tom", "1.0", 2, "", "confirmed", ""),
        "firmware",
        ("Ann", "Tom"),
        "firmware of shoe, 1.0 to 2: confirmed",
    ),
    (
        MakerKeyReplaced("shoe", "Ann", "Tom", 3, "ab" * 32, "replaced", ""),
        "firmware",
        ("Ann", "Tom"),
        "key of the maker of shoe, generation 3: replaced",
    ),
    (
        Overridden(7, "nobody can sign in"),
        "override",
        ("override",),
        "root did what row 7 says, without signing in: nobody can sign in",
    ),
    (
        FloorCommand(
            "c1", "grant", "Flo", "supervisor", "on camera", "", "", b"", b"", b"", second="Ann", request=4
        ),
        "floor",
        ("Flo", "Ann"),
        "commanded from the floor: grant request 4: on camera",
    ),
    (Refusal("void", 0, "a seat is paid", "Ann"), "refusal", ("Ann",), "void was refused: a seat is paid"),
)
UNTOLD: tuple[Input | Note, ...] = (
    ConsoleKey("hit", 2, 0, "Dana"),
    Supervisor("correct", "Ann", "a row of its own tells", "9h"),
    Refusal("hit", 2, "nobody said who", ""),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal of three files."""
    rows = [to_row(float(at), record) for at, (record, *_) in enumerate(TOLD)]
    rows += [to_row(100.0, record) for record in UNTOLD]
    build(tmp_path / "t.db", (rows[:7], rows[7:13], rows[13:]))
    return tmp_path / "t.db"


def lines(path: Path, asked: AuditQuery) -> list[AuditLine]:
    return list(audit(path, asked).lines)


def test_every_kind_that_names_a_person_has_a_heading_or_a_reason_to_have_none() -> None:
    for kind in KINDS:
        assert (kind.heading is not None) + bool(kind.unaudited) == _names(kind.record), kind.name


def _names(record: type) -> bool:
    return is_dataclass(record) and any(field.name in PERSONS for field in fields(record))


def test_every_kind_is_described_by_its_sentence(path: Path) -> None:
    said = [*lines(path, AuditQuery()), *lines(path, AuditQuery(sort="refusal"))]
    found = {(line.at, line.sort, line.persons, line.text) for line in said}
    assert found == {(float(at), *expected[1:]) for at, expected in enumerate(TOLD)}
    assert {sort for _, sort, *_ in TOLD} == set(AUDIT_SORTS)


def test_no_card_that_waited_is_named(path: Path) -> None:
    assert not [line for line in lines(path, AuditQuery()) if "9h" in line.text]


def test_lines_are_found_by_person_kind_text_and_time(path: Path) -> None:
    persons, spans = ("", "Ann", "bob", "DANA", "\uff22o\uff42", "nobody"), (TimeSpan(), TimeSpan(3.0, 9.0))
    for person, text, sort, span in product(persons, ("", "seen", "SHOE"), ("", *AUDIT_SORTS), spans):
        found = lines(path, AuditQuery(person, sort, text, span))
        assert [line.at for line in found] == _expected(person, text, sort, span)


def _expected(person: str, text: str, sort: str, span: TimeSpan) -> list[float]:
    return [
        float(at)
        for at, (_, kind, persons, said) in reversed([*enumerate(TOLD)])
        if (not person or any(normalize("NFKC", person).lower() in name.lower() for name in persons))
        and text.lower() in said.lower()
        and (kind == sort if sort else kind not in ON_REQUEST_ONLY)
        and span.since <= at < span.until
    ]


def test_the_audit_log_is_read_page_by_page(path: Path) -> None:
    whole, found, before = audit(path, AuditQuery(), 100), list[AuditLine](), 1 << 53
    while before:
        log = audit(path, AuditQuery(before=before), 4)
        found += log.lines
        before = log.before
    assert (tuple(found), whole.before) == (whole.lines, 0)


def test_an_unknown_sort_of_line_is_refused() -> None:
    with pytest.raises(ValueError, match="sort = 'crime': not allowed; allowed: access, decision"):
        AuditQuery(sort="crime")


def test_damage_in_the_journal_is_reported(path: Path) -> None:
    overwrite(path, b"new lamps", b"old lamps")
    with pytest.raises(JournalError, match="is damaged: row"):
        lines(path, AuditQuery())


def test_an_audit_that_takes_too_long_goes_on_before_its_last_row(tmp_path: Path) -> None:
    kept(tmp_path / "t.db", files=(6, 5))
    whole = audit(tmp_path / "t.db", AuditQuery(), 999).lines
    page = audit(tmp_path / "t.db", AuditQuery(), 999, seconds=-1)
    rest = audit(tmp_path / "t.db", AuditQuery(before=page.before), 999)
    assert page.lines
    assert (*page.lines, *rest.lines) == whole
