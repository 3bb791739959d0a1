"""Two supervisors decide which journals the floor stores; the floor's incidents; and copies of journals."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from controller.access.accounts import Accounts
from controller.access.store import AccessStore
from controller.calendar import Calendar
from controller.commands.app import app
from controller.floor.batch import batches
from controller.floor.day_file import JournalName
from controller.floor.projector import Admission, Incident, Projector, ReceivedBatch
from controller.floor.recall.query import FloorQuery
from controller.floor.recall.search import FoundRound, search
from controller.floor.register import FloorRegister
from controller.floor.store import FloorArchive, FloorStore
from controller.journal.chain import START, chain_rows
from controller.journal.history import History
from controller.property.subjects import epoch_of
from tests.fixtures.access_desk import add_person
from tests.fixtures.journal_files import sample_rows
from tests.fixtures.random_nights import GAME, night
from tests.fixtures.stored_floor import StoredFloor

FIRST, SECOND = "correct horse battery", "staple correct horse"
ROWS = chain_rows(None, sample_rows(9))
NAME = JournalName("bj-1", epoch_of(ROWS[0].hash))
PUBLIC = bytes(range(32))
REQUEST = {
    "v": 1,
    "property": "house",
    "table": NAME.table,
    "epoch": NAME.epoch,
    "first": 1,
    "before": START.hex(),
    "public": PUBLIC.hex(),
    "nkey": "for another program",
}
PERSONS = ("--who", "Ann", "--second", "Bo", "--why", "new table")


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A floor with two supervisors and a technician."""
    path = tmp_path / "floor.toml"
    path.write_text('property = "house"\nservers = ["nats://127.0.0.1:4222"]\n')
    store = AccessStore(tmp_path / "access.db")
    accounts = Accounts(store)
    add_person(accounts, "Ann", "supervisor", FIRST)
    add_person(accounts, "Bo", "supervisor", SECOND)
    add_person(accounts, "Tim", "technician", FIRST)
    store.close()
    return path


def floor(config: Path, *words: str, secrets: tuple[str, ...] = (FIRST, SECOND)) -> Result:
    typed = "".join(f"{secret}\n" for secret in secrets)
    return CliRunner().invoke(app, ["floor", *words, "--config", str(config)], input=typed)


def register(config: Path) -> FloorRegister:
    return FloorRegister(config.parent / "stores", lambda: 1000.0)


def admissions(config: Path) -> dict[JournalName, Admission]:
    with register(config) as found:
        return found.admissions()


def test_two_supervisors_admit_and_remove_a_journal(config: Path) -> None:
    file = config.with_name("bj-1.json")
    file.write_text(json.dumps(REQUEST))
    done = floor(config, "admit", str(file), *PERSONS)
    assert done.exit_code == 0, done.output
    assert admissions(config) == {NAME: Admission(1, START, PUBLIC)}
    with register(config) as found:
        (decision,) = found.decisions()
    assert (decision.who, decision.second, decision.why) == ("Ann", "Bo", "new table")
    assert floor(config, "remove", "bj-1", *PERSONS).exit_code == 0
    assert admissions(config) == {}


def test_a_journal_is_admitted_once(config: Path) -> None:
    floor(config, "admit", json.dumps(REQUEST), *PERSONS)
    again = floor(config, "admit", json.dumps(REQUEST), *PERSONS)
    assert again.exit_code == 1
    assert "is admitted already" in again.output


NOTICE = ("notice", "bj-1", "--minutes", "120", "--persons", "Cy Tech", "--why", "lab test")
"""Without kind, begin and who enters it."""
LATER = "2099-11-27 09:00"


def notices(config: Path) -> list[dict[str, object]]:
    return list(json.loads(floor(config, "notices", "--json", secrets=()).output))


def test_a_supervisor_enters_a_notice_which_waits_for_the_own_journal(config: Path) -> None:
    floor(config, "admit", json.dumps(REQUEST), *PERSONS)
    words = ("--kind", "installation", "--software", "1.4.0", "--begins", LATER, "--who", "ann")
    done = floor(config, *NOTICE, *words, secrets=(FIRST,))
    assert done.exit_code == 0, done.output
    (entered,) = notices(config)
    assert (entered["kind"], entered["software"], entered["persons"]) == ("installation", "1.4.0", "Cy Tech")
    assert (entered["table"], entered["asset"], entered["who"]) == ("bj-1", "bj-1", "Ann")
    assert entered["counts"] is False
    listed = floor(config, "notices", secrets=()).output
    assert listed == (
        f"{LATER}  bj-1  installation of version 1.4.0, 120 minutes, Cy Tech: lab test; "
        "entered by Ann; waits for the floor's own journal\n"
    )


@pytest.mark.parametrize(
    ("words", "secret", "status", "why"),
    [
        (("--kind", "test", "--begins", "2026-01-01 09:00", "--who", "Ann"), FIRST, 2, "too soon"),
        (("--kind", "test", "--begins", "soon", "--who", "Ann"), FIRST, 2, "begins = 'soon': no time"),
        (("--kind", "fair", "--begins", LATER, "--who", "Ann"), FIRST, 2, "allowed: installation, test"),
        (("--kind", "test", "--begins", LATER, "--who", "Ann", "--minutes", "-1"), FIRST, 2, "minutes = -1"),
        (("--kind", "test", "--begins", LATER, "--who", "Ann"), SECOND, 1, "name or password is not right"),
        (("--kind", "test", "--begins", LATER, "--who", "Tim"), FIRST, 1, "Tim is a technician"),
    ],
)
def test_a_notice_that_is_not_allowed_is_not_entered(
    config: Path, words: tuple[str, ...], secret: str, status: int, why: str
) -> None:
    floor(config, "admit", json.dumps(REQUEST), *PERSONS)
    done = floor(config, *NOTICE, *words, secrets=(secret,))
    assert (done.exit_code, why in done.output) == (status, True), done.output
    assert notices(config) == []


def test_a_notice_about_an_unknown_table_names_the_known_ones(config: Path) -> None:
    with config.open("a") as more:
        more.write('[pits]\nmain = ["bj-4"]\n')
    words = ("--kind", "test", "--begins", LATER, "--who", "Ann")
    done = floor(config, *NOTICE, *words, secrets=(FIRST,))
    assert done.exit_code == 2
    assert "table = 'bj-1': not on this floor; allowed: bj-4" in done.output
    assert floor(config, "notices", secrets=()).output == "No notice has been entered.\n"


@pytest.mark.parametrize(
    ("who", "second", "secrets", "why"),
    [
        ("Ann", "Bo", (FIRST, FIRST), "name or password is not right"),
        ("Ann", "Tim", (FIRST, FIRST), "Tim is a technician; allowed: a supervisor"),
        ("Ann", "Ann", (FIRST, FIRST), "another person than Ann"),
        ("Ann", "Eve", (FIRST, FIRST), "Eve"),
    ],
)
def test_fewer_than_two_supervisors_admit_nothing(
    config: Path, who: str, second: str, secrets: tuple[str, ...], why: str
) -> None:
    persons = ("--who", who, "--second", second, "--why", "new table")
    done = floor(config, "admit", json.dumps(REQUEST), *persons, secrets=secrets)
    assert done.exit_code != 0
    assert why in done.output
    assert admissions(config) == {}


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("v", 2, "v = 2"),
        ("property", "other", "request of the property 'other'; allowed: 'house'"),
        ("table", "BJ 1", "table = 'BJ 1'"),
        ("epoch", "abc", "epoch = 'abc'"),
        ("first", 0, "first = 0"),
        ("before", "11" * 32, "the hash before row 1 is 0000"),
        ("public", "", "public = ''"),
    ],
)
def test_a_bad_request_is_refused_with_its_field(config: Path, field: str, value: object, why: str) -> None:
    done = floor(config, "admit", json.dumps({**REQUEST, field: value}), *PERSONS)
    assert done.exit_code == 2
    assert why in done.output
    assert admissions(config) == {}


def test_an_incident_is_listed_until_two_supervisors_settle_it(config: Path) -> None:
    assert floor(config, "incidents").exit_code == 0
    with register(config) as found:
        found.report(Incident("fork", NAME, 5, "row 4 has another hash than the one that is stored"))
    listed = floor(config, "incidents")
    assert listed.exit_code == 1
    assert (
        "1: fork, table bj-1, row 5, since 1970-01-01 00:16:40 UTC: row 4 has another hash" in listed.output
    )
    (shown,) = json.loads(floor(config, "incidents", "--json").stdout)
    assert (shown["number"], shown["kind"], shown["count"]) == (1, "fork", 1)
    assert floor(config, "settle", "2", *PERSONS).exit_code == 1
    assert floor(config, "settle", "1", *PERSONS).exit_code == 0
    assert floor(config, "incidents").exit_code == 0


def test_a_gap_is_accepted_where_its_rows_go_on(config: Path) -> None:
    floor(config, "admit", json.dumps(REQUEST), *PERSONS)
    with register(config) as found:
        found.report(Incident("gap", NAME, 5, "the rows 5 to 6 are missing", 6, ROWS[5].hash))
    assert floor(config, "accept-gap", "bj-1", *PERSONS).exit_code == 0
    with register(config) as found:
        assert found.accepted_gaps() == {NAME: Admission(7, ROWS[5].hash, PUBLIC)}
    other = floor(config, "accept-gap", "bj-2", *PERSONS)
    assert other.exit_code == 1
    assert f"journal bj-2: not known; there is: bj-1 {NAME.epoch}" in other.output


def stored(config: Path) -> str:
    """The floor stores a journal. Returns the gaming day."""
    with FloorStore(config.parent / "stores", Calendar(), lambda: 1000.0) as store:
        (batch,) = batches(START, ROWS)
        projector = Projector(store, {NAME: Admission(1, START, PUBLIC)})
        assert not projector.take([ReceivedBatch(NAME, 1, batch.headers(), batch.data)], 0)
        return store.days()[-1].isoformat()


def test_the_journal_of_a_table_is_written_from_what_is_stored(config: Path) -> None:
    stored(config)
    copy = config.with_name("copy.journal")
    done = floor(config, "journal", "bj-1", str(copy))
    assert done.exit_code == 0, done.output
    assert list(History(copy).rows()) == ROWS
    assert floor(config, "journal", "bj-1", str(copy)).exit_code == 1
    assert "not known" in floor(config, "journal", "bj-9", str(copy)).output


def test_a_day_is_derived_again_from_its_rows(config: Path) -> None:
    day = stored(config)
    done = floor(config, "rebuild", day)
    assert done.exit_code == 0, done.output
    assert done.output == f"{day}: 0 rounds from 9 rows of 1 journals\n"
    found = json.loads(floor(config, "rebuild", day, "--json").output)
    assert found == {"journals": 1, "rows": 9, "rounds": 0}


@pytest.mark.parametrize(
    ("day", "status", "why"),
    [
        ("yesterday", 2, "yesterday"),
        ("2001-01-01", 1, "2001-01-01: the floor has no file of this gaming day"),
    ],
)
def test_only_days_that_are_stored_can_be_derived_again(
    config: Path, day: str, status: int, why: str
) -> None:
    stored(config)
    done = floor(config, "rebuild", day)
    assert done.exit_code == status
    assert why in done.output


def played(config: Path) -> list[FoundRound]:
    """The floor stores a night of a table in a pit. Returns its rounds, newest first."""
    config.write_text(config.read_text() + '[pits]\nmain = ["bj-1"]\nhigh = ["bj-7"]\n')
    made = StoredFloor(config.parent / "stores")
    made.take_all(chain_rows(None, night(GAME, 2, (9,))[0]))
    made.close()
    return list(search(FloorArchive(config.parent / "stores"), FloorQuery()).rounds)


def test_rounds_are_found_on_the_command_line(config: Path) -> None:
    rounds = played(config)
    done = floor(config, "search", "--most", "4")
    assert done.exit_code == 0, done.output
    *lines, more = done.output.splitlines()
    assert [f"round {one.round.number} " in line for one, line in zip(rounds, lines, strict=False)] == [
        True
    ] * 4
    assert "There may be older ones" in more
    found = json.loads(floor(config, "search", "--json").output)
    assert found["before"] == ""
    assert [one["number"] for one in found["rounds"]] == [one.round.number for one in rounds]
    sheet = floor(config, "search", "--csv", "--outcome", "void").output.splitlines()
    assert sheet[0].startswith("table,journal,round,ended")
    assert len(sheet) == 1 + sum("void" in one.round.played.outcome for one in rounds)
    assert floor(config, "search", "--pit", "high").output == "No such round.\n"
    assert floor(config, "search", "--period", "2001-01-01").output == "No such round.\n"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--pit", "low"], "pit = 'low': not allowed; allowed: main, high"),
        (["--pit", "main", "--table", "bj-7"], "table = 'bj-7': not in the pit 'main'; allowed: bj-1"),
        (["--period", "someday"], "period: "),
        (["--seat", "12"], "seat = '12': not allowed; allowed: 1 to 9"),
        (["--cards", "1x"], "cards = "),
        (["--outcome", "lost"], "outcome = 'lost': not allowed"),
        (["--csv", "--json"], "--csv and --json are not allowed together"),
    ],
)
def test_a_search_that_is_not_allowed_names_the_field(config: Path, words: list[str], why: str) -> None:
    played(config)
    done = floor(config, "search", *words)
    assert done.exit_code == 2
    assert why in done.output
