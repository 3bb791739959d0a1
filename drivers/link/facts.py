"""What the host knows of a device: from the configuration, from the journal, and from the device itself."""

from dataclasses import dataclass

from drivers.protocol.codes import DeviceClass

SIMULATOR_HARDWARE = "sim"
"""The `hardware` of what may speak unsealed."""

ON_TRIAL = "its new firmware is on trial: confirm the update, or wait 120 s until it reverts"


@dataclass(frozen=True, slots=True)
class Expected:
    """The device that the configuration names on this port."""

    device_class: DeviceClass
    serial: str
    name: str = ""
    """Its name in the configuration. Reports carry it; a link that serves no table needs none."""


@dataclass(frozen=True, slots=True)
class Bookmark:
    """What the journal knows of a device; an empty `log`: never met."""

    log: bytes = b""
    newest: int = 0
    """The last event of this log on disk."""
    last_key: int = 0
    cards: int = 0
    """The shoe's count of cards at that event."""
    open_actions: tuple[int, ...] = ()
    """Keys of actions whose results are not known."""


@dataclass(frozen=True, slots=True)
class DeviceFacts:
    """What a device says of itself, once it has proved who it is."""

    device_class: DeviceClass
    serial: str
    hardware: str
    firmware: str
    boot: bytes
    reset: int
    log: bytes
    oldest: int
    newest: int
    committed: int
    last_key: int
    cards: int
    insecure: bool
    """Its sessions are not sealed: nobody can know who speaks."""
    test_slot: bool = False
    """Firmware on trial runs: it must be confirmed or reverts."""

    @property
    def distrust_reason(self) -> str:
        """Why it is refused though it has proved itself, in a clause; empty: it is not. Whom nobody can prove
        to be itself may be a simulator, nothing else."""
        clear = self.insecure and self.hardware != SIMULATOR_HARDWARE
        return f"hardware {self.hardware!r} must be sealed: provision a key" if clear else ""

    @property
    def unfit_reason(self) -> str:
        """Why it is not armed though its session is up, in a sentence; empty: it may be."""
        return ON_TRIAL if self.test_slot else ""
