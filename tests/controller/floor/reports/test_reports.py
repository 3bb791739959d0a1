"""Reports over tables, compared with the reports that each table makes from its own journal."""

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from controller.calendar import Calendar, Period, ReportSettings
from controller.commands.app import app
from controller.floor.day_file import JournalName
from controller.floor.reports.of_table import table_report
from controller.floor.reports.reconciliation import HEADINGS, WAGERS, reconciliation_lines
from controller.floor.reports.report import FloorReport, floor_report
from controller.floor.store import FloorArchive
from controller.past.reports.json_form import report_json
from controller.past.reports.making import make_report
from controller.past.reports.report import Report, ReportRequest
from tests.fixtures.jackpot_table import IN, LOSES
from tests.fixtures.random_nights import GAME, kept
from tests.fixtures.reconciled_floor import LIFT, ReconciledFloor
from tests.fixtures.stored_floor import DAY, StoredFloor

NAMES = {seed: JournalName(f"bj-{seed}", f"{seed:016x}") for seed in (2, 3)}
PITS = {"main": ("bj-2",), "high": ("bj-3",)}
CALENDAR = Calendar()
HOUSE = ReportSettings()


@dataclass(frozen=True, slots=True)
class House:
    folder: Path
    journals: dict[str, Path]

    @property
    def archive(self) -> FloorArchive:
        return FloorArchive(self.folder / "stores")

    def own(self, table: str, period: Period) -> Report:
        """The report that the table makes itself."""
        return make_report(self.journals[table], ReportRequest(period, HOUSE))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    """Two tables; the floor has each in two files."""
    folder = tmp_path_factory.mktemp("house")
    floor = StoredFloor(folder / "stores")
    journals = {name.table: folder / f"{name.table}.db" for name in NAMES.values()}
    rows = {name: kept(journals[name.table], seed, (14, 10)) for seed, name in NAMES.items()}
    for name, entries in rows.items():
        floor.take_all(entries[: len(entries) // 2], name=name)
    floor.now += DAY
    for name, entries in rows.items():
        middle = len(entries) // 2
        assert floor.take_all(entries[middle:], entries[middle - 1].hash, name) == []
    floor.close()
    return House(folder, journals)


def days(house: House) -> list[Period]:
    """The gaming days and the shifts of what was played."""
    found = table_times(house)
    first = CALENDAR.day_of(found[0])
    return [CALENDAR.day(first), *CALENDAR.shifts_of(first)]


def table_times(house: House) -> list[float]:
    with house.archive.open(house.archive.days()[0]) as file:
        return [at for (at,) in file.database.execute("SELECT at FROM round ORDER BY at")]


def rounds(report: FloorReport) -> int:
    return sum(line.figures.rounds for line in report.totals)


def test_the_sums_are_those_of_the_tables_own_reports(house: House) -> None:
    for period in days(house):
        report = floor_report(house.archive, period, CALENDAR, PITS)
        by_table = {line.name: line.figures for line in report.groups["table"]}
        for table in house.journals:
            own, found = house.own(table, period), by_table.get(table)
            assert (found.rounds if found else 0) == own.rounds
            assert (found.void if found else 0) == len(own.void)
            assert (found.corrected if found else 0) == len(own.corrected)
            if found and not found.unknown:
                assert (found.handle, found.win) == (own.wagers[-1].handle, own.wagers[-1].win)
        assert rounds(report) == sum(house.own(table, period).rounds for table in house.journals)


def test_every_group_adds_up_to_the_total(house: House) -> None:
    day = days(house)[0]
    report = floor_report(house.archive, day, CALENDAR, PITS)
    (total,) = report.totals
    assert total.figures.rounds > 0
    for lines in report.groups.values():
        assert sum(line.figures.rounds for line in lines) == total.figures.rounds
        assert sum(line.figures.win for line in lines) == total.figures.win
    assert [line.name for line in report.groups["pit"]] == ["high", "main"]
    assert [line.name for line in report.groups["game"]] == [GAME]


def test_the_dealers_are_those_of_the_tables_own_reports(house: House) -> None:
    day = days(house)[0]
    report = floor_report(house.archive, day, CALENDAR, PITS, ("bj-2",))
    own = {dealer.name: dealer.rounds for dealer in house.own("bj-2", day).dealers}
    assert {line.name: line.figures.rounds for line in report.groups["dealer"]} == own


def test_the_report_of_one_table_is_its_own_report(house: House) -> None:
    for seed, name in NAMES.items():
        for period in days(house):
            found = table_report(house.archive, name, ReportRequest(period, HOUSE))
            assert report_json(found) == report_json(house.own(f"bj-{seed}", period))


@pytest.fixture
def config(house: House) -> Path:
    path = house.folder / "floor.toml"
    pits = 'main = ["bj-2"]\nhigh = ["bj-3"]\n'
    path.write_text(f'property = "house"\nservers = ["nats://127.0.0.1:4222"]\n[pits]\n{pits}')
    return path


def report(config: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ["floor", "report", *words, "--config", str(config)])


def test_the_command_writes_sheets_and_json(config: Path, house: House, tmp_path: Path) -> None:
    day = days(house)[0]
    assert report(config, "--period", day.key, "--csv", str(tmp_path / "sheets")).exit_code == 0
    found = json.loads(report(config, "--period", day.key, "--json").output)
    text = (tmp_path / "sheets" / "tables.csv").read_text("utf-8-sig")
    lines = list(csv.DictReader(StringIO(text)))
    assert [line["table"] for line in lines] == ["bj-2", "bj-3", "total"]
    assert [int(line["rounds"]) for line in lines[:2]] == [line["rounds"] for line in found["tables"]]
    assert int(lines[2]["rounds"]) == found["totals"][0]["rounds"] > 0
    actions = (tmp_path / "sheets" / "actions.csv").read_text("utf-8-sig").splitlines()
    assert len(actions) == 1 + len(found["actions"]) > 1
    high = json.loads(report(config, "--period", day.key, "--pit", "high", "--json").output)
    assert [line["name"] for line in high["tables"]] == ["bj-3"]
    assert "by table" in report(config, "--period", day.key).output


@pytest.fixture
def linked(tmp_path: Path) -> Iterator[ReconciledFloor]:
    """A table with wagers that the progressive did not get, and a claim that agrees."""
    here = ReconciledFloor.opened(tmp_path / "stores")
    here.play(f"{IN} 7h 9c 7h 7h 8c Th 1:stand 2:stand pay {LIFT}")
    here.read_meter(wagers=1, wagered=100)
    here.decide(here.claim())
    here.store()
    here.follow()
    yield here
    here.close()


def test_the_report_of_a_gaming_day_reconciles_the_linked_progressives(
    tmp_path: Path, linked: ReconciledFloor
) -> None:
    path, day = tmp_path / "floor.toml", linked.floor.day.isoformat()
    path.write_text('property = "house"\nservers = ["nats://127.0.0.1:4222"]\n[pits]\nmain = ["bj-7"]\n')
    found = json.loads(report(path, "--period", day, "--json").output)["reconciliation"]
    assert found["differences"] == 1
    figures = {"rows": {"wagers": 2, "wagered": 200}, "progressive": {"wagers": 1, "wagered": 100}}
    assert found["levels"] == [{"level": "sevens", "currency": "", "minor_digits": 2, **figures}]
    (wagers,) = found["wagers"]
    assert (wagers["table"], wagers["rows"], wagers["differs"]) == ("bj-7", figures["rows"], True)
    (claim,) = found["claims"]
    assert (claim["row_state"], claim["state"], claim["differs"]) == ("open", "open", False)
    assert report(path, "--period", day, "--csv", str(tmp_path / "sheets")).exit_code == 0
    sheets = [(tmp_path / "sheets" / f"{name}.csv").read_text("utf-8-sig") for name in HEADINGS]
    lines, claims = (list(csv.DictReader(StringIO(text))) for text in sheets)
    assert [line["difference"] for line in lines] == ["1.00", "1.00"]
    assert [line["table"] for line in lines] == ["bj-7", "total"]
    assert [line["differs"] for line in claims] == [""]
    shift = f"{day} 06:00"
    assert json.loads(report(path, "--period", shift, "--json").output)["reconciliation"] is None


def test_a_report_over_other_tables_does_not_reconcile_these(linked: ReconciledFloor) -> None:
    period = CALENDAR.day(linked.floor.day)
    made = floor_report(linked.floor.store, period, CALENDAR, {}, ("bj-8",))
    assert made.reconciliation is not None
    assert (made.reconciliation.meters, made.reconciliation.claims) == ((), ())


def test_a_table_that_cannot_be_compared_yet_is_listed_without_its_figures(linked: ReconciledFloor) -> None:
    linked.floor.now += DAY
    linked.play(f"{IN} {LOSES} 1:stand 2:stand 9d pay {LIFT}")
    linked.read_meter(rounds=2, wagers=3, wagered=300)
    linked.follow()
    made = floor_report(linked.floor.store, CALENDAR.day(linked.floor.day), CALENDAR, {})
    assert made.reconciliation
    (line, total) = reconciliation_lines(made.reconciliation, WAGERS)
    assert (line[5], line[6], line[7]) == (None, None, 0)
    assert "have not arrived" in str(line[-1])
    assert total[5] == 0


def test_the_command_gives_the_report_of_one_table(config: Path, house: House) -> None:
    day = days(house)[0]
    found = json.loads(report(config, "--period", day.key, "--table", "bj-2", "--json").output)
    assert found == json.loads(json.dumps(report_json(house.own("bj-2", day))))


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--period", "someday"], "period: "),
        (["--pit", "low"], "pit = 'low': not allowed; allowed: main, high"),
        (["--table", "bj-9"], "table = 'bj-9': not stored; there is: bj-2"),
        (["--table", "bj-2", "--pit", "main"], "--table and --pit are not allowed together"),
        (["--json", "--csv", "x"], "--csv and --json are not allowed together"),
    ],
)
def test_a_report_that_is_not_allowed_names_the_field(config: Path, words: list[str], why: str) -> None:
    done = report(config, *words)
    assert done.exit_code == 2
    assert why in done.output
