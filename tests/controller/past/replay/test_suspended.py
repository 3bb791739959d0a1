"""Suspended rounds: what happened, who decided, and that their scripts settle as the table did."""

from pathlib import Path

from controller.table.record.events import DeviceLost, DeviceRunning, EventsMissing
from drivers.messages import CardUnpermitted, CardUnreadable, Cover
from tests.fixtures.device_inputs import LOG
from tests.fixtures.played_journal import played_table, replay, replayed_rounds


class TestSuspended:
    def test_a_card_that_a_person_named(self, tmp_path: Path) -> None:
        with played_table(tmp_path) as at:
            at.play("1:main=500 close 5h Tc")
            at.script.cards += 1
            at.shoe(CardUnreadable(at.script.cards))
            at.supervise("card", "6s")
            at.play("pay")
        (found,) = replayed_rounds(tmp_path)
        assert found["agrees"]
        assert found["round"]["script"] == ["5h", "Tc", "6s"]
        assert found["suspended"] == ["Card 3 could not be read"]
        assert found["supervisor"][0]["card"] == "6s"
        shown = replay(tmp_path).stdout
        assert "a card that could not be read" in shown
        assert "suspended: Card 3 could not be read" in shown
        assert "supervisor Ann: card 6s (seen by eye)" in shown
        assert "play goes on" in shown

    def test_a_card_that_was_burned_is_no_part_of_the_script(self, tmp_path: Path) -> None:
        with played_table(tmp_path) as at:
            at.play("1:main=500 close 5h Tc")
            at.script.cards += 1
            at.shoe(CardUnpermitted(at.script.cards, "9s"))
            at.supervise("burn")
            at.play("6s pay")
        (found,) = replayed_rounds(tmp_path)
        assert found["agrees"]
        assert found["round"]["script"] == ["5h", "Tc", "6s"]
        assert "9s, although the shoe was locked" in replay(tmp_path).stdout

    def test_devices_that_go_and_what_nobody_can_read(self, tmp_path: Path) -> None:
        with played_table(tmp_path) as at:
            at.play("1:main=500 close 5h")
            at.apply(DeviceLost("shoe", "unplugged"), at.script.up("shoe"), DeviceRunning("shoe"))
            at.apply(at.script.event("shoe", Cover(True)), at.script.event("shoe", Cover(False)))
            at.apply(at.script.event("console", b"\x01", critical=True))
            at.supervise("resume")
            at.apply(EventsMissing("sensors", LOG, 90, 91))
            at.supervise("resume")
            at.play("Tc 6s pay")
        cells = [line.strip("│").split("│") for line in replay(tmp_path).stdout.splitlines()]
        came = {row[2].strip(): row[3].strip() for row in cells if len(row) == 4}
        assert {
            "the shoe is lost: unplugged": "suspended: Missing: the shoe",
            "the shoe is in service": "play goes on",
            "the shoe: cover": "play goes on",
            "supervisor Ann: resume (seen by eye)": "play goes on",
        }.items() <= came.items()
        assert came["the console: an unknown event"].startswith("suspended: Unknown to this version")
        assert came["sensors: events 90 to 91 are lost"].startswith("suspended: Events 90 to 91 of the")
        assert replayed_rounds(tmp_path)[0]["agrees"]

    def test_refused_keys_and_alerts_are_told(self, tmp_path: Path) -> None:
        with played_table(tmp_path) as at:
            at.play("1:main=500 close 5h Tc pay 4:main=900 6s pay")
        shown = replay(tmp_path).stdout
        assert "refused: pay for seat 0" in shown
        assert "4:main=900" in shown
        assert "seat 4: a main wager appeared after betting closed" in shown
        assert replayed_rounds(tmp_path)[0]["agrees"]
