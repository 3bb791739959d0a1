"""The table's state, input by input: what is due, what is refused, what suspends, what resumes."""

from collections.abc import Iterable

import pytest

from controller.table.apply import apply, begin, due_action, is_repeat
from controller.table.console import keys, permit, prompt
from controller.table.errors import NotAllowed
from controller.table.events import (
    Alert,
    CardsMissing,
    Choice,
    Cleared,
    CommandRefused,
    DeviceLost,
    DeviceRunning,
    EventsMissing,
    Input,
    Note,
    Refusal,
    Resumed,
    RoundEnded,
    Supervisor,
    Suspended,
)
from controller.table.lamps import lamps
from controller.table.state import TableState
from drivers.messages import (
    CardDrawn,
    CardInterrupted,
    CardUnpermitted,
    CardUnreadable,
    Cover,
    CutCard,
    Door,
    Empty,
    EventBody,
    Fault,
    Loaded,
    Permit,
    SensorFault,
    ShoeJam,
    Tamper,
    Wager,
)
from drivers.protocol.codes import Lamp, Status
from tests.controller.table.script import Script


class Told:
    """A table and the script that it is told."""

    def __init__(self, **options: object) -> None:
        self.script = Script(options={"burn_cards": 0, **options})
        self.state = begin(self.script.started())
        self.tell(*self.script.opening(), self.script.loaded(self.state.game.options.decks))

    def tell(self, *events: Input) -> list[Note]:
        return [note for event in events for note in apply(self.state, event)]

    def shoe(self, body: EventBody) -> list[Note]:
        return self.tell(self.script.event("shoe", body))

    def say(self, choice: Choice, card: str | None = None) -> list[Note]:
        return self.tell(Supervisor(choice, "Ann", "seen", card))

    def deal(self, cards: str = "5h 7d Kc") -> None:
        """Seats 1 and 2 are in."""
        script = self.script
        self.tell(script.bet(1), script.bet(2), script.key("close"), *script.cards_out(cards))

    @property
    def prompt(self) -> str:
        return prompt(self.state)[0]


def of(kind: type[Note], notes: Iterable[Note]) -> list[Note]:
    return [note for note in notes if isinstance(note, kind)]


def lamp(state: TableState, seat: int, spot: int = 0) -> Lamp:
    return Lamp(lamps(state)[6 * (seat - 1) + spot])


def test_a_new_table_misses_its_devices_and_then_its_cards() -> None:
    script = Script()
    state = begin(script.started())
    apply(state, script.started())
    assert state.suspension.reasons == ("Missing: the shoe", "Missing: the sensors", "Missing: the console")
    for event in list(script.opening())[1:]:
        apply(state, event)
    assert prompt(state) == ("Load the shoe", 0)
    assert keys(state) == frozenset()
    assert set(lamps(state)) == {Lamp.OFF, Lamp.NO_BETS}
    apply(state, script.loaded())
    assert prompt(state) == ("Place your bets", 0)


def test_a_whole_round() -> None:
    told = Told()
    assert lamp(told.state, 1) == Lamp.OPEN
    assert lamps(told.state)[42:] == bytes(12)  # seats 8 and 9 are not there
    told.tell(told.script.bet(1), told.script.bet(2), told.script.bet(2, 1, 200))
    assert permit(told.state) == 0
    told.tell(told.script.key("close"))
    assert [lamp(told.state, 1), lamp(told.state, 1, 1), lamp(told.state, 3)] == [3, 2, 2]
    assert permit(told.state) == 3
    told.tell(*told.script.cards_out("5h 7d Tc"))
    assert (told.prompt, permit(told.state)) == ("Seat 1 has 5: hit or stand", 4)
    notes = told.tell(told.script.card("6s"), told.script.key("stand", 2), told.script.key("pay"))
    ended = of(RoundEnded, notes)[0]
    assert isinstance(ended, RoundEnded)
    assert {line.seat: line.outcome for line in ended.round.lines if line.wager == "main"} == {
        1: "win",
        2: "lose",
    }
    assert told.state.rounds[0] == ended.round
    assert (told.state.number, permit(told.state)) == (2, 0)


def test_win_lamps_at_settlement() -> None:
    told = Told()
    told.deal("5h 7d Tc")
    told.tell(told.script.card("6s"), told.script.key("stand", 2))
    assert (lamp(told.state, 1), lamp(told.state, 2)) == (Lamp.WIN, Lamp.NO_BETS)


def test_chips_that_lie_there_are_the_next_wagers() -> None:
    told = Told()
    told.deal("Ah 7d Tc")
    told.tell(told.script.key("stand", 2), told.script.key("pay"))
    assert told.prompt == "Place your bets: 2 wagers"
    told.tell(told.script.take(1))
    assert told.prompt == "Place your bets: 1 wager"


def test_a_round_that_is_void_leaves_what_it_did_not_burn() -> None:
    told = Told(burn_cards=2)
    told.tell(told.script.bet(1), told.script.key("close"), told.script.card("9h"))
    told.say("void")
    told.tell(told.script.key("close"))
    assert (told.state.round.phase, told.prompt) == ("burning", "Burn 1 card")


def test_burn_after_a_load_once() -> None:
    told = Told(burn_cards=2)
    told.tell(told.script.bet(1), told.script.key("close"))
    assert (told.prompt, permit(told.state)) == ("Burn 2 cards", 2)
    told.tell(*told.script.cards_out("2h 3h"), *told.script.cards_out("Ah Tc"), told.script.key("pay"))
    told.tell(told.script.key("close"))
    assert told.prompt == "Deal 2 cards"


def test_refused_key_is_noted_and_shown() -> None:
    told = Told()
    told.deal()
    notes = told.tell(told.script.key("pay"))
    assert [type(note) for note in notes] == [Refusal]
    assert told.state.alerts[-1].startswith("pay: ")


def test_wager_outside_its_window_alerts() -> None:
    told = Told()
    told.deal()
    assert of(Alert, told.tell(told.script.bet(4))) == [
        Alert("seat 4: a main wager appeared after betting closed")
    ]
    assert of(Alert, told.tell(told.script.take(1))) == [
        Alert("seat 1: a main wager vanished after betting closed")
    ]
    assert lamp(told.state, 1) == Lamp.LATCHED


@pytest.mark.parametrize(("seat", "spot"), [(8, 0), (1, 4)])
def test_wager_where_no_spot_is(seat: int, spot: int) -> None:
    told = Told()
    assert of(Alert, told.tell(told.script.event("sensors", Wager(seat, spot, True, 100))))


def test_sensor_fault_lights_its_lamp_until_it_is_gone() -> None:
    told = Told()
    told.tell(told.script.event("sensors", SensorFault(3, 1, True)))
    assert lamp(told.state, 3, 1) == Lamp.FAULT
    told.tell(told.script.event("sensors", SensorFault(3, 1, False)))
    assert lamp(told.state, 3, 1) == Lamp.OPEN


@pytest.mark.parametrize("device", ["shoe", "sensors", "console"])
def test_losing_any_device_suspends_and_its_return_resumes(device: str) -> None:
    told = Told()
    told.deal()
    notes = told.tell(DeviceLost(device, "unplugged"))
    assert notes == [Suspended(f"Missing: the {device}")]
    assert (told.prompt, permit(told.state)) == (f"Suspended: Missing: the {device}", 0)
    assert not keys(told.state)
    assert of(Refusal, told.tell(told.script.key("stand", 1)))
    assert told.tell(told.script.up(device), DeviceRunning(device)) == [Resumed()]
    assert (told.prompt, permit(told.state)) == ("Seat 1 has 5: hit or stand", 4)


def test_a_card_that_left_before_the_loss_is_taken() -> None:
    told = Told()
    told.tell(told.script.bet(1), told.script.key("close"))
    told.tell(DeviceLost("console", "unplugged"), *told.script.cards_out("5h Tc"))
    told.tell(DeviceRunning("console"))
    assert told.prompt == "Seat 1 has 5: hit or stand"


def test_card_that_was_not_due_waits_for_a_person() -> None:
    told = Told()
    notes = told.tell(told.script.card("9h"))
    assert notes == [Suspended("Card 1 left the shoe, but no card was due")]
    with pytest.raises(NotAllowed, match="card 1 waits"):
        told.say("resume")
    with pytest.raises(NotAllowed, match="no card is due"):
        told.say("card")
    assert of(Resumed, told.say("burn"))
    assert told.state.ledger.seen == {"9h": 1}
    assert told.prompt == "Place your bets"


def test_no_card_can_be_placed_while_none_waits() -> None:
    told = Told()
    told.tell(told.script.bet(1), told.script.key("close"))
    for card in (None, "7s"):
        with pytest.raises(NotAllowed, match="no card waits"):
            told.say("card", card)
    assert told.state.round.cards_due == 2


def test_unpermitted_card_is_not_named_and_can_be_placed() -> None:
    told = Told()
    told.tell(told.script.bet(1), told.script.key("close"), told.script.card("5h"))
    told.script.cards += 1
    told.shoe(CardUnpermitted(2, "Tc"))
    assert told.prompt == "Suspended: Card 2 left the shoe although it was locked"
    told.say("card")
    assert told.prompt == "Seat 1 has 5: hit or stand"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (CardUnreadable(1), "Card 1 could not be read"),
        (CardInterrupted(1), "Card 1 was on its way when the shoe lost its power"),
    ],
)
def test_card_that_nobody_read_has_to_be_named(body: EventBody, why: str) -> None:
    told = Told()
    told.tell(told.script.bet(1), told.script.key("close"))
    told.script.cards += 1
    told.shoe(body)
    assert told.prompt == f"Suspended: {why}"
    with pytest.raises(NotAllowed, match="name it"):
        told.say("card")
    told.say("card", "Ah")
    assert told.state.round.seats[1].hands[0].cards == ("Ah",)


def test_cards_behind_one_in_question_wait_and_then_take_their_places() -> None:
    told = Told()
    told.tell(told.script.bet(1), told.script.bet(2), told.script.key("close"))
    told.script.cards += 1
    told.shoe(CardUnreadable(1))
    told.tell(*told.script.cards_out("7d Tc"))
    assert told.state.round.cards_due == 3
    told.say("card", "5h")
    assert [told.state.round.seats[seat].hands[0].cards for seat in (1, 2)] == [("5h",), ("7d",)]
    assert told.prompt == "Seat 1 has 5: hit or stand"


def test_cards_that_were_never_reported() -> None:
    told = Told()
    told.tell(told.script.bet(1), told.script.key("close"))
    told.script.cards += 2
    told.tell(told.script.card("5h"))
    assert told.prompt == "Suspended: Card 3 left the shoe, but others before it were never reported"
    told.say("void")
    assert told.state.rounds[0].outcome == "void"
    told.tell(CardsMissing("shoe", 7, 3))
    assert told.prompt == "Suspended: The shoe gave out 7 cards, but 3 were reported"
    told.say("resume")
    told.tell(told.script.key("close"))
    assert permit(told.state) == 9


def test_void_gives_everything_back() -> None:
    told = Told()
    told.deal()
    told.tell(DeviceLost("sensors", "x"))
    notes = told.say("void")
    ended = of(RoundEnded, notes)[0]
    assert isinstance(ended, RoundEnded)
    assert ended.round.outcome == "void"
    assert {line.outcome for line in ended.round.lines} == {"push"}
    assert told.prompt == "Suspended: Missing: the sensors"


def test_impossible_card_suspends_by_name() -> None:
    told = Told(decks=6)
    told.state.ledger.seen["9h"] = 6
    told.tell(told.script.bet(1), told.script.key("close"))
    notes = told.tell(told.script.card("9h"))
    assert notes == [Suspended("Card 9h has come 7 times; 6 decks hold 6.")]
    told.tell(told.script.card("Tc"))
    told.say("resume")
    assert told.prompt == "Seat 1 has 9: hit or stand"


def test_impossible_face_down_card_is_named_when_it_is_turned() -> None:
    told = Told(decks=6)
    told.state.ledger.seen["9h"] = 6
    told.tell(told.script.bet(1), told.script.key("close"))
    assert told.tell(*told.script.cards_out("5h 9h")) == []
    notes = told.tell(told.script.key("stand", 1))
    assert Suspended("Card 9h has come 7 times; 6 decks hold 6.") in notes


def test_impossible_card_is_no_news_of_the_face_down_one() -> None:
    """The last 9h lies face down; the alarm about a further one comes only when the first is turned."""
    told = Told(decks=6)
    told.state.ledger.seen["9h"] = 5
    told.tell(told.script.bet(1), told.script.bet(2), told.script.key("close"))
    assert told.tell(*told.script.cards_out("2h 3h 9h 9h")) == []
    told.tell(told.script.key("stand", 2))
    assert told.state.suspension.reasons == ("Card 9h has come 7 times; 6 decks hold 6.",)


def test_cut_card_asks_for_a_shoe_after_the_round() -> None:
    told = Told()
    told.deal("Ah 7d Tc")
    told.shoe(CutCard(3))
    assert told.prompt == "Seat 2 has 7: hit or stand"
    told.tell(told.script.key("stand", 2), told.script.key("pay"))
    assert (told.prompt, keys(told.state)) == ("Load the shoe", frozenset())
    assert of(Refusal, told.tell(told.script.key("close")))
    told.tell(told.script.loaded())
    assert (told.prompt, told.state.ledger.out) == ("Place your bets: 2 wagers", 0)


def test_cut_card_between_rounds() -> None:
    told = Told()
    told.shoe(CutCard(0))
    assert told.prompt == "Load the shoe"


def test_empty_shoe_in_a_round() -> None:
    told = Told()
    told.deal()
    told.shoe(Empty())
    assert told.prompt == "Suspended: The shoe is empty in the middle of a round: load it"
    told.tell(told.script.loaded())
    assert told.prompt == "Suspended: The shoe was loaded in the middle of round 1"
    told.say("resume")
    assert told.prompt == "Seat 1 has 5: hit or stand"


def test_wrong_number_of_decks() -> None:
    told = Told()
    told.tell(told.script.loaded(6))
    assert told.prompt == "Suspended: The shoe was loaded with 6 decks: load 8"
    told.tell(told.script.loaded(8))
    assert told.prompt == "Place your bets"


@pytest.mark.parametrize(
    ("device", "on", "off", "why"),
    [
        ("shoe", Cover(True), Cover(False), "The shoe's cover is open"),
        ("shoe", ShoeJam(True), ShoeJam(False), "A card is stuck in the shoe"),
        ("sensors", Door(2, True), Door(2, False), "Door 2 of the sensors is open"),
        ("console", Fault(7, True, "hot"), Fault(7, False, ""), "Fault 7 in the console: hot"),
    ],
)
def test_faults_that_pass(device: str, on: EventBody, off: EventBody, why: str) -> None:
    told = Told()
    told.deal()
    assert told.tell(told.script.event(device, on)) == [Suspended(why)]
    assert permit(told.state) == 0
    assert told.tell(told.script.event(device, off)) == [Resumed()]


@pytest.mark.parametrize(("what", "suspends"), [(1, False), (2, False), (3, True)])
def test_tampering(what: int, suspends: bool) -> None:
    told = Told()
    notes = told.tell(told.script.event("shoe", Tamper(what, 4)))
    assert of(Alert, notes)
    assert bool(told.state.suspension) is suspends


@pytest.mark.parametrize("relation", ["new log", "served elsewhere"])
def test_another_memory_in_a_round_needs_a_person(relation: str) -> None:
    told = Told()
    told.deal()
    told.tell(DeviceLost("sensors", "x"), told.script.up("sensors", relation, b"\x05" * 8))
    told.tell(DeviceRunning("sensors"))
    assert told.prompt.startswith("Suspended: The memory of the sensors is another one")
    told.say("resume")
    assert told.prompt == "Seat 1 has 5: hit or stand"


def test_another_memory_of_the_shoe_between_rounds_needs_fresh_cards() -> None:
    told = Told()
    told.tell(DeviceLost("shoe", "x"), told.script.up("shoe", "new log", b"\x05" * 8), DeviceRunning("shoe"))
    assert told.prompt == "Load the shoe"


def test_history_is_never_play() -> None:
    told = Told()
    told.tell(told.script.bet(1))
    told.tell(told.script.event("console", told.script.key("close").body, history=True))
    assert told.state.round.phase == "betting"


def test_history_tells_how_things_lie_and_stand() -> None:
    told = Told()
    told.shoe(Cover(open=True))
    told.tell(told.script.bet(1), told.script.bet(2))
    told.tell(told.script.event("shoe", Cover(open=False), history=True))
    told.tell(told.script.event("sensors", Wager(1, 0, False, 0), history=True))
    told.tell(told.script.event("shoe", Wager(3, 0, True, 500), history=True))
    assert told.prompt == "Place your bets: 1 wager"
    told.tell(told.script.key("close"), told.script.event("sensors", Wager(2, 0, False, 0), history=True))
    assert told.state.alerts[-1] == "seat 2: a main wager vanished after betting closed"
    assert list(told.state.round.seats) == [2]


@pytest.mark.parametrize(("relation", "left"), [("new log", 0), ("served elsewhere", 2)])
def test_a_new_memory_of_the_sensors_tells_anew_what_lies_there(relation: str, left: int) -> None:
    told = Told()
    told.tell(told.script.bet(1), told.script.bet(2), DeviceLost("sensors", "x"))
    notes = told.tell(told.script.up("sensors", relation, b"\x05" * 8), DeviceRunning("sensors"))
    assert len(told.state.chips) == len(told.state.round.seats) == left
    assert told.prompt == ("Place your bets: 2 wagers" if left else "Place your bets")
    why = f"The memory of the sensors is another one than before: {relation}"
    assert of(Alert, notes) == [Alert(f"{why}. Compare the chips with the page")]


def test_history_tells_whether_the_shoe_is_full() -> None:
    script = Script()
    state = begin(script.started())
    for event in (
        script.started(),
        script.up("shoe", "new log"),
        script.event("shoe", Loaded(8), history=True),
    ):
        apply(state, event)
    full = not state.shoe_wanted
    apply(state, script.event("shoe", CardDrawn(1, "9h"), history=True))
    assert (full, state.shoe_wanted, state.ledger.out) == (True, True, 0)


def test_repeats_are_known_by_log_and_number() -> None:
    told = Told()
    bet = told.script.bet(1)
    assert not is_repeat(told.state, bet)
    told.tell(bet)
    assert is_repeat(told.state, bet)


def test_lost_events_need_a_person() -> None:
    told = Told()
    told.tell(EventsMissing("sensors", bytes([1] * 8), 1, 9))
    assert told.prompt.startswith("Suspended: Events 1 to 9 of the sensors are lost: compare")
    assert told.state.devices["sensors"].newest == 9


def test_critical_event_that_nobody_can_read() -> None:
    told = Told()
    event = told.script.event("shoe", b"\xff\x01")
    told.tell(event)
    assert told.state.suspension.reasons == ()  # not critical: only kept
    critical = told.script.event("shoe", b"\xff\x02", critical=True)
    told.tell(critical)
    assert told.prompt.startswith("Suspended: Unknown to this version")
    assert told.say("resume") == [Cleared("shoe"), Resumed()]


def test_refused_command_is_shown() -> None:
    told = Told()
    notes = told.tell(CommandRefused("shoe", Permit(99), Status.RANGE, "too far"))
    assert notes == [Alert("The shoe does not take Permit(up_to=99): RANGE too far")]


def test_new_rules_wait_for_the_round_to_end() -> None:
    told = Told()
    told.deal()
    told.script.options = {"burn_cards": 0, "natural": "6:5"}
    told.tell(told.script.started(), *(DeviceRunning(name) for name in told.script.devices))
    assert told.state.rules.options == {"burn_cards": 0}
    told.say("void")
    assert told.state.rules.options == {"burn_cards": 0, "natural": "6:5"}


def test_no_shuffler_no_action() -> None:
    assert due_action(Told().state) is None


@pytest.mark.parametrize("body", [CardDrawn(1, "5h"), Loaded(8), Wager(1, 0, True, 500)])
def test_no_device_speaks_for_another(body: EventBody) -> None:
    told = Told()
    assert of(Alert, told.tell(told.script.event("console", body)))
    assert told.prompt == "Place your bets"


def test_a_card_that_is_none_was_not_read() -> None:
    told = Told()
    told.tell(told.script.bet(1), told.script.key("close"), told.script.card("Zz"))
    assert told.prompt == "Suspended: Card 1 could not be read"
