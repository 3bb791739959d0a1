"""What each state of a device means, and what to do about it: the words of docs/devices.md."""

from dataclasses import dataclass

from drivers.devices.reconnect import DeviceState


@dataclass(frozen=True, slots=True)
class StateAdvice:
    """Of one state."""

    state: DeviceState
    means: str
    do: str


ADVICE: tuple[StateAdvice, ...] = (
    StateAdvice(
        "waiting",
        "There is no such port, or nobody answers on it. It is tried each second, and at once when something "
        "is plugged in.",
        "Plug it in, switch it on. The sentence beside it says which: no such port, in use, unplugged, "
        "silent.",
    ),
    StateAdvice("connecting", "The port is being opened.", "Nothing."),
    StateAdvice(
        "identifying",
        "The port is open, the device is asked who it is.",
        "Nothing. After 10 s without an answer it is waiting: look at power, cable and baud rate.",
    ),
    StateAdvice(
        "catching up",
        "It is the right device; its events are written to disk.",
        "Nothing. If it stays so, the page says what a person must look at.",
    ),
    StateAdvice("running", "It serves.", "Nothing."),
    StateAdvice(
        "refused",
        "A device answers, but it is not the one in the configuration, has another key, version or memory, "
        "or sends impossible numbers. The daemon tries again after 1, 2, 4 .. 30 s, and at once when "
        "something is plugged in.",
        "What the sentence says.",
    ),
    StateAdvice(
        "backing off",
        "It broke the protocol, or the line is too bad to speak over. Tried again like a refused one.",
        "Look at cable and plug; if it happens on another cable too, at its firmware.",
    ),
    StateAdvice(
        "held off",
        "It flaps: five sessions were lost within 60 s. It is left alone for 120 s, then tried again.",
        "Find the loose plug, the bad cable, the weak power supply. Then let a supervisor say resume, and it "
        "is tried at once.",
    ),
)


@dataclass(frozen=True, slots=True)
class ToolAdvice:
    """A command for the technician, and what it is for."""

    command: str
    does: str
    stopped: bool
    """The daemon must not run."""


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
