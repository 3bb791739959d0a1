from controller.jackpot.linked.announcer import Announcer
from controller.jackpot.linked.messages import (
    MOST_CLAIMS,
    Correct,
    CorrectedAmount,
    LevelParameters,
    Remove,
    SetParameters,
    read_amount,
)
from controller.jackpot.parameters import Parameters
from tests.controller.jackpot.linked.desk import Desk, admission, claim, claim_id, opened, reading, step


def test_versions_rise_and_begin_again_with_each_entry() -> None:
    desk, announcer = opened(), Announcer()
    seen = []
    for now in range(3):
        announcer, amount = announcer.announce(desk.state, float(now))
        seen.append((amount.n, amount.version))
    desk.say(reading(5, 1, 3, 300))
    announcer, amount = announcer.announce(desk.state, 3.0)
    assert [*seen, (amount.n, amount.version)] == [(2, 1), (2, 2), (2, 3), (3, 1)]
    assert (amount.hash, amount.cents) == (desk.state.hash, 50_045)


def test_a_won_share_is_pending_for_half_a_second() -> None:
    desk = opened()
    desk.say(claim((7, 10)))
    announcer = Announcer().changed(desk.log[-1], 10.0)
    assert [announcer.announce(desk.state, at)[1].state for at in (10.0, 10.4, 10.5)] == [
        "pending",
        "pending",
        "open",
    ]


def test_a_claim_is_announced_for_a_minute_and_again_when_somebody_asks() -> None:
    desk = opened()
    desk.say(claim((7, 10)))
    announcer = Announcer().changed(desk.log[-1], 10.0)

    def claims(at: float) -> list[str]:
        return [one.claim for one in announcer.announce(desk.state, at)[1].claims]

    assert (claims(69.9), claims(70.0)) == ([claim_id(7)], [])
    announcer = announcer.asked([claim_id(7)], 100.0)
    assert claims(100.0) == [claim_id(7)]


def test_an_ended_claim_is_announced_with_its_end() -> None:
    desk = opened()
    desk.say(claim((7, 10)))
    desk.say(step(7, "paid"))
    announcer = Announcer().changed(desk.log[-1], 10.0)
    (announced,) = announcer.announce(desk.state, 10.0)[1].claims
    assert (announced.state, announced.cents, announced.n) == ("paid", 5_000, 3)


def test_no_more_claims_are_announced_than_an_amount_holds() -> None:
    desk = opened()
    for number in range(1, MOST_CLAIMS + 2):
        desk.say(claim((7, 1), number=number, chip=1))
        desk.order(Correct, CorrectedAmount(cents=50_000))
    announcer = Announcer().asked(desk.state.claims, 10.0).asked([claim_id(7, MOST_CLAIMS)], 11.0)
    announced = announcer.announce(desk.state, 11.0)[1].claims
    assert (len(announced), announced[0].claim) == (MOST_CLAIMS, claim_id(7, MOST_CLAIMS))


def test_a_level_without_parameters_is_closed() -> None:
    assert Announcer().announce(Desk().state, 0.0)[1].state == "closed"


def test_a_stopped_instance_is_inoperable_even_while_pending() -> None:
    desk = opened()
    desk.say(claim((7, 10)))
    announcer = Announcer().changed(desk.log[-1], 10.0)
    assert announcer.announce(desk.state, 10.0, inoperable=True)[1].state == "inoperable"


def test_closed_tables_and_pending_parameters_are_named() -> None:
    desk = opened()
    desk.say(reading(5, 1, 3, 300))
    desk.order(SetParameters, LevelParameters.of(Parameters(70_000)))
    desk.order(Remove, admission())
    amount = Announcer().announce(desk.state, 0.0)[1]
    assert (amount.closed, amount.parameters_pending) == (("t1",), True)
    assert read_amount(amount.payload) == amount


def test_an_amount_names_the_currency_of_the_level() -> None:
    desk = opened()
    assert Announcer().announce(desk.state, 1.0)[1].currency == ""
    desk.order(SetParameters, LevelParameters.of(Parameters(70_000), "JPY"))
    assert read_amount(Announcer().announce(desk.state, 1.0)[1].payload).currency == "JPY"
