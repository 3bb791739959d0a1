"""The certificate of the pages is judged by its end and by its names."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from controller.access.certificate import make
from controller.doctor.certificate import check_certificate
from tests.controller.doctor.examined import subject

TLS = 'port = 8443\ntls = true\nnames = ["table7.house.example"]\ncertificate = "web.crt"\nkey = "web.key"'


@pytest.mark.parametrize(
    ("names", "days", "status", "text"),
    [
        (["table7.house.example"], 365, "ok", "for table7.house.example, until "),
        (["table7.house.example"], 20, "warning", "The certificate of the pages ends in 19 days"),
        (["table7.house.example"], -1, "fault", "The certificate of the pages has ended"),
        (["localhost"], 365, "fault", "is not for table7.house.example (web.names)"),
    ],
)
def test_a_certificate_is_judged(tmp_path: Path, names: list[str], days: int, status: str, text: str) -> None:
    begins = datetime.now(UTC) + timedelta(days=days - 400)
    (tmp_path / "web.crt").write_bytes(make("Table 7", names, begins, 400).certificate)
    (one,) = check_certificate(subject(tmp_path, web=TLS))
    assert one.status == status
    assert text in one.text


@pytest.mark.parametrize("content", [None, b"no certificate"])
def test_an_absent_or_damaged_certificate_is_a_fault(tmp_path: Path, content: bytes | None) -> None:
    if content:
        (tmp_path / "web.crt").write_bytes(content)
    (one,) = check_certificate(subject(tmp_path, web=TLS))
    assert (one.status, one.todo.startswith("tableside table certificate --make")) == ("fault", True)


def test_pages_without_tls_need_none(tmp_path: Path) -> None:
    (one,) = check_certificate(subject(tmp_path))
    assert one.status == "ok"
