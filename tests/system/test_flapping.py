"""A device that comes and goes: held off, named everywhere, and let in again by a supervisor."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager

from tests.fixtures.process_table import ProcessTable, device, stopped
from tests.system import script
from tests.system.command import tableside_here
from tests.system.service import service
from tests.system.supervising import decided

LOSSES = 3


@contextmanager
def strict(house: ProcessTable) -> Iterator[None]:
    """With a daemon that holds off a device after this many losses."""
    config = house.stage.config.with_name("strict.toml")
    written = house.stage.config.read_text()
    config.write_text(re.sub(r"losses = \d+", f"losses = {LOSSES}", written))
    with stopped(house), service(config) as running:
        try:
            house.until_recovered()
            yield
        finally:
            running.process.terminate()
            running.end()


def test_a_flapping_shoe_is_held_off_and_let_in_again(house: ProcessTable) -> None:
    number = script.lay_out(house).round
    with strict(house):
        script.play(house, steps=range(6))
        for _ in range(LOSSES):
            house.until(lambda view: not view.suspended)
            with house.unplugged("shoe"):
                pass
        check_held(house)
        decided(house, "resume")
        house.until_recovered()
        assert device(house.view(), "shoe").detail == ""
        script.play(house, steps=range(6, len(script.ROUND)))
        assert script.lines(script.ended(house, number)) == script.LINES


def check_held(house: ProcessTable) -> None:
    view = house.until(lambda view: device(view, "shoe").state == "held off")
    why = device(view, "shoe").detail
    said = f"comes and goes: {LOSSES} sessions lost within 60 s. Held off for 120 s: look at plug, cable"
    assert said in why
    assert view.suspended == ("Missing: the shoe", why)
    assert why in view.suspended
    assert why in house.page().replace("&#39;", "'")
    assert 'tableside_device_state{device="shoe",kind="held off"} 1.0' in house.page("/metrics")
    assert json.loads(house.page("/health"))["devices"]["shoe"] == "held off"
    done = tableside_here("devices", "--config", str(house.stage.config), "--json")
    (shoe, *others) = json.loads(done.stdout)["devices"]
    assert (shoe["state"], shoe["detail"]) == ("held off", why)
    assert "tableside table supervise resume" in shoe["todo"]
    assert {other["state"] for other in others} == {"running"}
