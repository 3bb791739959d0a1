"""The configuration that a running process goes by, and its file, which may have changed since.

SIGHUP asks a service to read the file again. Only what cannot influence the round, the money or the journal
changes then (controller/config/reload.py). A file with faults, or with other changes, changes nothing: the
process goes on with what it has, and says why.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

from controller.config.reading import ConfigError, read
from controller.config.reload import KeyChange, ReloadRefused, reloadable_changes
from controller.config.sections import Config

TAKEN: Final = "The configuration was read again: {changes}"
REFUSED: Final = "The configuration was not taken over: {why}. The table plays on with its old settings"


class LiveConfig:
    """`current`: what the process goes by. `path`: its file; None if it came from elsewhere."""

    def __init__(self, config: Config, path: Path | None = None) -> None:
        self.current = config
        self._path = path

    async def reread(self) -> tuple[KeyChange, ...]:
        """Go by the file as it is now, and return what differs. Raises ConfigError or ReloadRefused;
        `current` stays then. A thread reads the file, because that takes longer than a table may stop for."""
        if self._path is None:
            raise ReloadRefused("this configuration has no file")
        found = await asyncio.to_thread(read, self._path)
        changes = reloadable_changes(self.current, found)
        self.current = found
        return changes


class ConfigReload:
    """Reads the configuration after each request. `report` gets what people must know of it, in a sentence.
    Before that, `follow` is called unless the configuration was refused: even if no key has changed, a file
    that it names may have."""

    def __init__(
        self, live: LiveConfig, report: Callable[[str], None], follow: Callable[[], Awaitable[None]], log: Any
    ) -> None:
        self._live, self._report, self._follow, self._log = live, report, follow, log
        self._asked = asyncio.Event()

    def request(self) -> None:
        self._asked.set()

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            await self._asked.wait()
            self._asked.clear()
            if text := await self._outcome():
                self._report(text)

    async def _outcome(self) -> str:
        """Empty if nothing differs."""
        try:
            changes = await self._live.reread()
        except (ConfigError, ReloadRefused) as error:
            first, *more = str(error).splitlines()
            self._log.error("configuration not taken over", why=first, more=more)
            return REFUSED.format(why=first + (f" (and {len(more)} more)" if more else ""))
        said = "; ".join(map(str, changes))
        self._log.info("configuration read again", changes=said)
        await self._follow()
        return TAKEN.format(changes=said) if changes else ""
