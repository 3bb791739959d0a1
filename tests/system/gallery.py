"""An observer of everything that the devices show, who acts when a cue comes."""

import asyncio
import json
import re
from collections import Counter, deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from controller.table.apply.claims import without_announcement

RETRY = 0.02
LONGEST_LINE = 1 << 20
KEPT = 40
ACTS = frozenset({"card", "key", "wager", "prompt", "keys", "lamps", "permit", "loaded", "pack", "shuffler"})
"""Notices that belong to a round; the rest is about devices."""
PHASES: Mapping[str, re.Pattern[str]] = {
    "loading": re.compile(r"^(Load|Wait for the shuffler)"),
    "burning": re.compile(r"^Burn \d"),
    "betting": re.compile(r"^Place your bets"),
    "dealing": re.compile(r"^Deal \d"),
    "playing": re.compile(r"^(No natural\. )?Seat \d+ "),
    "drawing": re.compile(r"^Dealer has"),
    "paying": re.compile(r"^Pay"),
}
WINDOWS: Mapping[str, re.Pattern[str]] = {
    "insuring": re.compile(r"^(Insurance|Even money):"),
    "offering": re.compile(r"^[\w ]+ open: seat"),
}
"""Phases that only some games have."""


@dataclass(frozen=True, slots=True)
class Cue:
    """The `nth` notice of a round while a prompt of this phase is shown, and then `delay` seconds."""

    phase: str
    nth: int
    delay: float = 0.0


class Gallery:
    """Watches inside the block; `seen` counts the notices of each phase."""

    def __init__(self, controls: Mapping[str, Path]) -> None:
        self.seen: Counter[str] = Counter()
        self.last: deque[dict[str, Any]] = deque(maxlen=KEPT)
        self.phase = self.prompt = ""
        self.prompted = asyncio.Event()
        """Set with each prompt; whoever waits for one clears it."""
        self._controls = controls
        self._watchers: list[asyncio.Task[None]] = []
        self._waiting: tuple[str, int, asyncio.Future[None]] | None = None

    async def __aenter__(self) -> Self:
        self._watchers = [asyncio.create_task(self._watch(path)) for path in self._controls.values()]
        return self

    async def __aexit__(self, *_error: object) -> None:
        for watcher in self._watchers:
            watcher.cancel()
        await asyncio.gather(*self._watchers, return_exceptions=True)

    async def wait(self, cue: Cue) -> None:
        """Returns when the cue has come."""
        heard: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting = cue.phase, self.seen[cue.phase] + cue.nth, heard
        await heard
        await asyncio.sleep(cue.delay)

    async def _watch(self, path: Path) -> None:
        while True:
            with suppress(OSError):
                reader, writer = await asyncio.open_unix_connection(path, limit=LONGEST_LINE)
                try:
                    async for line in reader:
                        self._notice(json.loads(line))
                finally:
                    writer.close()
            await asyncio.sleep(RETRY)

    def _notice(self, notice: dict[str, Any]) -> None:
        self.last.append(notice)
        if notice["notice"] == "prompt":
            self.prompt = without_announcement(notice["text"])
            self.phase = _phase(self.prompt) or self.phase
            self.prompted.set()
        if notice["notice"] in ACTS:
            self.seen[self.phase] += 1
            self._call()

    def _call(self) -> None:
        if self._waiting and self.seen[self._waiting[0]] >= self._waiting[1]:
            heard = self._waiting[2]
            self._waiting = None
            heard.set_result(None)


def _phase(prompt: str) -> str:
    return next((name for name, text in {**PHASES, **WINDOWS}.items() if text.match(prompt)), "")
