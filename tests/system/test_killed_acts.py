"""The daemon is killed at every call to the disk between an act and its answer. Asked again with the same id,
the next daemon says what became of the act, which is in the journal once."""

import json
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
            answer = client.call("act", {"token": self._token, "act": ENTRY, "id": f"act-{number}"})
        row: int = answer["row"]
        return row


def test_an_act_is_taken_once_wherever_the_daemon_dies_meanwhile(tmp_path: Path, library: Path) -> None:
    hire(tmp_path)
    config = configured(tmp_path)
    ann, answers, met, call = ActingClient(config), list[int](), set[str](), 1
    with Disk(tmp_path / "words", tmp_path) as disk:
        while met != {"answered", "on disk", "not on disk"}:
            number = len(answers)
            with service(config, more=disk.environment(library)) as daemon:
                assert "The table is ready" in daemon.say()
                answers.append(ann.act(number))
                disk.begin()
                disk.kill_at(call)
                try:
                    answers.append(ann.act(number + 1))
                    end = "answered"
                except CoreAway:
                    assert daemon.process.wait(PATIENCE) < 0
                    taken = [act["id"] for act in acts(tmp_path / "journal")]
                    end = "on disk" if f"act-{number + 1}" in taken else "not on disk"
                finally:
                    disk.begin()
            met.add(end)
            call = 1 if end == "answered" else call + 1  # other calls to the disk may have come between
    with service(config) as daemon:  # an act that was taken, and not answered, is answered now
        assert "The table is ready" in daemon.say()
        answers.append(ann.act(len(answers)))
    taken = acts(tmp_path / "journal")
    assert [act["id"] for act in taken] == [f"act-{number}" for number in range(len(answers))]
    assert [act["row"] for act in taken] == answers
    rows = History(tmp_path / "journal").rows()
    assert [row.row for row in rows if row.content.kind == "supervisor"] == answers


def acts(journal: Path) -> list[dict[str, Any]]:
    """The bodies of the journal's acts."""
    return [json.loads(row.content.body) for row in History(journal).rows() if row.content.kind == "act"]
