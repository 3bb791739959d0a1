"""Groups of commands that load a command only when it is called.

All commands together take more than a second of a processor to load, most of it for what only one of them
needs. A list, a suggestion and a completion need names and summaries alone, which the table of commands has.
So a `LazyGroup` holds an empty command for each name, and replaces it in `resolve_command`, which runs only
for the command that is called.
"""

from collections.abc import Callable, Mapping
from contextvars import copy_context
from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

PACKAGE = "controller.commands"

Loaded = TyperCommand | TyperGroup


@dataclass(frozen=True, slots=True)
class Entry:
    """A command or a group as a list shows it. `hidden`: it works, and no list shows it. `panel`: the part of
    the list; empty for the usual one."""

    summary: str
    load: Callable[[], Loaded]
    panel: str = ""
    hidden: bool = False

    def listed(self, name: str) -> TyperCommand:
        return TyperCommand(
            name, help=self.summary, hidden=self.hidden, rich_help_panel=self.panel or "Commands"
        )


class LazyGroup(TyperGroup):
    def __init__(self, entries: Mapping[str, Entry], **settings: Any) -> None:
        listed = {name: entry.listed(name) for name, entry in entries.items()}
        super().__init__(**{**settings, "commands": listed})
        self.entries = entries

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, _, rest = super().resolve_command(ctx, args)
        return name, self.entries[name].load() if name else None, rest


def load_command(target: str) -> Loaded:
    """The command that `target` names: "module:function" or "module:group" in this package."""
    module, _, attribute = target.partition(":")
    found = getattr(import_module(f"{PACKAGE}.{module}"), attribute)
    if isinstance(found, typer.Typer):
        return get_group(found)
    single = typer.Typer(add_completion=False)
    single.command()(found)
    command = cast("TyperCommand", get_command(single))
    command.callback = _in_own_context(command.callback)
    return command


def _in_own_context(callback: Callable[..., Any] | None) -> Callable[..., Any]:
    """What the command sets in context variables, such as the currency in use, ends with it."""

    def run(*given: Any, **named: Any) -> Any:
        return copy_context().run(callback, *given, **named) if callback else None

    return run
