"""The files of systemd/prometheus, as tests read them."""

import json
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parents[2] / "systemd" / "prometheus"
RULES = FOLDER / "tableside.rules.yml"
TESTS = FOLDER / "tableside.rules.test.yml"
CONFIG = FOLDER / "prometheus.yml"
DASHBOARD = FOLDER / "grafana" / "tableside.json"
METRIC = re.compile(r"\b(?:tableside|process)_\w+|\bup\b")


@cache
def rules() -> list[dict[str, Any]]:
    """All alerts."""
    groups = yaml.safe_load(RULES.read_text("utf-8"))["groups"]
    return [rule for group in groups for rule in group["rules"]]


@cache
def cases() -> list[dict[str, Any]]:
    """All tests of alerts."""
    case: list[dict[str, Any]] = yaml.safe_load(TESTS.read_text("utf-8"))["tests"]
    return case


@cache
def panels() -> list[dict[str, Any]]:
    """The dashboard's panels, without the rows between them."""
    answer = json.loads(DASHBOARD.read_text("utf-8"))["panels"]
    return [panel for panel in answer if panel["type"] != "row"]


def asked(expression: str) -> Iterator[str]:
    """The metrics of an expression; a histogram under its own name."""
    bare = re.sub(r'"[^"]*"', '""', expression)
    for name in METRIC.findall(bare):
        yield name.removesuffix("_bucket")


def promtool(*arguments: str, cwd: Path = FOLDER) -> tuple[int, str]:
    """Exit status and output."""
    done = subprocess.run(
        ["promtool", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=cwd,
        check=False,
    )
    return done.returncode, done.stdout
