import pytest

from drivers.messages import DeckCheck, Eject, EventBody, ShufflerJam, ShufflerState, Start, Stop
from drivers.protocol.codes import Mode, ShufflerPhase, Status
from drivers.sim.body import TEMPOS
from drivers.sim.cards import DECK
from drivers.sim.physical_state import PhysicalState
from drivers.sim.requests import RequestError
from drivers.sim.shuffler import ShufflerBody
from tests.drivers.sim.bench import Bench, ask, run


class Shuffler(ShufflerBody):
    def __init__(self, around: PhysicalState | None = None, seed: int = 7) -> None:
        self.bench = Bench()
        super().__init__(self.bench, around or PhysicalState(), 2, seed, TEMPOS["human"])
        self.boot(0.0)
        assert self.bench.taken() == [ShufflerState(ShufflerPhase.IDLE, 0)]


@pytest.fixture
def shuffler() -> Shuffler:
    return Shuffler()


def phases(events: list[EventBody]) -> list[tuple[int, int]]:
    return [(event.state, event.percent) for event in events if isinstance(event, ShufflerState)]


def mode(shuffler: Shuffler) -> int:
    return shuffler.vitals().mode


def check(shuffler: Shuffler) -> DeckCheck:
    shuffler.command(Start(2), 0.0)
    run(shuffler, 0.0, 100.0)
    [found] = [event for event in shuffler.bench.taken() if isinstance(event, DeckCheck)]
    return found


def eject(shuffler: Shuffler) -> None:
    shuffler.command(Start(2), 0.0)
    run(shuffler, 0.0, 100.0)
    assert shuffler.command(Eject(), 100.0) == (Status.DONE, "")


def pack(shuffler: Shuffler) -> str:
    eject(shuffler)
    cards = ask(shuffler, 100.0, "take")["cards"]
    assert isinstance(cards, str)
    return cards


def test_a_cycle_shuffles_checks_and_reports(shuffler: Shuffler) -> None:
    assert shuffler.command(Start(2), 10.0) == (Status.DONE, "")
    run(shuffler, 10.0, 13.0)
    half = [(ShufflerPhase.SHUFFLING, 0), (ShufflerPhase.SHUFFLING, 25), (ShufflerPhase.SHUFFLING, 50)]
    assert phases(shuffler.bench.taken()) == half
    run(shuffler, 13.0, 20.0)
    rest = shuffler.bench.taken()
    assert phases(rest) == [
        (ShufflerPhase.SHUFFLING, 75),
        *((ShufflerPhase.CHECKING, percent) for percent in (0, 25, 50, 75)),
        (ShufflerPhase.DONE, 100),
    ]
    assert rest[-2] == DeckCheck(2, bytes([2] * 52), 0)
    assert shuffler.mode is Mode.READY


def test_a_busy_or_empty_shuffler_refuses_actions(shuffler: Shuffler) -> None:
    assert shuffler.command(Eject(), 0.0)[0] is Status.REFUSED
    shuffler.command(Start(2), 0.0)
    assert shuffler.mode is Mode.BUSY
    assert shuffler.command(Start(2), 0.0)[0] is Status.BUSY
    assert shuffler.command(Eject(), 0.0)[0] is Status.REFUSED
    run(shuffler, 0.0, 100.0)
    shuffler.command(Eject(), 100.0)
    assert shuffler.command(Start(2), 100.0) == (Status.REFUSED, "there are no cards in the shuffler")


def test_stop_breaks_a_cycle_off(shuffler: Shuffler) -> None:
    shuffler.command(Start(2), 0.0)
    run(shuffler, 0.0, 1.0)
    shuffler.bench.taken()
    shuffler.command(Stop(), 1.0)
    run(shuffler, 1.0, 100.0)
    assert phases(shuffler.bench.taken()) == [(ShufflerPhase.STOPPED, 0)]
    assert shuffler.command(Eject(), 100.0)[0] is Status.REFUSED


def test_the_pack_is_given_to_a_hand_once(shuffler: Shuffler) -> None:
    with pytest.raises(RequestError, match="no pack lies in the tray"):
        ask(shuffler, 0.0, "take")
    cards = pack(shuffler).split()
    assert sorted(cards) == sorted(DECK * 2)
    with pytest.raises(RequestError, match="no pack lies in the tray"):
        ask(shuffler, 0.0, "take")
    assert shuffler.bench.said("pack") == [{"notice": "pack", "cards": 104, "number": 1}]


def test_a_hand_that_lost_an_answer_asks_again_and_nothing_is_done_twice(shuffler: Shuffler) -> None:
    eject(shuffler)
    with pytest.raises(RequestError, match="pack 3 does not lie in the tray, pack 1 does"):
        ask(shuffler, 100.0, "take", pack=3)
    cards = ask(shuffler, 100.0, "take", pack=1)["cards"]
    assert ask(shuffler, 100.0, "take", pack=1)["cards"] == cards
    for number in (1, 1, 2):
        ask(shuffler, 100.0, "insert", cards="As Td", pack=number)
    assert {"notice": "contents", "inside": 4, "tray": 0} in shuffler.look()


def test_the_order_depends_on_the_seed_and_the_packs_taken_only() -> None:
    plain, disturbed, other = Shuffler(), Shuffler(), Shuffler(seed=8)
    disturbed.command(Start(2), 0.0)
    run(disturbed, 0.0, 100.0)
    disturbed.power_off(100.0)
    first = pack(plain)
    assert pack(disturbed) == first
    assert pack(other) != first
    for shuffler in (plain, disturbed):
        ask(shuffler, 200.0, "insert")
    second = pack(plain)
    assert second != first
    assert pack(disturbed) == second


def test_wrong_missing_and_unreadable_cards_are_counted(shuffler: Shuffler) -> None:
    ask(shuffler, 0.0, "remove", card="As")
    ask(shuffler, 0.0, "add", card="Kc")
    assert check(shuffler).counts == bytes([1, *[2] * 50, 3])
    ask(shuffler, 0.0, "unreadable", cards=3)
    found = check(shuffler)
    assert found.unreadable == 3
    assert sum(found.counts) == 101
    ask(shuffler, 0.0, "remove", card="As")
    with pytest.raises(RequestError, match="no As is inside"):
        ask(shuffler, 0.0, "remove", card="As")


def test_a_jam_delays_the_cycle(shuffler: Shuffler) -> None:
    shuffler.command(Start(2), 0.0)
    run(shuffler, 0.0, 1.0)
    ask(shuffler, 1.0, "jam", on=True)
    shuffler.bench.taken()
    run(shuffler, 1.0, 50.0)
    assert shuffler.bench.taken() == []
    assert mode(shuffler) == Mode.FAULT
    ask(shuffler, 50.0, "jam", on=False)
    run(shuffler, 50.0, 58.9)
    assert shuffler.bench.taken()[0] == ShufflerJam(False)
    assert mode(shuffler) == Mode.BUSY
    run(shuffler, 58.9, 59.0)
    assert phases(shuffler.bench.taken()) == [(ShufflerPhase.DONE, 100)]


def test_a_hand_waits_for_the_cycle(shuffler: Shuffler) -> None:
    shuffler.command(Start(2), 0.0)
    with pytest.raises(RequestError, match="wait for it or stop it"):
        ask(shuffler, 0.0, "insert")


def test_the_cards_inside_and_in_the_tray_are_counted(shuffler: Shuffler) -> None:
    assert {"notice": "contents", "inside": 104, "tray": 0} in shuffler.look()
    ask(shuffler, 0.0, "remove", card="As")
    pack(shuffler)
    ask(shuffler, 100.0, "insert", cards="As Td")
    counted = [(said["inside"], said["tray"]) for said in shuffler.bench.said("contents")]
    assert counted == [(103, 0), (0, 103), (0, 0), (2, 0)]


def test_a_jam_is_visible_to_those_who_watch_and_to_newcomers(shuffler: Shuffler) -> None:
    ask(shuffler, 0.0, "jam", on=True)
    assert {"notice": "jam", "on": True} in shuffler.look()
    ask(shuffler, 1.0, "jam", on=False)
    assert [said["on"] for said in shuffler.bench.said("jam")] == [True, False]
