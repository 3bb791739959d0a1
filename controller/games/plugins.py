"""Games and side bets that installed distributions provide through entry points (docs/plugins.md).

The name of an entry point says what a distribution provides, so a name is looked up without importing any
plug-in. Only the plug-in that a table uses is imported: a broken one never stops another table. Nothing is
looked up for a name that the product itself knows, so a table without plug-ins does not pay for them.
"""

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

CONTRACT = 1
"""The version of the interface that docs/plugins.md describes. A plug-in says which one it is written for."""
GAMES_GROUP = "tableside.games"
BETS_GROUP = "tableside.bets"
ALLOWED_ID = "small letters, digits and hyphens, with a letter first"
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


class PluginError(ValueError):
    """A plug-in cannot be used. The text names its distribution, its entry point, and what is allowed."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """What one entry point provides. `target`: where, as "module:class"."""

    group: str
    name: str
    target: str
    distribution: str
    version: str
    entry_point: "EntryPoint"

    @property
    def provider(self) -> str:
        """ "push-22-rules 1.0"."""
        return f"{self.distribution} {self.version}"

    def __str__(self) -> str:
        return f"{self.provider}, entry point {self.name} = {self.target} in {self.group}"

    def fault(self, what: str) -> PluginError:
        return PluginError(f"{self}: {what}")


def is_id(text: str) -> bool:
    return _ID.fullmatch(text) is not None


def are_ids(values: object) -> bool:
    """Whether this is a tuple of ids."""
    return isinstance(values, tuple) and all(isinstance(each, str) and is_id(each) for each in values)


def installed(group: str) -> Mapping[str, tuple[Plugin, ...]]:
    """The plug-ins of all installed distributions, by name. A name that several provide is of no use."""
    return _installed(group, tuple(sys.path))


@lru_cache(maxsize=8)
def _installed(group: str, _path: tuple[str, ...]) -> Mapping[str, tuple[Plugin, ...]]:
    from importlib.metadata import entry_points  # needs 60 ms, which only a table with a plug-in spends

    # A removal that was interrupted can leave entry points without the metadata that name their distribution
    named = [
        Plugin(group, each.name, each.value, each.dist.name, each.dist.version, each)
        for each in entry_points(group=group)
        if each.dist is not None and each.dist.name
    ]
    found: dict[str, tuple[Plugin, ...]] = {}
    for plugin in sorted(named, key=lambda plugin: (plugin.name, plugin.distribution)):
        found[plugin.name] = (*found.get(plugin.name, ()), plugin)
    return found


def sole(group: str, name: str) -> Plugin:
    """The plug-in of this name. Raises KeyError if there is none, PluginError if there are several."""
    first, *others = installed(group)[name]
    if others:
        raise first.fault(f"also provided by {'; '.join(map(str, others))}; allowed: one of them installed")
    return first


def load(plugin: Plugin, base: type) -> Any:
    """The class that a plug-in provides, derived from `base`. Raises PluginError."""
    if not is_id(plugin.name):
        raise plugin.fault(f"the name {plugin.name!r} is not allowed; allowed: {ALLOWED_ID}")
    try:
        found: Any = plugin.entry_point.load()
    except (Exception, SystemExit) as error:
        why = f"{type(error).__name__}: {error}"
        raise plugin.fault(f"cannot be imported: {why}; allowed: a class in an importable module") from error
    if not (isinstance(found, type) and issubclass(found, base)):
        raise plugin.fault(
            f"provides {found!r:.80}; allowed: a class derived from controller.games.{base.__name__}"
        )
    stated = getattr(found, "contract", 0)
    if stated != CONTRACT:
        raise plugin.fault(f"contract = {stated!r:.80}; allowed: contract = {CONTRACT}")
    return found
