"""A conversation with a simulated Angel Eye, in virtual time."""

import pytest

from drivers.adapters.angel_eye.line import RENEWAL
from drivers.adapters.angel_eye.orders import ATTEMPTS, LIMIT
from drivers.adapters.observations import (
    CardSeen,
    CardSeenOutside,
    CardStuck,
    CutCardSeen,
    Doubt,
    Observation,
    Remark,
    ShoeFault,
    ShoeRestarted,
    ShoeUp,
)
from drivers.adapters.options import AdapterOptions
from drivers.link.reports import Down
from drivers.sim.cable import Faults
from drivers.sim.requests import RequestError
from tests.drivers.adapters.bench import CARDS, Bench

MAKE = "angel-eye-2ex"
STARTED = [ShoeRestarted(), Doubt("the shoe started anew")]


def up(options: AdapterOptions | None = None) -> Bench:
    bench = Bench(MAKE, options)
    assert bench.run() == [ShoeUp()]
    return bench


def locked(bench: Bench) -> bool:
    return not any(notice.get("up_to") for notice in bench.unit.body.look())


def test_the_shoe_is_locked_until_the_table_permits_cards() -> None:
    bench = up()
    with pytest.raises(RequestError, match="locked"):
        bench.ask("pull")
    bench.unlock()
    bench.ask("pull")
    assert bench.run() == [CardSeen("8s")]
    assert (bench.line.counters.frames_in, bench.line.counters.repeats) == (6, 4)
    bench.open = False
    bench.run()
    assert locked(bench)


def test_a_card_while_it_is_locked_is_outside() -> None:
    bench = up()
    bench.ask("pull", force=True)
    assert bench.run() == [Remark("a card was drawn in lock mode"), CardSeenOutside("8s")]


def test_the_other_form_of_the_check_is_found_and_remembered() -> None:
    bench = Bench(MAKE)
    bench.ask("bcc", stx=False)
    assert bench.run() == [ShoeUp()]
    assert bench.line.counters.frames_out == 2
    bench.unlock()
    assert bench.line.counters.frames_out == 3
    bench.connect()
    assert bench.run() == [ShoeUp()]
    assert bench.line.counters.frames_out == 2  # lock, unlock


@pytest.mark.parametrize("code", [0x21, 0x22])
def test_a_busy_shoe_is_asked_again(code: int) -> None:
    bench = Bench(MAKE)
    bench.ask("refuse", code=code, times=3)
    assert bench.run(1.0) == [ShoeUp()]
    assert bench.line.counters.retransmissions == 3


def test_a_line_that_spoils_orders_is_borne_for_a_while() -> None:
    bench = Bench(MAKE)
    bench.ask("refuse", code=0x01, times=ATTEMPTS - 1)
    assert bench.run() == [ShoeUp()]
    bench.ask("refuse", code=0x03, times=ATTEMPTS)
    down = Down("order refused", "order LK 02: NAK 03, no ETX")
    assert bench.run(2 * RENEWAL) == [down]


@pytest.mark.parametrize(("code", "words"), [(0x13, "unknown command"), (0xFF, "another reason")])
def test_a_shoe_that_does_not_lock_is_no_shoe_for_a_table(code: int, words: str) -> None:
    bench = Bench(MAKE)
    bench.ask("refuse", code=code)
    assert bench.run() == [Down("order refused", f"order LK 02: NAK {code:02X}, {words}")]


def test_a_shoe_that_does_not_unlock_now_is_told_again() -> None:
    bench = up()
    bench.ask("refuse", code=0xFF, times=2)
    bench.open = True
    refused = Remark("order LK 01: NAK FF, another reason")
    assert bench.run(3 * RENEWAL) == [refused, refused]
    assert not locked(bench)


def test_an_answer_to_nothing_is_counted() -> None:
    bench = up()
    bench.ask("say", raw="06 15 30 32")
    assert bench.run() == []
    assert bench.line.counters.unasked == 2


def test_the_last_word_is_a_lock() -> None:
    bench = up()
    bench.unlock()
    bench.line.close(bench.wire.now)
    bench.run()
    assert locked(bench)


def test_a_lock_that_is_not_what_it_was_told_is_counted_and_told_again() -> None:
    bench = up()
    bench.ask("say", raw="05 90 4C 00 03 44 46")
    bench.run(2 * RENEWAL)
    assert bench.line.counters.contradictions == 1
    assert locked(bench)


def test_silence_is_noticed_within_a_few_seconds() -> None:
    bench = up()
    bench.ask("freeze", seconds=60)
    (down,) = bench.run(RENEWAL + ATTEMPTS * LIMIT + 0.1)
    assert down == Down("silent", "order LK 02: it does not answer")
    assert bench.run(30) == []


def test_a_line_that_is_deaf_one_way_is_named() -> None:
    bench = Bench(MAKE)
    bench.ask("fault", drop=1.0, direction="in")
    bench.ask("pull", force=True)
    (down,) = bench.run(10)
    assert isinstance(down, Down)
    assert down.text.endswith("it does not answer, though its messages come: see to the line toward the shoe")


def test_a_few_lost_answers_change_nothing() -> None:
    bench = up()
    bench.ask("ignore", times=ATTEMPTS - 1)
    assert bench.run(10) == []
    assert bench.line.counters.timeouts == ATTEMPTS - 1


def test_a_card_that_cannot_be_read_is_told_once_and_its_error_cleared_when_play_goes_on() -> None:
    bench = up()
    bench.unlock()
    bench.ask("unreadable")
    bench.ask("pull")
    assert bench.run() == [CardSeen("")]
    bench.ask("say", raw="05 90 44 80 80 03 44 37")  # D without a card: the same one
    bench.open = False
    bench.run()
    bench.unlock()
    bench.ask("pull")
    assert CardSeen("Th") in bench.run()


def test_an_error_that_stood_before_anybody_listened_is_cleared_when_play_goes_on() -> None:
    bench = up()
    bench.unlock()
    bench.ask("fault", drop=1.0, direction="out")
    bench.ask("unreadable")
    bench.ask("pull")
    bench.run()
    bench.ask("fault", drop=0.0, direction="out")
    bench.connect()
    bench.run(1)
    bench.ask("pull")
    assert bench.run() == [Remark("a card was drawn in error mode"), CardSeenOutside("Th")]
    bench.open = False
    bench.run()
    bench.unlock()
    bench.ask("pull")
    assert bench.run() == [CardSeen("Ad")]


def test_another_error_that_stands_is_told_by_the_card() -> None:
    bench = up()
    bench.ask("say", raw="05 90 64 12 B8 03 35 44")
    assert bench.run() == [
        Remark("a card was drawn in error mode"),
        CardSeenOutside("8s"),
        ShoeFault(2, True, "more cards were drawn than its game has"),
    ]


def test_errors_come_and_go_in_words() -> None:
    bench = up()
    bench.ask("error", code=2)
    words = "more cards were drawn than its game has"
    assert bench.run() == [ShoeFault(2, True, words)]
    bench.ask("cancel")
    assert bench.run() == [ShoeFault(2, False, words)]
    bench.ask("jam", on=True)
    bench.ask("jam", on=False)
    assert bench.run() == [CardStuck(True), CardStuck(False)]
    bench.ask("preset", number=3, value=42)
    assert bench.run() == [Remark("preset '03' is '0042' now")]


@pytest.mark.parametrize(
    ("options", "heard"),
    [
        (AdapterOptions(), CardSeenOutside("")),
        (AdapterOptions(r_means="redeal"), CardSeen("8s")),
        (AdapterOptions(r_means="retransmission"), None),
    ],
)
def test_a_card_again_is_what_the_table_says_it_is(options: AdapterOptions, heard: object) -> None:
    bench = up(options)
    bench.unlock()
    bench.ask("pull")
    bench.run()
    bench.ask("again")
    assert [each for each in bench.run() if not isinstance(each, Remark)] == ([heard] if heard else [])


def test_the_cut_card_is_reported() -> None:
    bench = up()
    bench.ask("load", cards="As Ks", behind_cut=1)
    bench.unlock()
    bench.ask("pull")
    assert bench.run() == [CardSeen("As"), CutCardSeen()]


def test_a_reboot_is_a_doubt_and_the_lock_is_told_again() -> None:
    bench = up()
    bench.unlock()
    bench.ask("pull")
    bench.run()
    bench.ask("reboot")
    assert bench.run() == STARTED
    bench.run()
    assert not locked(bench)
    bench.ask("pull")
    assert bench.run() == [CardSeen("Th")]


def test_a_reboot_without_a_word_shows_by_the_number_of_the_last_message() -> None:
    bench = up()
    bench.unlock()
    bench.ask("quiet", quiet=True)
    bench.ask("reboot")
    bench.run(2 * RENEWAL)
    assert not locked(bench)  # the lock is repeated again and again


def test_a_message_that_is_lost_whole_shows_at_the_next_one() -> None:
    bench = up()
    bench.unlock()
    bench.ask("fault", drop=1.0, direction="out")
    bench.ask("pull")
    assert bench.run() == []
    bench.ask("fault", drop=0.0, direction="out")
    bench.ask("pull")
    doubt, card = bench.run(3)
    assert (type(doubt), card) == (Doubt, CardSeen("Th"))


def test_a_message_of_which_no_copy_is_good_shows_by_itself() -> None:
    bench = up()
    bench.unlock()
    bench.ask("fault", flip=1.0, direction="out")
    bench.ask("pull")
    assert bench.run(0.5) == []
    bench.ask("fault", flip=0.0, direction="out")
    (doubt,) = bench.run(2)
    assert isinstance(doubt, Doubt)


@pytest.mark.parametrize("seed", range(20))
def test_a_bad_line_loses_or_repeats_no_card_without_a_doubt(seed: int) -> None:
    bench = Bench(MAKE, faults=Faults(drop=0.1, flip=0.1, duplicate=0.1, split=0.2))
    bench.unit.toward_host.counts.clear()
    for _ in range(seed):
        bench.ask("say", raw="00" * 3)
    bench.open = True
    heard = bench.run(5)
    for _ in range(40):
        bench.ask("pull", force=True)
        heard += bench.run(1)
        if heard and isinstance(heard[-1], Down):
            bench.connect()
    assert doubtless(heard) <= 40
    assert any(isinstance(each, Doubt) for each in heard)


def doubtless(heard: list[Observation]) -> int:
    """The number of cards that came; each must be the next one of CARDS, or a later one after a doubt."""
    place, doubted = 0, True
    for each in heard:
        doubted |= isinstance(each, Doubt | Down)
        if isinstance(each, CardSeen | CardSeenOutside):
            found = CARDS.index(each.card, place)
            assert found == place or doubted, (each, place)
            place, doubted = found + 1, False
    return place
