"""The simulated dealer console: a prompt, keys with lamps, a buzzer."""

from collections.abc import Mapping
from typing import Any, ClassVar

from drivers.link.ranges import MOST_CENTS
from drivers.messages import Buzz, CommandBody, Key, KeyLamps, Prompt
from drivers.protocol.codes import KEYS, MOST_SEATS
from drivers.sim.body import BodyOutput, SimulatedBody
from drivers.sim.link.commands import DONE
from drivers.sim.link.memory import CommandOutcome
from drivers.sim.requests import ChoiceField, IntegerField, RequestError, Verb


class ConsoleBody(SimulatedBody):
    """Any key can be pressed at any time, lit or not; the table decides what it does.

    Prompts are numbered as they change, so that a key press can name the prompt that it answers.
    """

    commands: ClassVar[Mapping[type[CommandBody], str]] = {
        Prompt: "prompt",
        KeyLamps: "light",
        Buzz: "buzz",
    }

    def __init__(self, outlet: BodyOutput) -> None:
        super().__init__(outlet)
        self._prompt = Prompt("", 0)
        self._number = 0
        self._mask = 0
        self.verbs = {
            "press": Verb(
                self.press,
                {
                    "action": ChoiceField(KEYS),
                    "seat": IntegerField(0, MOST_SEATS, 0),
                    "cents": IntegerField(0, MOST_CENTS, 0),
                    "prompt": IntegerField(0, 2**63, None),
                },
            )
        }

    def prompt(self, record: Prompt, _now: float) -> CommandOutcome:
        self._show(record)
        return DONE

    def light(self, record: KeyLamps, _now: float) -> CommandOutcome:
        self._light(record.mask)
        return DONE

    def buzz(self, record: Buzz, _now: float) -> CommandOutcome:
        self.outlet.say("buzz", ms=record.ms)
        return DONE

    def press(self, now: float, action: str, seat: int, cents: int, prompt: int | None) -> None:
        """Presses a key. With `prompt`, only while that prompt is displayed."""
        if prompt not in (None, self._number):
            raise RequestError(f"press: prompt {prompt} is gone; prompt {self._number} is shown")
        self.outlet.record(Key(action, seat, cents), now)
        self.outlet.say("key", action=action, seat=seat)

    def on_safe(self) -> None:
        self._light(0)
        self._show(Prompt("", 0))

    def look(self) -> list[dict[str, Any]]:
        return [*super().look(), self._keys_notice(), self._prompt_notice()]

    def _show(self, prompt: Prompt) -> None:
        if prompt != self._prompt:
            self._prompt = prompt
            self._number += 1
            self.outlet.say(**self._prompt_notice())

    def _light(self, mask: int) -> None:
        if mask != self._mask:
            self._mask = mask
            self.outlet.say(**self._keys_notice())

    def _prompt_notice(self) -> dict[str, Any]:
        prompt = self._prompt
        return {"notice": "prompt", "text": prompt.text, "seat": prompt.seat, "number": self._number}

    def _keys_notice(self) -> dict[str, Any]:
        lit = [key for place, key in enumerate(KEYS) if self._mask >> place & 1]
        return {"notice": "keys", "keys": lit}
