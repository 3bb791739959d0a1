"""The rules, their tests, the scrape example and the dashboard are valid, complete, and use metrics that
exist."""

import json
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from controller.access.certificate import make
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.web_metrics import WebMetrics
from tests.fixtures.command_line import called, commands
from tests.fixtures.metrics import exposed
from tests.prometheus.rules import FOLDER, RULES, TESTS, asked, cases, panels, promtool, rules
from tests.test_docs import OPTION, page, rows, shown

VERDICT = re.compile(
    r"^Unit Testing:\s+(\S+)\.test\.yml\n(.*?)(?=^Unit Testing|\Z)", re.MULTILINE | re.DOTALL
)
CHANGES = ("never", "at once", "always")
UNITS = {"none", "s", "bytes", "percentunit", "celsius", "currencyUSD"}


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Every metric of a table; counters under the name that queries use."""
    metrics = exposed(tmp_path_factory.mktemp("house")) + WebMetrics(ChangeNotifier())()
    families = text_string_to_metric_families(metrics)
    return {"up"} | {family.name + "_total" * (family.type == "counter") for family in families}


def test_promtool_takes_all_files() -> None:
    assert promtool("check", "rules", RULES.name)[0] == 0
    assert promtool("check", "config", "prometheus.yml")[0] == 0
    status, said = promtool("test", "rules", TESTS.name)
    assert status == 0, said


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule["alert"])
def test_a_rule_says_what_is_wrong_where_and_what_to_do(rule: dict[str, Any]) -> None:
    annotations = rule["annotations"]
    assert rule["labels"]["severity"] in {"critical", "warning"}
    assert annotations.keys() == {"summary", "description"}
    assert len(annotations["summary"]) < 120
    assert len(annotations["description"].split(". ")) >= 2
    if rule["alert"] != "TablesideAbsent":
        assert "{{ $labels.instance }}" in annotations["summary"]


def test_commands_that_are_to_be_typed_exist() -> None:
    text = " ".join(rule["annotations"]["description"] for rule in rules())
    for words in map(str.split, re.findall(r'"tableside ([^"]+)"', text)):
        assert called(words) in commands()
        assert {word for word in words if word.startswith("--")} <= {*OPTION.findall(shown(called(words)))}


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule["alert"])
def test_a_rule_asks_for_metrics_that_there_are(rule: dict[str, Any], known: set[str]) -> None:
    metrics = set(asked(rule["expr"]))
    assert metrics
    assert metrics <= known


def test_every_rule_has_a_test_and_a_line_in_the_docs() -> None:
    names = {rule["alert"] for rule in rules()}
    assert names <= {case["name"] for case in cases()}
    assert names == {
        cells[0].strip("`") for cells in rows(page("monitoring.md")) if cells[0].startswith("`Table")
    }


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What promtool says of the tests of each changed rule, by the name of the change. It tests all of them
    in one run, because its start takes longer than a test."""
    folder = tmp_path_factory.mktemp("changed")
    document = yaml.safe_load(TESTS.read_text("utf-8"))
    names = [_written(folder, document, rule, change) for rule in rules() for change in CHANGES]
    _, said = promtool("test", "rules", *names, cwd=folder)
    return dict(VERDICT.findall(said))


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule["alert"])
@pytest.mark.parametrize("change", CHANGES)
def test_the_rule_tests_notice_a_changed_rule(
    rule: dict[str, Any], change: str, verdicts: dict[str, str]
) -> None:
    """A rule that never fires, does not wait, or fires for every table."""
    verdict = verdicts[_name(rule, change)]
    assert "FAILED" in verdict, "a test that passes"
    assert "got:" in verdict, verdict  # not a file that promtool cannot read


def _name(rule: dict[str, Any], change: str) -> str:
    return f"{rule['alert']}-{change.replace(' ', '-')}"


def _written(folder: Path, document: dict[str, Any], rule: dict[str, Any], change: str) -> str:
    """The file with the tests of this rule; they test the changed rule alone."""
    changed = {
        "never": {"expr": f"({rule['expr']}) and on () vector(0) > 0"},
        "at once": {"for": "0s" if "for" in rule else "1h"},
        "always": {"expr": 'label_replace(vector(1), "instance", "table-8", "", "")'},
    }[change]
    name, tests = _name(rule, change), [case for case in document["tests"] if case["name"] == rule["alert"]]
    groups = [{"name": "one", "rules": [{**rule, **changed}]}]
    (folder / f"{name}.rules.yml").write_text(json.dumps({"groups": groups}))
    one = {**document, "rule_files": [f"{name}.rules.yml"], "tests": tests}
    (folder / f"{name}.test.yml").write_text(json.dumps(one))
    return f"{name}.test.yml"


def test_the_example_of_a_scrape_finds_its_rules(tmp_path: Path) -> None:
    shutil.copy(FOLDER / "prometheus.yml", tmp_path)
    assert promtool("check", "config", "prometheus.yml", cwd=tmp_path)[0] != 0
    shutil.copy(RULES, tmp_path)
    assert promtool("check", "config", "prometheus.yml", cwd=tmp_path)[0] == 0


def test_the_example_of_a_table_with_tls_is_one_that_prometheus_accepts(tmp_path: Path) -> None:
    head, tables, alerting = (FOLDER / "prometheus.yml").read_text("utf-8").partition("# - job_name: table-8")
    lines = (tables + alerting).split("\n\n")[0].splitlines()
    example = "\n".join(f"  {line[2:]}" for line in lines)
    (tmp_path / "prometheus.yml").write_text(f"{head}\n{example}\n")
    shutil.copy(RULES, tmp_path)
    assert promtool("check", "config", "prometheus.yml", cwd=tmp_path)[0] != 0, "the files are missing"
    certificate = make("Table 8", ["table-8"], datetime.now(UTC), 1).certificate
    (tmp_path / "table-8.crt").write_bytes(certificate)
    (tmp_path / "metrics.token").write_text("00" * 32)
    assert promtool("check", "config", "prometheus.yml", cwd=tmp_path)[0] == 0


@pytest.mark.parametrize("panel", panels(), ids=lambda panel: panel["title"])
def test_a_panel_asks_for_metrics_that_there_are(panel: dict[str, Any], known: set[str]) -> None:
    assert panel["targets"]
    for target in panel["targets"]:
        metrics = set(asked(target["expr"]))
        assert metrics
        assert metrics <= known
        assert '{instance=~"$table"' in target["expr"]


@pytest.mark.parametrize("panel", panels(), ids=lambda panel: panel["title"])
def test_a_panel_has_a_unit_and_a_place_of_its_own(panel: dict[str, Any]) -> None:
    assert panel["fieldConfig"]["defaults"]["unit"] in UNITS
    assert not [other["title"] for other in panels() if other is not panel and _overlap(panel, other)]


def _overlap(one: dict[str, Any], other: dict[str, Any]) -> bool:
    a, b = one["gridPos"], other["gridPos"]
    beside = a["x"] + a["w"] <= b["x"] or b["x"] + b["w"] <= a["x"]
    return one["id"] != other["id"] and not beside and a["y"] < b["y"] + b["h"] and b["y"] < a["y"] + a["h"]


def test_expressions_of_the_dashboard_are_good(tmp_path: Path) -> None:
    """Prometheus' own parser reads them as rules."""
    rule_list = [
        {"record": "one", "expr": target["expr"].replace("$table", "x")}
        for panel in panels()
        for target in panel["targets"]
    ]
    groups = [{"name": str(number), "rules": [rule]} for number, rule in enumerate(rule_list)]
    (tmp_path / "dashboard.yml").write_text(yaml.safe_dump({"groups": groups}))
    status, said = promtool("check", "rules", "dashboard.yml", cwd=tmp_path)
    assert status == 0, said
