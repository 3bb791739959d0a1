"""What may be announced, and when a notice counts."""

from dataclasses import replace
from pathlib import Path

import pytest

from controller.access.people import Person
from controller.calendar import Calendar
from controller.floor.approvals.acts import NotActing
from controller.floor.notices.desk import NoticeDesk, NoticeRules, made_notice
from controller.floor.notices.notice import HOUR, MOST_MINUTES, NoticeRefused, NoticeWish
from controller.floor.notices.register import FILE, NoticeRegister
from controller.floor.store_file import StoreError
from tests.fixtures.floor_acts import AwayActs

CALENDAR = Calendar()
NOW = CALENDAR.instant("2026-11-23 09:00")
RULES = NoticeRules(72, CALENDAR, lambda: {"bj-1", "bj-2"})
ANN = Person("Ann", "supervisor")
WISH = NoticeWish("test", "bj-1", "Cy Tech", "2026-11-27 09:00", 120, "lab test")
INSTALLATION = replace(WISH, kind="installation", software="1.4.0")


def test_a_notice_holds_from_its_begin_for_its_minutes() -> None:
    notice = made_notice(WISH, RULES, ANN, NOW)
    assert (notice.asset, notice.who, notice.entered, notice.minutes) == ("bj-1", "Ann", NOW, 120)
    begins = CALENDAR.instant("2026-11-27 09:00")
    times = (begins - 1, begins, begins + 2 * HOUR - 1, begins + 2 * HOUR)
    assert [notice.covers_test("bj-1", at) for at in times] == [False, True, True, False]
    assert not notice.covers_test("bj-2", begins)
    assert not notice.covers_software("bj-1", "", begins)


def test_an_installation_covers_its_version_only() -> None:
    notice = made_notice(INSTALLATION, RULES, ANN, NOW)
    assert notice.covers_software("bj-1", "1.4.0", notice.begins)
    assert not notice.covers_software("bj-1", "1.4.1", notice.begins)
    assert not notice.covers_test("bj-1", notice.begins)


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        (replace(WISH, kind="party"), "kind = 'party': not allowed; allowed: installation, test"),
        (replace(WISH, table="bj-9"), "table = 'bj-9': not on this floor; allowed: bj-1, bj-2"),
        (
            replace(WISH, begins="2026-11-26 08:59"),
            "begins = '2026-11-26 08:59': too soon; allowed: 72 hours from now, 2026-11-26 09:01 or later",
        ),
        (
            replace(WISH, begins="tomorrow"),
            "begins = 'tomorrow': no time; allowed: as 2026-11-27 09:00, by the clock of the house",
        ),
        (replace(WISH, minutes=-5), f"minutes = -5: not allowed; allowed: 1 to {MOST_MINUTES} minutes"),
        (replace(WISH, minutes=0), f"minutes = 0: not allowed; allowed: 1 to {MOST_MINUTES} minutes"),
        (
            replace(WISH, minutes=MOST_MINUTES + 1),
            f"minutes = {MOST_MINUTES + 1}: not allowed; allowed: 1 to {MOST_MINUTES} minutes",
        ),
        (replace(WISH, persons=" "), "persons = ' ': missing; needed: a text"),
        (replace(WISH, why=""), "why = '': missing; needed: a text"),
        (replace(WISH, asset="x" * 201), "asset has 201 characters; allowed: 200"),
        (replace(INSTALLATION, software=""), "software = '': missing; needed: a text"),
        (replace(WISH, software="1.4.0"), "software = '1.4.0': not allowed for a test; allowed: nothing"),
    ],
)
def test_a_notice_that_is_not_allowed_is_refused_with_what_is(wish: NoticeWish, why: str) -> None:
    with pytest.raises(NoticeRefused) as refused:
        made_notice(wish, RULES, ANN, NOW)
    assert str(refused.value) == why


def test_a_text_with_characters_that_cannot_be_seen_is_refused() -> None:
    with pytest.raises(NoticeRefused, match=r"persons = .*allowed: text that can be seen"):
        made_notice(replace(WISH, persons="Cy\u202eTech"), RULES, ANN, NOW)


def test_a_house_without_a_notice_period_may_begin_at_once() -> None:
    wish = replace(WISH, begins="2026-11-23 09:00")
    assert made_notice(wish, replace(RULES, ahead=0), ANN, NOW).covers(NOW)


async def test_a_notice_is_in_the_own_journal_before_it_counts(tmp_path: Path) -> None:
    acts = AwayActs(away=True)
    with NoticeRegister(tmp_path) as register:
        desk = NoticeDesk(register, RULES, acts.note, lambda: NOW)
        with pytest.raises(NotActing):
            await desk.enter(WISH, ANN)
        assert desk.notices() == ()
        acts.away = False
        notice = await desk.enter(WISH, ANN)
        assert [(kind, body["id"]) for kind, body in acts.written] == [("notice", notice.id)]
    with NoticeRegister(tmp_path) as register:
        assert register.recorded() == (notice,)
        assert register.waiting() == ()


def test_a_notice_waits_until_it_is_in_the_own_journal(tmp_path: Path) -> None:
    notice = made_notice(WISH, RULES, ANN, NOW)
    with NoticeRegister(tmp_path) as register, NoticeRegister(tmp_path) as service:
        register.add(notice)
        assert (service.waiting(), service.recorded()) == ((notice,), ())
        service.confirm(notice)
        service.confirm(notice)
        assert (register.waiting(), register.recorded()) == ((), (notice,))


def test_a_file_of_something_else_is_named(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreError, match=r"notices\.sqlite cannot be used"):
        NoticeRegister(tmp_path)
