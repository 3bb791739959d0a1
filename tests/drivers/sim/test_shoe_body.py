from pathlib import Path

import pytest

from drivers.messages import (
    CardDrawn,
    CardUnpermitted,
    CardUnreadable,
    Cover,
    CutCard,
    Empty,
    Loaded,
    Lock,
    Permit,
    Prompt,
    ShoeJam,
)
from drivers.protocol.codes import Mode, Status
from drivers.sim.body import NEVER, TEMPOS
from drivers.sim.link.memory import Memory
from drivers.sim.physical_state import PhysicalState
from drivers.sim.requests import RequestError
from drivers.sim.shoe import Pack, ShoeBody
from tests.drivers.sim.bench import Bench, ask, run

CARDS = ("As", "Td", "9c", "2h")


class Shoe(ShoeBody):
    def __init__(
        self,
        memory: Memory | None = None,
        around: PhysicalState | None = None,
        log: Path | None = None,
        cut: int = 0,
    ) -> None:
        self.bench = Bench()
        self.memory = memory or Memory()
        super().__init__(
            self.bench,
            memory=self.memory,
            surroundings=around or PhysicalState(),
            pack=Pack(CARDS, cut, 1),
            log=log,
            tempo=TEMPOS["human"],
        )
        self.boot(0.0)


@pytest.fixture
def shoe() -> Shoe:
    shoe = Shoe()
    assert shoe.bench.taken() == [Loaded(1)]
    return shoe


def draw(shoe: Shoe, now: float) -> float:
    ask(shoe, now, "pull")
    return run(shoe, now, now + 1)


def test_a_permitted_card_takes_time_and_is_noted_before_it_moves(shoe: Shoe) -> None:
    shoe.command(Permit(1), 0.0)
    ask(shoe, 10.0, "pull")
    assert shoe.memory.moving
    assert shoe.mode is Mode.BUSY
    assert shoe.deadline == 10.6
    shoe.tick(10.59)
    assert shoe.bench.taken() == []
    shoe.tick(10.6)
    assert shoe.bench.taken() == [CardDrawn(1, "As")]
    assert shoe.bench.said("card") == [{"notice": "card", "count": 1, "card": "As"}]
    assert not shoe.memory.moving
    assert shoe.deadline == NEVER


def test_cards_come_in_order_up_to_the_permitted_count(shoe: Shoe) -> None:
    shoe.command(Permit(2), 0.0)
    now = draw(shoe, draw(shoe, 0.0))
    assert shoe.bench.taken() == [CardDrawn(1, "As"), CardDrawn(2, "Td")]
    with pytest.raises(RequestError, match="card 3 is locked; permitted up to 2"):
        ask(shoe, now, "pull")
    assert shoe.memory.moving == 0


@pytest.mark.parametrize("end", ["lock", "lower", "safe"])
def test_locking_lets_the_card_in_motion_finish(shoe: Shoe, end: str) -> None:
    shoe.command(Permit(3), 0.0)
    ask(shoe, 0.0, "pull")
    if end == "safe":
        shoe.safe(0.1)
    else:
        shoe.command(Lock() if end == "lock" else Permit(0), 0.1)
    now = run(shoe, 0.1, 2.0)
    assert shoe.bench.taken() == [CardDrawn(1, "As")]
    with pytest.raises(RequestError, match="locked"):
        ask(shoe, now, "pull")


def test_a_forced_card_comes_unpermitted(shoe: Shoe) -> None:
    ask(shoe, 0.0, "pull", force=True)
    run(shoe, 0.0, 1.0)
    assert shoe.bench.taken() == [CardUnpermitted(1, "As")]


def test_a_permit_too_far_ahead_is_out_of_range(shoe: Shoe) -> None:
    assert shoe.command(Permit(64), 0.0)[0] is Status.DONE
    assert shoe.command(Permit(65), 0.0)[0] is Status.RANGE
    assert shoe.command(Prompt("", 0), 0.0)[0] is Status.UNSUPPORTED


def test_a_hand_that_expects_another_card_gets_none(shoe: Shoe) -> None:
    shoe.command(Permit(2), 0.0)
    with pytest.raises(RequestError, match="the next card is number 1, not 2"):
        ask(shoe, 0.0, "pull", count=2)
    ask(shoe, 0.0, "pull", count=1)
    with pytest.raises(RequestError, match="on its way out"):
        ask(shoe, 0.1, "pull")


def test_an_unreadable_card_leaves_without_a_name(shoe: Shoe) -> None:
    shoe.command(Permit(2), 0.0)
    ask(shoe, 0.0, "unreadable")
    draw(shoe, draw(shoe, 0.0))
    assert shoe.bench.taken() == [CardUnreadable(1), CardDrawn(2, "Td")]


def test_the_cut_card_and_the_end_are_reported() -> None:
    shoe = Shoe(cut=2)
    shoe.bench.taken()
    shoe.command(Permit(4), 0.0)
    now = 0.0
    for _ in CARDS:
        now = draw(shoe, now)
    drawn = [CardDrawn(count, card) for count, card in enumerate(CARDS, start=1)]
    assert shoe.bench.taken() == [*drawn[:2], CutCard(2), *drawn[2:], Empty()]
    shoe.command(Permit(5), now)
    with pytest.raises(RequestError, match="empty"):
        ask(shoe, now, "pull")


def test_a_jam_stops_the_card_until_it_is_freed(shoe: Shoe) -> None:
    shoe.command(Permit(2), 0.0)
    ask(shoe, 0.0, "pull")
    ask(shoe, 0.3, "jam", on=True)
    assert shoe.mode is Mode.FAULT
    assert shoe.deadline == NEVER
    ask(shoe, 9.0, "jam", on=False)
    run(shoe, 9.0, 10.0)
    assert shoe.bench.taken() == [ShoeJam(True), ShoeJam(False), CardDrawn(1, "As")]
    ask(shoe, 10.0, "jam", on=True)
    with pytest.raises(RequestError, match="stuck"):
        ask(shoe, 10.0, "pull")


def test_an_open_cover_holds_cards_back(shoe: Shoe) -> None:
    shoe.command(Permit(1), 0.0)
    ask(shoe, 0.0, "cover", open=True)
    with pytest.raises(RequestError, match="cover is open"):
        ask(shoe, 0.0, "pull")
    ask(shoe, 0.0, "cover", open=False)
    draw(shoe, 0.0)
    assert shoe.bench.taken() == [Cover(True), Cover(False), CardDrawn(1, "As")]


def test_fresh_cards_are_reported_when_the_cover_is_closed(shoe: Shoe) -> None:
    ask(shoe, 0.0, "cover", open=True)
    ask(shoe, 1.0, "load", cards="Kd Qd")
    assert shoe.bench.taken() == [Cover(True)]
    ask(shoe, 2.0, "cover", open=False)
    assert shoe.bench.taken() == [Cover(False), Loaded(1)]


def test_a_pack_without_a_cut_card_ends_with_empty_alone(shoe: Shoe) -> None:
    shoe.command(Permit(2), 0.0)
    ask(shoe, 0.0, "load", cards="Kd Qd")
    draw(shoe, draw(shoe, 0.0))
    assert shoe.bench.taken() == [Loaded(1), CardDrawn(1, "Kd"), CardDrawn(2, "Qd"), Empty()]


def test_an_interrupted_card_can_be_the_last_before_the_cut_card() -> None:
    memory, around = Memory(), PhysicalState()
    shoe = Shoe(memory, around, cut=3)
    shoe.command(Permit(1), 0.0)
    ask(shoe, 0.0, "pull")
    shoe.power_off(0.1)
    memory.end_card()  # as the link does at boot
    shoe.bench.taken()
    shoe.boot(1.0)
    assert shoe.bench.taken() == [CutCard(1)]


def test_new_cards_go_on_counting(shoe: Shoe) -> None:
    shoe.command(Permit(5), 0.0)
    now = draw(shoe, 0.0)
    ask(shoe, now, "load", cards="Kd Qd", behind_cut=1)
    now = draw(shoe, draw(shoe, now))
    assert shoe.bench.taken() == [
        CardDrawn(1, "As"),
        Loaded(1),
        CardDrawn(2, "Kd"),
        CutCard(2),
        CardDrawn(3, "Qd"),
        Empty(),
    ]


def test_no_card_starts_with_a_full_memory(shoe: Shoe) -> None:
    while not shoe.memory.full:
        shoe.memory.store(b"", minor=False)
    shoe.command(Permit(1), 0.0)
    with pytest.raises(RequestError, match="memory is full: 64 slots are free"):
        ask(shoe, 0.0, "pull")
    assert shoe.memory.moving == 0


def test_a_restart_finds_cards_and_place_again(tmp_path: Path) -> None:
    memory, around = Memory(), PhysicalState(tmp_path / "around")
    shoe = Shoe(memory, around)
    shoe.command(Permit(2), 0.0)
    draw(shoe, 0.0)
    again = Shoe(memory, PhysicalState(tmp_path / "around"))
    assert again.bench.taken() == []
    again.command(Permit(2), 5.0)
    draw(again, 5.0)
    assert again.bench.taken() == [CardDrawn(2, "Td")]


def test_the_log_of_a_shoe_holds_every_card_that_left(tmp_path: Path) -> None:
    log = tmp_path / "cards"
    memory, around = Memory(), PhysicalState()
    shoe = Shoe(memory, around, log)
    shoe.command(Permit(9), 0.0)
    now = draw(shoe, 0.0)
    ask(shoe, now, "unreadable")
    now = draw(shoe, now)
    ask(shoe, now, "pull")
    memory.end_card()  # the power goes while it moves: the boot counts it
    again = Shoe(memory, around, log)
    assert [line.split()[:2] for line in log.read_text().splitlines()] == [
        ["1", "As"],
        ["2", "Td"],
        ["3", "9c"],
    ]
    assert again.bench.said("interrupted") == [{"notice": "interrupted", "count": 3, "card": "9c"}]


def test_a_newcomer_sees_the_cards_on_the_table(shoe: Shoe) -> None:
    shoe.command(Permit(7), 0.0)
    draw(shoe, draw(shoe, 0.0))
    seen = {notice["notice"]: notice for notice in shoe.look()}
    assert seen["shoe"] == {"notice": "shoe", "count": 2, "out": [(1, "As"), (2, "Td")], "left": 2}
    assert seen["permit"] == {"notice": "permit", "up_to": 7}


def test_a_chosen_card_comes_before_the_others_which_keep_their_order(shoe: Shoe) -> None:
    shoe.command(Permit(3), 0.0)
    now = draw(shoe, 0.0)
    ask(shoe, now, "pull", card="2h")
    draw(shoe, run(shoe, now, now + 1))
    assert shoe.bench.taken() == [CardDrawn(1, "As"), CardDrawn(2, "2h"), CardDrawn(3, "Td")]


def test_a_card_that_is_not_left_cannot_be_chosen(shoe: Shoe) -> None:
    shoe.command(Permit(2), 0.0)
    assert ask(shoe, 0.0, "left", card="As")["left"] == 1
    now = draw(shoe, 0.0)
    assert ask(shoe, now, "left", card="As")["left"] == 0
    with pytest.raises(RequestError, match="card = 'As': not one of the 3 cards left in the shoe"):
        ask(shoe, now, "pull", card="As")
    with pytest.raises(RequestError, match="'1x', is not a card"):
        ask(shoe, now, "pull", card="1x")
    assert not shoe.memory.moving


def test_a_locked_shoe_keeps_its_order(shoe: Shoe) -> None:
    with pytest.raises(RequestError, match="locked"):
        ask(shoe, 0.0, "pull", card="9c")
    shoe.command(Permit(1), 0.0)
    draw(shoe, 0.0)
    assert shoe.bench.taken() == [CardDrawn(1, "As")]


def test_a_newcomer_sees_the_lid_and_a_stuck_card(shoe: Shoe) -> None:
    ask(shoe, 0.0, "cover", open=True)
    ask(shoe, 0.0, "jam", on=True)
    assert {"notice": "cover", "open": True} in shoe.look()
    assert {"notice": "jam", "on": True} in shoe.look()
