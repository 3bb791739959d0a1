"""The crew at control sockets that come and go."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from controller.demo.crew.crew import Crew
from controller.demo.crew.habits import Mood
from drivers.sim.control import ControlServer
from drivers.sim.requests import RequestError, Response
from tests.controller.demo.crew.playbook import PLAYBOOK
from tests.fixtures.waiting import PATIENCE, come_true

SEED = 3
WAGERS = Mood(SEED, 0, PLAYBOOK).bets()


class Props:
    """Sensors and a console that keep their requests; the test sets what they show."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[dict[str, Any]] = []
        self.prompt: dict[str, Any] = {"notice": "prompt", "text": "", "number": 1, "seat": 0, "at": 0.0}
        self.refuses: set[str] = set()

    @property
    def controls(self) -> dict[str, Path]:
        return {
            device: self.folder / device for device in ("sensors", "console", "shoe", "shuffler", "display")
        }

    @asynccontextmanager
    async def open(self, device: str) -> AsyncIterator[ControlServer]:
        control = ControlServer(self.controls[device], self._ask, lambda: self._look(device))
        await control.open()
        yield control
        await control.close()

    def _ask(self, request: Any) -> Response:
        self.asked.append(request)
        if request["do"] in self.refuses:
            raise RequestError("not now")
        return {"ok": True}

    def _look(self, device: str) -> list[dict[str, Any]]:
        keys = {"notice": "keys", "keys": ["close"], "at": 0.0}
        return [keys, self.prompt] if device == "console" else []

    def show(self, console: ControlServer, text: str) -> None:
        self.prompt = {**self.prompt, "text": text, "number": self.prompt["number"] + 1}
        console.publish([self.prompt])

    def done(self, verb: str) -> list[dict[str, Any]]:
        return [request for request in self.asked if request["do"] == verb]


@asynccontextmanager
async def playing(props: Props, patience: float = 2 * PATIENCE) -> AsyncIterator[Crew]:
    crew = Crew(props.controls, PLAYBOOK, SEED, patience=patience)
    task = asyncio.create_task(crew.run())
    try:
        yield crew
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until(props: Props, verb: str, times: int) -> None:
    await come_true(lambda: len(props.done(verb)) >= times)


async def test_the_crew_waits_for_devices_and_puts_the_wagers_of_its_seed(tmp_path: Path) -> None:
    props = Props(tmp_path)
    async with playing(props), props.open("sensors"):
        await asyncio.sleep(0.1)
        assert props.asked == []
        props.prompt["text"] = "Place your bets"
        async with props.open("console"):
            await until(props, "put", len(WAGERS))
    put = [(request["seat"], request["spot"], request["cents"]) for request in props.done("put")]
    assert put == [(bet.seat, bet.spot, bet.cents) for bet in WAGERS]
    assert len(props.done("clear")) == 1


async def test_a_key_is_pressed_once_for_a_prompt_and_again_when_it_comes_back(tmp_path: Path) -> None:
    props = Props(tmp_path)
    closing = f"Place your bets: {len(WAGERS)} wagers"
    async with playing(props), props.open("sensors"):
        async with props.open("console") as console:
            props.show(console, "Place your bets")
            await until(props, "put", len(WAGERS))
            props.show(console, closing)
            await until(props, "press", 1)
            await asyncio.sleep(0.1)
            assert len(props.done("press")) == 1
        async with props.open("console"):
            await until(props, "press", 2)
    assert props.done("press")[0] == {"do": "press", "action": "close", "seat": 0, "prompt": 3}


async def test_the_crew_tries_again_when_its_patience_ends(tmp_path: Path) -> None:
    props = Props(tmp_path)
    props.refuses = {"clear"}
    props.prompt["text"] = "Place your bets"
    async with playing(props, patience=0.05), props.open("sensors"), props.open("console"):
        await until(props, "clear", 3)
        props.refuses = set()
        await until(props, "put", len(WAGERS))
