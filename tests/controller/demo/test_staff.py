"""Whoever watches a demonstration may sign in in every role."""

import time
from pathlib import Path

from controller.access.desk import AccessDesk
from controller.demo.staff import PEOPLE, staff


async def test_everybody_signs_in_with_what_is_shown(tmp_path: Path) -> None:
    first, second = staff(tmp_path / "access.db"), staff(tmp_path / "access.db")
    assert {member.name: member.role for member in second} == PEOPLE
    assert not {member.secret for member in first[1:]} & {member.secret for member in second}
    with AccessDesk(tmp_path / "access.db", time.time, time.monotonic) as desk:
        for member in second:
            _, session = await desk.sign_in(member.proof, member.name, member.secret, "127.0.0.1")
            assert session.person.role == member.role
