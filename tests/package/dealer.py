"""Somebody who deals a round by hand at the simulated devices, as the dealer's console prompts."""

from collections.abc import Iterable
from contextlib import ExitStack
from types import TracebackType
from typing import NamedTuple, Self

from tests.fixtures.device_control import Hand
from tests.fixtures.waiting import PATIENCE, until
from tests.package.machine import Machine, MachineError

KINDS = ("shoe", "sensors", "console", "display")


class Step(NamedTuple):
    """Once the console shows `prompt`, `device` is asked for `do`."""

    prompt: str
    device: str
    do: str
    fields: dict[str, object]


def put(prompt: str, spot: int, cents: int) -> Step:
    return Step(prompt, "sensors", "put", {"seat": 1, "spot": spot, "cents": cents})


def press(prompt: str, action: str, seat: int = 0) -> Step:
    return Step(prompt, "console", "press", {"action": action, "seat": seat})


def pull(prompt: str) -> Step:
    return Step(prompt, "shoe", "pull", {})


def clear(prompt: str) -> Step:
    return Step(prompt, "sensors", "clear", {})


class Dealer:
    """A context with a hand at each device of the machine whose control sockets are in `controls`."""

    def __init__(self, machine: Machine, controls: str) -> None:
        self._paths = {kind: machine.path(f"{controls}/{kind}.control") for kind in KINDS}
        self._hands: dict[str, Hand] = {}
        self._open = ExitStack()

    def __enter__(self) -> Self:
        self._hands = {kind: self._open.enter_context(Hand(path)) for kind, path in self._paths.items()}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def load(self, cards: str) -> None:
        """Clears the felt and puts these cards into the shoe."""
        self._hands["sensors"].ask("clear")
        self.at("Place your bets")
        self._hands["shoe"].ask("load", cards=cards, decks=8)

    def deal(self, steps: Iterable[Step]) -> None:
        for step in steps:
            self.at(step.prompt)
            self._hands[step.device].ask_when_permitted(step.do, **step.fields)

    def at(self, prompt: str) -> str:
        """The whole prompt, once this is a part of it. Raises MachineError."""
        try:
            until(lambda: prompt in self._prompt())
        except AssertionError:
            words = f"the console shows {self._prompt()!r} and not {prompt!r}, after {PATIENCE:g} s"
            raise MachineError(words) from None
        return self._prompt()

    def sign(self) -> object:
        """The jackpot on the players' sign: cents, and their state."""
        return self._hands["display"].last("display")["levels"]["0"]

    def _prompt(self) -> str:
        return str(self._hands["console"].last("prompt").get("text"))
