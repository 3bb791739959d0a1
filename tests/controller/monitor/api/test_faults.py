"""Bodies that cannot be read are refused without quoting them."""

from pathlib import Path

import pytest

from tests.controller.monitor.api.tables import open_table


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"about":"help","why":"\\ud800"}', 422),
        (b'{"about":"help","why":"x","z\\ud800":1}', 422),
        (b'{"about":"help","why":"a\\u0000b"}', 422),
        (b'{"about":"help","why":NaN}', 422),
        (b'{"about":"help","why":1e999}', 422),
        (b"[]", 422),
        (b"\xff", 400),
        (b"[" * 9000, 400),
    ],
)
async def test_a_body_that_cannot_be_read_is_refused_with_a_reason(
    tmp_path: Path, body: bytes, status: int
) -> None:
    headers = {"X-Name": "Dee", "Content-Type": "application/json"}
    async with open_table(tmp_path) as house:
        answer = await house.client.post("/api/v1/requests", content=body, headers=headers)
        assert answer.status_code == status, answer.text
        assert answer.json()["detail"]
        assert house.rows_of("asked") == []


async def test_a_fault_says_where_it_is_and_tells_nothing_of_what_was_said(tmp_path: Path) -> None:
    async with open_table(tmp_path) as house:
        answer = await house.post_previewed("Dee", "keys", action="close", seat="seven")
        (fault,) = answer.json()["detail"]
        assert fault["loc"] == ["body", "seat"]
        assert "seven" not in answer.text
