"""What tables run and whether they are tested, beside the notices."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from controller.floor.floor_log import FloorEntry
from controller.floor.notices.desk import made_notice
from controller.floor.notices.notice import Notice
from controller.floor.notices.register import NoticeRegister
from controller.floor.service.notice_watch import NoticeWatch
from controller.floor.tables.picture import FloorPicture
from tests.controller.floor.notices.test_notice import ANN, INSTALLATION, NOW, RULES, WISH
from tests.controller.floor.tables.statuses import status
from tests.fixtures.floor_acts import AwayActs


@dataclass
class KeptActs(AwayActs):
    """The journal, which only the instance that acts may write."""

    leads: bool = True

    async def record(self, kind: str, body: Mapping[str, Any]) -> FloorEntry:
        assert self.leads
        return await self.note(kind, body)


@dataclass
class Watched:
    folder: Path
    register: NoticeRegister
    now: float = NOW
    acts: KeptActs = field(default_factory=KeptActs)

    def __post_init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """An instance of the floor begins to act."""
        self.picture = FloorPicture({"main": ("bj-1", "bj-2")}, self.now)
        self.watch = NoticeWatch(self.folder, self.acts, self.picture, lambda: self.now)

    async def say(self, table: str = "bj-1", **fields: Any) -> None:
        self.picture.take_status(table, status(self.now, **fields), self.now, self.now)
        await self.watch.beat(self.register)

    def alerts(self, table: str = "bj-1") -> list[str]:
        """The texts of those that last."""
        return [
            one.text for one in self.picture.tiles[table].alerts if one.kind == "notice" and not one.ended
        ]

    def announce(self, notice: Notice) -> None:
        self.register.add(notice)


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Watched]:
    with NoticeRegister(tmp_path) as register:
        yield Watched(tmp_path, register)


async def test_the_first_version_of_a_table_is_the_known_one(at: Watched) -> None:
    await at.say(software="1.3.0", manifest="ab")
    await at.say(software="1.3.0", manifest="ab")
    assert at.alerts() == []
    body = {"table": "bj-1", "notice": "", "version": "1.3.0", "manifest": "ab"}
    assert at.acts.written == [("software", body)]


async def test_another_version_without_a_notice_is_an_alert_until_the_known_one_is_back(at: Watched) -> None:
    await at.say(software="1.3.0")
    await at.say(software="1.4.0")
    text = "The table runs version 1.4.0, and not 1.3.0: no notice of an installation covers this time"
    assert at.alerts() == [text]
    assert at.alerts("bj-2") == []
    await at.say(software="1.3.0")
    assert at.alerts() == []


async def test_other_files_of_the_same_version_are_an_alert(at: Watched) -> None:
    await at.say(software="1.3.0", manifest="ab")
    await at.say(software="1.3.0", manifest="cd")
    (text,) = at.alerts()
    assert text.startswith("The table runs other files of version 1.3.0")


async def test_a_version_that_comes_during_its_notice_is_the_known_one_from_then_on(at: Watched) -> None:
    notice = made_notice(INSTALLATION, RULES, ANN, NOW)
    at.announce(notice)
    await at.say(software="1.3.0")
    at.now = notice.begins - 1
    await at.say(software="1.4.0")
    assert len(at.alerts()) == 1
    at.now = notice.begins
    await at.say(software="1.4.0")
    assert at.alerts() == []
    at.now = notice.ends + 1
    await at.say(software="1.4.0")
    assert at.alerts() == []
    assert at.acts.written[-1][1]["notice"] == notice.id


async def test_a_version_that_comes_after_its_notice_is_over_is_an_alert(at: Watched) -> None:
    notice = made_notice(INSTALLATION, RULES, ANN, NOW)
    at.announce(notice)
    await at.say(software="1.3.0")
    at.now = notice.ends
    await at.say(software="1.4.0")
    assert len(at.alerts()) == 1


async def test_a_test_without_a_notice_is_an_alert_and_one_with_a_notice_is_not(at: Watched) -> None:
    notice = made_notice(WISH, RULES, ANN, NOW)
    at.announce(notice)
    await at.say(test="Cy since 09:00")
    text = "The table is being tested (Cy since 09:00): no notice of a test covers this time"
    assert at.alerts() == [text]
    at.now = notice.begins
    await at.say(test="Cy since 09:00")
    assert at.alerts() == []
    at.now = notice.ends
    await at.say(test="Cy since 09:00")
    assert at.alerts() == [text]
    await at.say()
    assert at.alerts() == []


async def test_a_notice_that_a_command_entered_counts_once_it_is_in_the_journal(at: Watched) -> None:
    notice = made_notice(WISH, RULES, ANN, NOW)
    at.announce(notice)
    at.now, at.acts.away = notice.begins, True
    await at.say(test="Cy")
    assert at.register.waiting() == (notice,)
    at.acts.away = False
    await at.say(test="Cy")
    assert at.register.recorded() == (notice,)
    assert at.acts.written[0][0] == "notice"
    assert at.alerts() == []


async def test_another_instance_knows_the_notices_and_versions_of_the_first(
    at: Watched, tmp_path: Path
) -> None:
    notice = made_notice(INSTALLATION, RULES, ANN, NOW)
    at.announce(notice)
    await at.say(software="1.3.0")
    at.now = notice.begins
    await at.say(software="1.4.0")
    before = list(at.acts.written)
    with NoticeRegister(tmp_path / "other") as register:
        at.register = register
        at.begin()
        at.now = notice.ends + 1
        await at.say(software="1.4.0")
        assert register.recorded() == (notice,)
        assert (at.alerts(), at.acts.written) == ([], before)
        await at.say(software="1.3.0")
        assert len(at.alerts()) == 1


async def test_an_instance_that_follows_reports_the_same_and_writes_notices_only(
    at: Watched, tmp_path: Path
) -> None:
    at.acts.leads = False
    await at.say(test="Cy")
    assert at.alerts() == []  # it does not know the journal yet
    at.acts.leads = True
    await at.say(test="Cy", software="1.3.0")
    with NoticeRegister(tmp_path / "other") as register:
        at.register = register
        at.begin()
        at.acts.leads = False
        await at.say(test="Cy", software="1.3.0")
        await at.say("bj-2", software="1.4.0")
        assert (len(at.alerts()), at.alerts("bj-2")) == (1, [])
        at.announce(made_notice(WISH, RULES, ANN, NOW))
        await at.say(test="Cy", software="1.4.0")
        assert len(at.alerts()) == 2
    assert [kind for kind, _ in at.acts.written] == ["software", "notice"]
