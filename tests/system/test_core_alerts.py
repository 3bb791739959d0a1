"""Faults of the core's own keys and parts: the table plays on under an alert, which ends with its cause."""

from pathlib import Path

from controller.table.record.views import AlarmView
from tests.fixtures.process_table import ProcessTable
from tests.fixtures.waiting import until
from tests.system import script


def test_a_table_without_a_seal_key_plays_under_an_alert_until_it_has_one(tmp_path: Path) -> None:
    with ProcessTable(tmp_path) as house, house.with_hands():
        seal = house.stage.folder / "keys" / "journal.seal"
        kept = seal.rename(seal.with_name("kept"))
        house.start_daemon()
        number = script.lay_out(house).round
        (told,) = house.view().alerts
        assert f"the seal key {seal} is missing" in told
        assert "Run tableside device provision journal, and restart the service" in told
        assert "tableside_alerts_open 1.0\n" in house.page("/metrics")
        script.play(house)
        assert script.lines(script.ended(house, number)) == script.LINES
        house.stop_daemon()
        kept.rename(seal)
        house.start_daemon()
        house.until(lambda view: not view.alerts)
        assert only_alarm(house).ended is not None
        assert "tableside_alerts_ended 1.0\n" in house.page("/metrics")


def test_a_table_plays_on_while_no_program_reaches_it(tmp_path: Path) -> None:
    with ProcessTable(tmp_path) as house, house.with_hands():
        path = house.stage.journal.with_name(f"{house.stage.journal.name}.sock")
        path.mkdir()
        house.start_unshown_daemon()
        house.hands["shoe"].ask("load", cards=f"{script.CARDS} {script.SPARE}", decks=8)
        until(lambda: "No page and no command reaches the table" in prompt(house))
        for step in script.ROUND:
            until(lambda step=step: prompt(house).startswith(step.prompt))  # type: ignore[misc]
            script.do(house, step)
        path.rmdir()
        view = house.until(lambda view: not view.alerts)
        assert script.lines(view.rounds[0]) == script.LINES
        alarm = only_alarm(house)
        assert alarm.text == (
            f"No page and no command reaches the table: table socket {path} cannot be made: there is a file "
            "or a folder that is not a socket: remove it"
        )
        assert alarm.ended is not None


def only_alarm(house: ProcessTable) -> AlarmView:
    (alarm,) = house.view().alarms
    return alarm


def prompt(house: ProcessTable) -> str:
    """What the dealer's console shows."""
    text: str = house.hands["console"].last("prompt")["text"]
    return text
