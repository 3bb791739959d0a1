"""The services of the table are judged by what systemd says of them."""

from pathlib import Path

import pytest

from controller.doctor.services import check_services, service_findings
from tests.controller.doctor.examined import subject

UNIT = """\
Result={result}
NRestarts={restarts}
Id={name}.service
LoadState={loaded}
ActiveState={active}
SubState={sub}
"""


def unit(active: str, sub: str, loaded: str = "loaded", restarts: int = 0, result: str = "success") -> str:
    """As `systemctl show` prints it."""
    return UNIT.format(
        name="tableside", active=active, sub=sub, loaded=loaded, restarts=restarts, result=result
    )


@pytest.mark.parametrize(
    ("said", "status", "text", "todo"),
    [
        (unit("active", "running"), "ok", "active (running)", ""),
        (
            unit("active", "running", restarts=3),
            "warning",
            "it was restarted 3 times",
            "journalctl -u tableside",
        ),
        (unit("activating", "auto-restart"), "warning", "activating", "Ask again in a minute"),
        (unit("inactive", "dead"), "fault", "it does not run", "systemctl start tableside"),
        (unit("failed", "failed", result="exit-code"), "fault", "result exit-code", "systemctl restart"),
        (unit("inactive", "dead", loaded="not-found"), "not checked", "it is not installed", ""),
    ],
)
def test_each_state_of_a_service_has_a_finding(said: str, status: str, text: str, todo: str) -> None:
    (one,) = service_findings(said)
    assert (one.check, one.status) == ("service tableside", status)
    assert text in one.text
    assert todo in one.todo


def test_both_services_are_found_in_one_answer() -> None:
    web = unit("failed", "failed").replace("tableside.service", "tableside-web.service")
    found = [*service_findings(f"{unit('active', 'running')}\n{web}")]
    assert [(one.check, one.status) for one in found] == [
        ("service tableside", "ok"),
        ("service tableside-web", "fault"),
    ]


def test_a_computer_without_systemctl_is_not_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (one,) = check_services(subject(tmp_path))
    assert (one.status, one.text) == ("not checked", "this computer has no systemctl")


def test_what_systemctl_complains_about_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "systemctl"
    program.write_text("#!/bin/sh\necho 'Failed to connect to bus' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    (one,) = check_services(subject(tmp_path))
    assert (one.status, one.text) == ("not checked", "Failed to connect to bus")
