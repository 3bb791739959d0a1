"""The daemon is killed at every call to the disk between an act and its answer. Asked again with the same id,
the next daemon says what became of the act, which is in the journal once."""

import json
from itertools import count
from pathlib import Path
from typing import Any, Final

from controller.journal.history import History
from controller.socket.blocking import BlockingClient
from controller.socket.listening import default_path
from controller.socket.wire import CoreAway
from tests.fixtures.access_desk import PASSWORD
from tests.fixtures.daemon_process import configured
from tests.fixtures.hired import hire
from tests.fixtures.waiting import PATIENCE
from tests.system.preload.disk import Disk
from tests.system.service import service

ENTRY: Final = {"decision": {"choice": "entry", "why": "new lamp", "device": "shoe", "licence": "L-7"}}


class ActingClient:
    """Ann at the table of this configuration, whichever daemon runs it."""

    def __init__(self, config: Path) -> None:
        self._path, self._token = default_path(config.with_name("journal")), ""

    def act(self, number: int) -> int:
        """The journal's row of the act. Raises CoreAway if the daemon dies before it answers."""
        with BlockingClient(self._path) as client:
            if not self._token:
                proof = {"kind": "password", "name": "Ann", "secret": PASSWORD, "address": ""}
                self._token = client.call("sign_in", proof)["token"]
            taken = client.call("act", {"token": self._token, "act": ENTRY, "id": f"act-{number}"})
        row: int = taken["row"]
        return row


def test_an_act_is_taken_once_wherever_the_daemon_dies_meanwhile(tmp_path: Path, library: Path) -> None:
    hire(tmp_path)
    config = configured(tmp_path)
    ann, answers = ActingClient(config), dict[int, int]()
    with Disk(tmp_path / "words", tmp_path) as disk:
        for call in count(1):
            with service(config, more=disk.environment(library)) as daemon:
                assert "The table is ready" in daemon.say()
                answers[call - 1] = ann.act(call - 1)
                disk.begin()
                disk.kill_at(call)
                try:
                    answers[call] = ann.act(call)
                    break
                except CoreAway:
                    assert daemon.process.wait(PATIENCE) < 0
                finally:
                    disk.begin()
    rows = bodies(tmp_path / "journal")
    acts = [body for kind, body in rows.values() if kind == "act"]
    assert [act["id"] for act in acts] == [f"act-{number}" for number in answers]
    assert [act["row"] for act in acts] == [*answers.values()]
    assert [row for row, (kind, _) in rows.items() if kind == "supervisor"] == [*answers.values()]
    starts = [row for row, (kind, _) in rows.items() if kind == "started"]
    again = {number: row > starts[number] for number, row in answers.items() if 0 < number < len(starts)}
    assert {*again.values()} == {True, False}, "some acts were on disk when the daemon died, others not"


def bodies(journal: Path) -> dict[int, tuple[str, dict[str, Any]]]:
    """Kind and body of each row, by its number."""
    found = (row for row in History(journal).rows())
    return {row.row: (row.content.kind, json.loads(row.content.body)) for row in found}
