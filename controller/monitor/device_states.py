"""The states of a device: how pages mark them, what they mean, and what to do about them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from drivers.devices.reconnect import DeviceState

MarkLevel = Literal["good", "warn", "bad"]


@dataclass(frozen=True, slots=True)
class StatusMark:
    """A status: a level, which pages show as a symbol, and a word."""

    level: MarkLevel
    word: str


@dataclass(frozen=True, slots=True)
class DeviceStateText:
    """`meaning` and `fix` explain the state. `advice` is the short form beside a device; empty if nobody
    has to act."""

    mark: StatusMark
    meaning: str
    fix: str
    advice: str = ""


def device_state_text(state: str) -> DeviceStateText:
    """The text of a state. The text of an unknown state, as from a newer daemon, has no advice."""
    return DEVICE_STATE_TEXTS.get(state) or DeviceStateText(StatusMark("warn", state), "", "")


DEVICE_STATE_TEXTS: Mapping[DeviceState | str, DeviceStateText] = {
    "waiting": DeviceStateText(
        StatusMark("bad", "missing"),
        "The port does not exist, or nothing answers on it. The daemon tries it each second, and at once "
        "when something is plugged in.",
        "Plug the device in, and switch it on. The sentence beside it says more: no such port, in use, "
        "unplugged, silent.",
        "Check that it is plugged in and switched on; the daemon tries it again each second.",
    ),
    "connecting": DeviceStateText(
        StatusMark("warn", "connecting"), "The daemon opens the port.", "Do nothing."
    ),
    "identifying": DeviceStateText(
        StatusMark("warn", "connecting"),
        "The port is open, and the daemon asks the device who it is.",
        "Do nothing. After 10 s without an answer the device is waiting: check power, cable and baud rate.",
    ),
    "catching up": DeviceStateText(
        StatusMark("warn", "catching up"),
        "It is the right device, and its events are being written to disk.",
        "Do nothing. If it stays in this state, the page says what a person must look at.",
    ),
    "running": DeviceStateText(StatusMark("good", "runs"), "The device serves.", "Do nothing."),
    "refused": DeviceStateText(
        StatusMark("bad", "refused"),
        "A device answers, but it is not the one in the configuration, has another key, version or memory, "
        "or sends impossible numbers. The daemon tries again after 1, 2, 4 .. 30 s, and at once when "
        "something is plugged in.",
        "Do what the sentence beside it says.",
        "Do what the sentence above says; the daemon tries it again by itself, at the latest after 30 s.",
    ),
    "backing off": DeviceStateText(
        StatusMark("bad", "failing"),
        "The device broke the protocol, or the line is too bad. The daemon tries again as for a refused "
        "device.",
        'Check cable and plug; if it also happens on another cable, check the firmware. "Its numbers '
        'contradict each other: format it" appears after three such sessions in a row, and no cable can '
        "cause that.",
        "Check cable and plug, then its firmware; the daemon tries it again within 30 s.",
    ),
    "held off": DeviceStateText(
        StatusMark("bad", "held off"),
        "The device flaps: five sessions were lost within 60 s. The daemon leaves it alone for 120 s, then "
        "tries it again.",
        "Find the loose plug, the bad cable or the weak power supply. Then let a supervisor choose resume, "
        "and the daemon tries it at once.",
        "Check plug, cable and power, then: tableside table supervise resume. The daemon tries it again by "
        "itself after the time in the sentence above.",
    ),
}
