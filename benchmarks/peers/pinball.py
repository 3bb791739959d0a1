"""How long Mission Pinball takes from a switch to its coil, and for a step of a state machine: in its test
case, without hardware and without a disk."""

import logging
from pathlib import Path
from time import perf_counter
from typing import Any

from mpf.core.logging import LogMixin
from mpf.tests.MpfTestCase import MpfTestCase

WARM_UP = 200


class Pinball(MpfTestCase):
    """The machine in machine/, with virtual hardware."""

    def get_options(self) -> Any:
        return {**super().get_options(), "production": True}

    def get_absolute_machine_path(self) -> str:
        return str(Path(__file__).parent / "machine")

    def get_machine_path(self) -> str:
        return self.get_absolute_machine_path()

    def get_config_file(self) -> str:
        return "pinball.yaml"

    def get_platform(self) -> str:
        return "virtual"

    def runTest(self) -> None:  # noqa: N802 - unittest calls it so
        raise AssertionError("it is measured, not run")


class Coil:
    """Notes when a pulse is commanded."""

    def __init__(self) -> None:
        self.pulsed = 0.0

    def pulse(self, *_arguments: Any) -> None:
        self.pulsed = perf_counter()


def measure(times: int) -> dict[str, list[float]]:
    """Seconds of each time, from a switch to its coil, and for a transition of a state machine."""
    LogMixin.unit_test = False
    logging.disable(logging.CRITICAL)
    pinball = Pinball()
    pinball.setUp()
    try:
        return {
            "switch to coil": _switch_to_coil(pinball, times),
            "transition": _transitions(pinball, times),
        }
    finally:
        pinball.tearDown()


def _switch_to_coil(pinball: Pinball, times: int) -> list[float]:
    machine, coil, taken = pinball.machine, Coil(), list[float]()
    machine.coils["c_lamp"].hw_driver.pulse = coil.pulse
    for _ in range(WARM_UP + times):
        begun = perf_counter()
        machine.switch_controller.process_switch("s_card", 1, True)
        pinball.machine_run()
        assert coil.pulsed > begun
        taken.append(coil.pulsed - begun)
        machine.switch_controller.process_switch("s_card", 0, True)
        pinball.advance_time_and_run(1)
    return taken[WARM_UP:]


def _transitions(pinball: Pinball, times: int) -> list[float]:
    states, taken = pinball.machine.state_machines["round"], list[float]()
    for _ in range((WARM_UP + times) // 2):
        for event, state in (("close", "closed"), ("pay", "open")):
            begun = perf_counter()
            pinball.machine.events.post(event)
            pinball.machine_run()
            taken.append(perf_counter() - begun)
            assert states.state == state
    return taken[WARM_UP:]
