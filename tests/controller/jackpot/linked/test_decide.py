from fractions import Fraction

import pytest

from controller.jackpot.linked.decide import decide, known_claims, leader_entry, rewound_entry, was_rewound
from controller.jackpot.linked.entries import Alarm, ClaimEnded, Counted, OverflowAdded, Won
from controller.jackpot.linked.level import Position
from controller.jackpot.linked.messages import MeterReading, Meters, Settle, SettledTable, read_input
from controller.jackpot.linked.wire import MalformedMessage
from controller.jackpot.parameters import Parameters
from tests.controller.jackpot.linked.desk import (
    EPOCH,
    TABLE,
    Desk,
    claim,
    claim_id,
    opened,
    reading,
    step,
)

CENT = 10_000


class TestReadings:
    def test_differences_contribute_at_the_exact_rates(self) -> None:
        desk = opened()
        desk.say(reading(5, 1, 3, 333))
        desk.say(reading(9, 2, 4, 334))
        books = desk.meter.books
        assert (books.display, books.reserve) == (50_000 * CENT + 334 * 1_500, 334 * 500)
        assert (books.wagers, books.wagered) == (4, 334)

    def test_repeated_and_late_ones_count_nothing(self) -> None:
        desk = opened()
        desk.say(reading(5, 1, 3, 300))
        desk.say(reading(9, 2, 4, 400))
        books = desk.meter.books
        assert desk.say(reading(9, 2, 4, 400)) == []
        assert desk.say(reading(5, 1, 3, 300)) == []
        assert desk.meter.books == books

    @pytest.mark.parametrize(
        "fallen",
        [reading(6, 1, 2, 400), reading(4, 0, 4, 400), reading(10, 1, 2, 200), reading(10, 1, 3, 200)],
    )
    def test_a_fallen_meter_closes_the_table_until_it_is_settled(self, fallen: MeterReading) -> None:
        desk = opened()
        desk.say(reading(5, 1, 3, 300))
        (alarm,) = desk.say(fallen)
        assert alarm.code == "meter fell"
        assert TABLE in desk.state.closed_tables
        books = desk.meter.books
        assert desk.say(reading(50, 9, 9, 900)) == []
        assert desk.say(claim((1, 10))) == []
        desk.order(Settle, SettledTable(table=TABLE, reading=Meters(row=50, rounds=9, wagers=9, wagered=900)))
        assert TABLE not in desk.state.closed_tables
        assert desk.meter.books == books
        assert [type(one) for one in desk.say(reading(51, 10, 10, 1_000))] == [Counted]
        assert [type(one) for one in desk.say(claim((1, 10)))] == [Won]

    def test_more_than_the_threshold_of_its_rounds_never_counts(self) -> None:
        desk = opened()
        before = desk.meter.books
        (alarm,) = desk.say(reading(5, 2, 7, 10_001))
        assert (alarm.code, desk.meter.books) == ("unreasonable", before)
        assert desk.say(reading(5, 2, 7, 10_001)) == []
        desk.say(reading(6, 100, 8, 10_101))
        assert desk.meter.books.wagered == 100

    def test_as_much_as_the_threshold_of_its_rounds_counts(self) -> None:
        desk = opened()
        desk.say(reading(5, 2, 7, 10_000))
        assert desk.meter.books.wagered == 10_000

    def test_void_wagers_take_their_contributions_back(self) -> None:
        desk = opened()
        desk.say(reading(5, 1, 3, 300))
        before = desk.meter.books
        desk.say(reading(6, 2, 5, 500))
        desk.say(reading(7, 2, 5, 500, (2, 200)))
        assert desk.meter.books == before

    def test_void_wagers_that_were_refused_take_nothing_back(self) -> None:
        desk = opened()
        desk.say(reading(5, 1, 3, 300))
        before = desk.meter.books
        desk.say(reading(6, 2, 4, 90_300))
        desk.say(reading(7, 2, 4, 90_300, (1, 90_000)))
        assert desk.meter.books == before

    def test_void_wagers_that_were_won_since_are_borne_by_the_house(self) -> None:
        desk = opened()
        desk.say(reading(5, 1, 1, 1_000))
        desk.say(claim((1, 100), chip=1))
        shown, seeds = desk.meter.cents, desk.meter.books.seeds
        desk.say(reading(6, 1, 1, 1_000, (1, 1_000)))
        assert desk.meter.cents == shown
        assert desk.meter.books.contributions == 0
        assert desk.meter.books.seeds == seeds + 1_000 * 2_000

    def test_more_void_wagers_than_were_counted_raise_an_alarm(self) -> None:
        desk = opened()
        settled = Meters(row=4, rounds=1, wagers=5, wagered=500)
        desk.order(Settle, SettledTable(table=TABLE, reading=settled))
        (alarm,) = desk.say(reading(5, 1, 5, 500, (5, 500)))
        assert alarm.code == "unreasonable"
        assert desk.meter.books.wagers == 0


class TestClaims:
    def test_shares_of_a_round_are_taken_of_what_is_left(self) -> None:
        desk = opened()
        first, second = desk.say(claim((7, 10), (3, 10)))
        assert (first.cents, first.display_before, first.display_after) == (5_000, 50_000, 45_000)
        assert (second.cents, second.display_before, second.display_after) == (4_500, 45_000, 40_500)
        assert (first.order, second.order) == ((desk.sequence, 0), (desk.sequence, 1))

    def test_a_share_is_rounded_down_to_the_chip(self) -> None:
        desk = opened()
        (won,) = desk.say(claim((7, 33), chip=1_000))
        assert won.cents == 16_000

    def test_all_of_it_begins_the_level_again_in_the_same_entry(self) -> None:
        desk = opened()
        first, second = desk.say(claim((7, 100), (3, 10)))
        assert (first.cents, first.display_after, second.cents) == (50_000, 50_000, 5_000)

    def test_the_overflow_comes_in_after_the_last_share_of_the_round(self) -> None:
        desk = opened(Parameters(50_000, Fraction(15, 100), Fraction(5, 100), limit=60_000))
        desk.say(reading(5, 1, 1, 100_000))
        assert desk.meter.books.overflow == 5_000 * CENT
        all_of_it, share, added = desk.say(claim((7, 100), (3, 10)))
        assert (all_of_it.cents, share.cents) == (60_000, 5_000)
        assert added == OverflowAdded(display_before=45_000, display_after=50_000)

    def test_a_known_claim_gets_no_second_amount(self) -> None:
        desk = opened()
        desk.say(claim((7, 10)))
        again = desk.received(claim((7, 10)))
        assert desk.decide(again) == []
        assert known_claims(desk.state, [again]) == (claim_id(7),)

    def test_claims_of_one_batch_follow_the_stream(self) -> None:
        desk = opened()
        one, two = desk.received(claim((7, 10))), desk.received(claim((6, 10), number=2))
        assert [won.claim for won in desk.decide(one, two)] == [claim_id(7), claim_id(6, 2)]

    def test_a_claim_in_the_name_of_another_table_raises_an_alarm(self) -> None:
        desk = opened()
        foreign = claim((7, 10)).claims[0].model_copy(update={"claim": f"t2/{EPOCH}/1/7/sevens"})
        (alarm,) = desk.say(claim((7, 10)).model_copy(update={"claims": (foreign,)}))
        assert alarm.code == "claim"
        assert not desk.state.claims

    def test_a_share_of_less_than_a_chip_is_a_claim_of_nothing(self) -> None:
        desk = opened()
        (won,) = desk.say(claim((7, 10), chip=10_000))
        assert won.cents == 0
        desk.say(step(7, "void"))
        assert desk.meter.books.hits == 0

    def test_a_paid_claim_is_paid_once(self) -> None:
        desk = opened()
        desk.say(claim((7, 10)))
        assert desk.say(step(7, "paid")) == [ClaimEnded(claim=claim_id(7), to="paid")]
        assert desk.say(step(7, "paid")) == []
        assert desk.meter.books.paid == 5_000 * CENT
        (alarm,) = desk.say(step(7, "void"))
        assert alarm.code == "claim"
        assert desk.meter.books.paid == 5_000 * CENT

    def test_a_void_claim_gives_its_amount_back(self) -> None:
        desk = opened()
        before = desk.meter.books
        desk.say(claim((7, 100)))
        desk.say(step(7, "void"))
        assert (desk.meter.books.display, desk.meter.books.seeds) == (before.display, before.seeds)

    def test_nothing_is_won_before_the_first_parameters(self) -> None:
        assert Desk().say(claim((7, 10)))[0].code == "epoch"


class TestSenders:
    def test_a_wrong_key_raises_one_alarm_and_counts_nothing(self) -> None:
        desk = opened()
        books = desk.meter.books
        assert [one.code for one in desk.say(reading(5, 1, 3, 300), signer="b" * 64)] == ["signature"]
        assert desk.say(reading(6, 2, 4, 400), signer="") == []
        assert desk.meter.books == books

    def test_an_epoch_that_is_not_admitted_raises_an_alarm(self) -> None:
        desk = opened()
        other = reading(5, 1, 3, 300).model_copy(update={"epoch": "1" * 16})
        assert [one.code for one in desk.say(other)] == ["epoch"]

    def test_an_alarm_is_raised_again_after_something_counted(self) -> None:
        desk = opened()
        desk.say(reading(5, 1, 3, 300), signer="")
        desk.say(reading(5, 1, 3, 300))
        assert [one.code for one in desk.say(reading(6, 2, 4, 400), signer="")] == ["signature"]

    def test_a_malformed_message_raises_an_alarm(self) -> None:
        desk = opened()
        (alarm,) = desk.say(MalformedMessage("row = -1: too small"))
        assert alarm == Alarm(code="malformed", table=TABLE, why="row = -1: too small")

    def test_another_level_is_malformed(self) -> None:
        desk = opened()
        (alarm,) = desk.say(reading(5, 1, 3, 300).model_copy(update={"level": "eights"}))
        assert alarm.why == "level = eights; allowed: sevens"


class TestStream:
    def test_an_entry_names_the_inputs_that_it_decided(self) -> None:
        desk = opened()
        late = desk.received(reading(0, 0, 0, 0))
        desk.say(reading(5, 1, 3, 300))
        assert desk.log[-1].inputs == (1, late.sequence, late.sequence + 1, f"{desk.sequence:064x}")

    def test_inputs_out_of_order_are_refused(self) -> None:
        desk = opened()
        one, two = desk.received(reading(5, 1, 3, 300)), desk.received(reading(6, 2, 4, 400))
        with pytest.raises(ValueError, match="rising sequences"):
            decide(desk.state, [two, one])

    def test_a_rewound_stream_is_read_again_and_counts_nothing_twice(self) -> None:
        desk = opened()
        desk.say(reading(5, 1, 3, 300))
        desk.say(claim((7, 10)))
        books = desk.meter.books
        desk.follow(rewound_entry(desk.state))
        desk.sequence = 0
        assert desk.state.position == Position(2, 0, "")
        assert desk.say(reading(5, 1, 3, 300)) == []
        assert desk.say(claim((7, 10))) == []
        assert desk.meter.books == books

    def test_a_leader_decides_no_input(self) -> None:
        desk = opened()
        position = desk.state.position
        desk.follow(leader_entry(desk.state, "p1"))
        assert desk.state.position == position

    @pytest.mark.parametrize(
        ("oldest", "last", "digest", "rewound"),
        [
            (1, 9, "x", False),
            (1, 4, "", True),
            (1, 9, "y", True),
            (1, 9, "", True),
            (6, 9, "", False),
        ],
    )
    def test_a_stream_was_rewound_if_its_message_is_another(
        self, oldest: int, last: int, digest: str, rewound: bool
    ) -> None:
        assert was_rewound(Position(1, 5, "x"), oldest, last, digest) is rewound


class TestReading:
    @pytest.mark.parametrize(
        ("part", "other", "fault"),
        [
            (b'"v":1,', b"", "v is missing; allowed: 1"),
            (b'"wagers":3', b'"wagers":"3"', "wagers = '3'"),
            (b'"wagered":300', b'"wagered":300.5', "wagered = 300.5"),
            (b'"row":5', b'"row":-5', "row = -5"),
            (b'"level":"sevens"', b'"level":"Sevens"', "level = 'Sevens'"),
        ],
    )
    def test_a_message_with_a_fault_names_it(self, part: bytes, other: bytes, fault: str) -> None:
        payload = reading(5, 1, 3, 300).payload
        assert part in payload
        with pytest.raises(MalformedMessage, match=fault):
            read_input(payload.replace(part, other))

    def test_an_unknown_field_is_ignored_and_an_unknown_version_refused(self) -> None:
        payload = reading(5, 1, 3, 300).payload
        assert read_input(payload[:-1] + b',"new":1}') == reading(5, 1, 3, 300)
        with pytest.raises(MalformedMessage, match=r"v = 2"):
            read_input(payload.replace(b'"v":1', b'"v":2'))

    def test_more_void_wagers_than_wagers_are_refused(self) -> None:
        payload = reading(5, 1, 3, 300).payload.replace(b'"voided":0', b'"voided":301')
        with pytest.raises(MalformedMessage, match="no more void ones"):
            read_input(payload)
