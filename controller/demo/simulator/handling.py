"""The type of what does one act at the simulated table."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from controller.demo.simulator.table import SimulatedTable

ActOf = TypeVar("ActOf")
Handler = Callable[[SimulatedTable, ActOf], Awaitable[None]]
