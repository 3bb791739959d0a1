"""Commands for a technician, as the page lists them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ToolAdvice:
    """A command for the technician, and what it is for."""

    command: str
    does: str
    stopped: bool
    """Whether the daemon must be stopped for this command."""


TOOLS: tuple[ToolAdvice, ...] = (
    ToolAdvice(
        "tableside devices --config table.toml",
        "Ports and devices, with every name of each port.",
        stopped=False,
    ),
    ToolAdvice(
        "tableside conformance PORT --class shoe --serial SHOE-1 --key keys/shoe.key",
        "Puts a device through the whole specification of the link. Not with a device that a table uses.",
        stopped=True,
    ),
    ToolAdvice(
        'tableside update shoe shoe-7.update --config table.toml --who "A. Smith" --second "B. Jones"',
        "Puts new firmware into a device of a closed table. Two persons.",
        stopped=True,
    ),
)
