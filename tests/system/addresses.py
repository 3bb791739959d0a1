"""TCP ports for what is started later: the kernel gives them to nobody by itself, so they stay free."""

from collections.abc import Iterator
from random import SystemRandom
from typing import Final

from controller.demo.reservations import free_port

OURS: Final = range(20_000, 32_000)
"""Below those that Linux takes for whoever names none."""


def _shuffled() -> Iterator[int]:
    return iter(SystemRandom().sample(OURS, len(OURS)))


_left = _shuffled()


def own_port() -> int:
    """One that nobody listens on, and that this process was not given before."""
    return next(port for port in _left if free_port(port) == port)
