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
        "sudo tableside doctor --config table.toml",
        "Examines ports, keys, disks, clock, services and the daemon: what is wrong, and what to do.",
        stopped=False,
    ),
    ToolAdvice(
        "tableside device list --config table.toml",
        "Ports and devices, with every name of each port.",
        stopped=False,
    ),
    ToolAdvice(
        "tableside device conformance PORT --class shoe --serial SHOE-1 --key keys/shoe.key",
        "Puts a device through the whole specification of the link. Not with a device that a table uses.",
        stopped=True,
    ),
    ToolAdvice(
        'tableside device update shoe shoe-7.update --config table.toml --who "A. Smith" --second "B. Jones"',
        "Puts new firmware into a device of a closed table. Two persons.",
        stopped=True,
    ),
)
