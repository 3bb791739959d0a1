"""The queue of reports: one at a time, a short queue, nothing twice."""

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.calendar import ReportSettings
from controller.monitor.past.report_queue import (
    MOST_FINISHED,
    MOST_WAITING,
    QueueFull,
    ReportQueue,
    ReportWaiting,
)
from controller.past.reports.wire import ReportAnswer, ReportOrder

HOUSE = ReportSettings()
NOW = ("now",)


def order(number: int) -> ReportOrder:
    return ReportOrder(Path(f"{number}.db"), HOUSE)


class Machine:
    """Prints reports when the test lets it."""

    def __init__(
        self,
        answer: Callable[[ReportOrder], ReportAnswer] = lambda order: ReportAnswer(page=str(order.journal)),
    ) -> None:
        self.answer, self.printed, self.going = answer, Counter[ReportOrder](), asyncio.Semaphore(0)
        self.at_once = self.most = 0

    async def __call__(self, order: ReportOrder) -> ReportAnswer:
        self.printed[order] += 1
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        try:
            await self.going.acquire()
        finally:
            self.at_once -= 1
        return self.answer(order)

    def go(self, count: int = 1) -> None:
        for _ in range(count):
            self.going.release()


async def test_two_requests_for_one_report_wait_for_one_run() -> None:
    machine = Machine()
    press = ReportQueue(machine)
    machine.go(9)
    answers = await asyncio.gather(*(press.wait(order(1), NOW) for _ in range(5)))
    assert machine.printed == {order(1): 1}
    assert len({id(answer) for answer in answers}) == 1
    assert press.look(order(1), NOW) is answers[0]


async def test_reports_are_made_one_after_the_other() -> None:
    machine = Machine()
    press = ReportQueue(machine)
    assert [press.look(order(number), NOW) for number in range(3)] == [
        ReportWaiting(0),
        ReportWaiting(1),
        ReportWaiting(2),
    ]
    machine.go(3)
    await asyncio.gather(*(press.wait(order(number), NOW) for number in range(3)))
    assert machine.most == 1


async def test_a_full_queue_refuses_another_report() -> None:
    machine = Machine()
    press = ReportQueue(machine)
    for number in range(MOST_WAITING + 1):
        press.look(order(number), NOW)
    with pytest.raises(QueueFull, match="5 reports are being made"):
        press.look(order(99), NOW)
    assert press.look(order(1), NOW) == ReportWaiting(1)
    machine.go(9)
    await press.wait(order(MOST_WAITING), NOW)
    assert press.look(order(99), NOW) == ReportWaiting(0)
    await press.wait(order(99), NOW)


async def test_what_is_not_so_any_more_is_made_again() -> None:
    machine = Machine()
    press = ReportQueue(machine)
    machine.go(3)
    await press.wait(order(1), ("round 1",))
    await press.wait(order(1), ("round 1",))
    await press.wait(order(1), ("round 2",))
    assert machine.printed == {order(1): 2}


async def test_what_was_made_is_there_however_much_happened_while_it_was_made() -> None:
    machine = Machine()
    press = ReportQueue(machine)
    machine.go()
    made = await press.wait(order(1), ("round 1",))
    assert press.look(order(1), ("round 2",)) is made
    assert machine.printed.total() == 1
    press.ask(order(1), ("round 2",))
    machine.go()
    assert press.look(order(1), ("round 2",)) == ReportWaiting(0)
    await press.wait(order(1), ("round 2",))


async def test_only_the_newest_reports_are_kept() -> None:
    machine = Machine()
    press = ReportQueue(machine)
    machine.go(99)
    for number in range(MOST_FINISHED + 1):
        await press.wait(order(number), NOW)
    assert isinstance(press.look(order(1), NOW), ReportAnswer)
    assert press.look(order(0), NOW) == ReportWaiting(0)
    await press.wait(order(0), NOW)


async def test_a_failure_is_told_and_not_tried_again_before_somebody_asks_anew() -> None:
    machine = Machine(lambda _: ReportAnswer(error="the disk is gone"))
    press = ReportQueue(machine)
    machine.go(9)
    assert (await press.wait(order(1), NOW)).error == "the disk is gone"
    assert press.look(order(1), NOW) == ReportAnswer(error="the disk is gone")
    assert machine.printed == {order(1): 1}
    press.ask(order(1), NOW)
    assert press.look(order(1), NOW) == ReportWaiting(0)
    await press.wait(order(1), NOW)


async def test_who_goes_away_takes_no_report_from_others() -> None:
    machine = Machine()
    press = ReportQueue(machine)
    one, other = (asyncio.create_task(press.wait(order(1), NOW)) for _ in range(2))
    await asyncio.sleep(0)
    one.cancel()
    machine.go()
    assert (await other).page == "1.db"
