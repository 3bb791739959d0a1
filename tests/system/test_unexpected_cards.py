"""Unexpected cards: the round waits, and a supervisor's choice settles it."""

import json
import re
import sqlite3
from contextlib import closing

from controller.table.record.views import TableView
from tests.fixtures.process_table import ProcessTable
from tests.system import script
from tests.system.supervising import decided, declined, draw, supervise

STRANGE = "8c"
"""A card that the round does not expect."""
RESUMED = "resumed"


def stacked(place: int) -> str:
    """The script's cards with STRANGE before the card at `place`."""
    cards = script.CARDS.split()
    return " ".join([*cards[:place], STRANGE, *cards[place:], script.SPARE])


def rows(house: ProcessTable) -> list[tuple[str, dict[str, object]]]:
    """Kind and content of all rows of the journal, which the daemon still owns."""
    with closing(sqlite3.connect(f"file:{house.stage.journal}?mode=ro", uri=True)) as journal:
        records = journal.execute("SELECT kind, body FROM journal ORDER BY row").fetchall()
    return [(kind, json.loads(body)) for kind, body in records]


def check_waiting(house: ProcessTable, why: str) -> TableView:
    """Play is suspended for this one reason, and the card in question is named nowhere."""
    view = house.until(lambda view: view.suspended == (why,))
    house.until_settled()
    assert (view.prompt, view.keys) == (f"Suspended: {why}", ())
    house.until(lambda _: house.hands["shoe"].last("permit")["up_to"] == 0)
    for text in (house.page(), house.page("/api/v1/table"), house.page("/metrics"), house.log()):
        assert not re.search(rf"\b{STRANGE}\b", text)  # a hash may contain these two letters
    return view


def finish(house: ProcessTable, first: int, number: int) -> None:
    """Plays on from this step, to the settlement of the script."""
    script.play(house, steps=range(first, len(script.ROUND)))
    assert script.lines(script.ended(house, number)) == script.LINES


def test_a_card_while_the_shoe_is_locked_is_burned(house: ProcessTable) -> None:
    number = script.lay_out(house, stacked(0)).round
    script.play(house, steps=range(2))
    count = draw(house, force=True)
    view = check_waiting(house, f"Card {count} left the shoe although it was locked")
    assert view.phase == "betting"
    declined(house, "resume", f"card {count} waits: choose burn, card, assign, reread or void")
    declined(house, "card", "no card is due: Place your bets: 2 wagers; burn it or void the round")
    decided(house, "burn")
    house.until(lambda view: view.shoe.cards_out == 1)
    finish(house, 2, number)
    (kind, row), (note, _) = [row for row in rows(house) if row[0] in {"supervisor", RESUMED}][-2:]
    assert (kind, row["choice"], row["who"], row["why"]) == (
        "supervisor",
        "burn",
        "Sue",
        "the camera shows it",
    )
    assert note == RESUMED


def test_a_card_while_play_is_suspended_takes_its_place(house: ProcessTable) -> None:
    number = script.lay_out(house).round
    script.play(house, steps=range(6))
    script.at(house, 6)
    with house.unplugged("display"):
        house.until(lambda _: house.hands["shoe"].last("permit")["up_to"] == 0)
        count = draw(house, force=True)
        house.until(lambda view: len(view.suspended) == 2)
    check_waiting(house, f"Card {count} left the shoe although it was locked")
    decided(house, "card")
    finish(house, 7, number)


def test_a_card_that_nobody_could_read_is_named(house: ProcessTable) -> None:
    number = script.lay_out(house).round
    script.play(house, steps=range(6))
    script.at(house, 6)
    house.hands["shoe"].ask("unreadable")
    count = draw(house)
    check_waiting(house, f"Card {count} could not be read")
    declined(house, "card", f"card {count} could not be read: name it")
    decided(house, "card", card="7s")
    finish(house, 7, number)


def test_a_card_on_its_way_when_the_power_went_is_named(house: ProcessTable) -> None:
    number = script.lay_out(house).round
    script.play(house, steps=range(6))
    script.at(house, 6)
    count = house.hands["shoe"].last("card")["count"] + 1
    house.until_permitted()
    house.hands["shoe"].ask_at_once({"do": "pull"}, {"do": "reboot"})
    check_waiting(house, f"Card {count} was on its way when the shoe lost its power")
    decided(house, "card", card="7s")
    finish(house, 7, number)


def test_a_void_round_gives_every_wager_back(house: ProcessTable) -> None:
    number = script.lay_out(house).round
    script.play(house, steps=range(9))
    script.at(house, 9)
    house.hands["shoe"].ask("unreadable")
    draw(house)
    house.until(lambda view: view.suspended)
    decided(house, "void")
    ended = script.ended(house, number)
    assert (ended.number, ended.outcome, ended.dealer.cards) == (number, "void", ("3d",))
    assert {(line.outcome, line.paid) for line in ended.lines} == {("push", 0)}
    assert len(ended.lines) == 3
    assert "void" in house.page()
    assert script.at(house, 3).round == number + 1


def test_a_shoe_that_forgot_everything_waits_for_a_person(house: ProcessTable) -> None:
    number = script.lay_out(house).round
    script.play(house, steps=range(9))
    before = script.at(house, 9)
    house.hands["shoe"].ask("format")
    check_waiting(house, "The memory of the shoe is another one than before: new log")
    with house.unplugged("display"):
        assert len(house.view().suspended) == 2
    house.until(lambda view: "Missing: the display" not in view.suspended)
    assert len(house.until_settled().suspended) == 1  # an alert for a person stays until it is acknowledged
    decided(house, "resume")
    after = script.at(house, 9)
    assert (after.dealer, after.seats) == (before.dealer, before.seats)
    finish(house, 9, number)


MISREAD = ("--seat", "1", "--hand", "1", "--number", "2", "--old", "5c", "--card", "6c")
"""The card that seat 1 hit; it then has 10 instead of 9."""


def test_a_misread_card_is_put_right_and_stays_so(house: ProcessTable) -> None:
    number = script.lay_out(house).round
    script.play(house, steps=range(9))
    script.at(house, 9)
    seen = supervise(house, "correct", *MISREAD)
    assert (seen.returncode, "nothing is changed" in seen.stderr) == (1, True)
    (token,) = re.findall(r"--token (\S+)", seen.stdout)
    assert house.view().prompt == "Seat 1 has 9: hit or stand"
    assert supervise(house, "correct", *MISREAD, "--token", token[::-1]).returncode == 1
    assert supervise(house, "correct", *MISREAD, "--token", token).returncode == 0
    house.until(lambda view: view.prompt == "Seat 1 has 10: hit or stand")
    house.stop_daemon()
    house.start_daemon()
    house.until_recovered()
    house.until(lambda view: view.prompt == "Seat 1 has 10: hit or stand")
    house.hands["console"].ask("press", action="stand", seat=1)
    finish(house, 10, number)
    (said,) = house.view().rounds[0].corrections
    assert "6c" in said
    assert "5c" in said
