"""A round once more in the time that it took."""

from collections.abc import Callable, Iterator, Sequence

from rich.console import Console

from controller.replay.account import Account
from controller.replay.steps import Step
from controller.replay.tables import lines_table, remarks, time_of

Sleep = Callable[[float], object]
"""Takes seconds."""


def print_in_time(console: Console, told: Account, speed: float, sleep: Sleep) -> None:
    """Each step when it came, `speed` times faster; then the settlement."""
    for step in paced(told.steps, speed, sleep):
        console.print(f"{time_of(step.at)}  {step.due}: {step.came}", soft_wrap=True)
        for gave in step.gave:
            console.print(f"{' ' * 10}{gave}", soft_wrap=True)
    console.print(lines_table(told), *remarks(told), sep="\n")


def paced(steps: Sequence[Step], speed: float, sleep: Sleep) -> Iterator[Step]:
    """The steps, with the time between two of them spent; a clock that was set back costs none."""
    last = steps[0].at if steps else 0.0
    for step in steps:
        if step.at > last:
            sleep((step.at - last) / speed)
        last = step.at
        yield step
