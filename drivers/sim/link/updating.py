"""The device's side of a firmware update, from one boot to the next: actions, blocks and restarts.

Section 12 of firmware-protocol/README.md.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from math import inf
from types import MappingProxyType
from typing import Any

from drivers.link.limits import BLOCK
from drivers.messages import MakerKey, UpdateApply, UpdateBegin, UpdateConfirm
from drivers.protocol.codes import DeviceClass, Status
from drivers.sim.link.memory import CommandOutcome
from drivers.sim.link.slots import Slots
from drivers.update.image import ImageManifest

MOST_REQUESTED = 2
TRIAL = 120.0
"""Seconds after its start within which a test slot must be confirmed, or it reverts."""
RESTART = 1.0
"""Seconds after UpdateApply until the device restarts, whether or not the result was acknowledged."""
MOST_SIZE = 1 << 24
DONE: CommandOutcome = (Status.DONE, "")


UpdateAction = UpdateBegin | UpdateApply | UpdateConfirm | MakerKey


class DeviceUpdate:
    """One boot of an update. Without `slots` nothing can be updated. `now` is the time of the boot."""

    def __init__(self, slots: Slots | None, device_class: DeviceClass, now: float) -> None:
        self._slots = slots
        self._class = device_class
        self._requesting = False
        self._requested: deque[int] = deque()
        """Offsets of requested blocks that have not arrived."""
        self._spoiled = False
        self._reverts_at = now + TRIAL if self.test_slot else inf
        self._restart_at = inf

    @property
    def test_slot(self) -> bool:
        """Whether the slot on trial runs."""
        return self._slots is not None and self._slots.state == "trial"

    @property
    def unarmable_reason(self) -> str:
        """Why the device must not be armed now, or empty."""
        return UNARMABLE.get(self._slots.state, "") if self._slots else ""

    @property
    def under_way(self) -> bool:
        """Whether an update runs, for the heartbeat."""
        return self._requesting or self.test_slot

    def run(self, record: UpdateAction, now: float) -> CommandOutcome:
        """Runs one of the actions of an update, unarmed. Its key is noted as begun."""
        if self._slots is None:
            return Status.UNSUPPORTED, f"{type(record).__name__}: this device cannot be updated"
        return _ACTIONS[type(record)](self, self._slots, record, now)

    def stop(self) -> None:
        """Requests nothing more: the session is over, or the device is armed."""
        self._requesting = False
        self._requested.clear()

    def blocks_to_request(self) -> Iterator[int]:
        """Yields the offsets of the blocks to request now."""
        announced = self._slots.announced if self._requesting and self._slots else None
        if self._slots is None or announced is None:
            return
        while len(self._requested) < MOST_REQUESTED:
            offset = self._slots.filled + BLOCK * len(self._requested)
            if offset >= announced.size:
                return
            self._requested.append(offset)
            yield offset

    def block(self, offset: int, data: bytes) -> bool:
        """Takes a block. Returns False if it is not the one that is due."""
        announced = self._slots.announced if self._requested and self._slots else None
        if self._slots is None or announced is None:
            return False
        if offset != self._requested[0] or len(data) != min(BLOCK, announced.size - offset):
            return False
        self._requested.popleft()
        self._slots.write(data)
        if self._slots.filled == announced.size:
            self._check(self._slots)
        return True

    def restarts(self, now: float, *, answered: bool) -> bool:
        """Whether the device must restart now. `answered`: the host has all results."""
        due = self._restart_at < inf and answered
        return due or now >= self.deadline

    @property
    def deadline(self) -> float:
        """When it restarts at the latest."""
        return min(self._restart_at, self._reverts_at)

    def _begin(self, slots: Slots, record: UpdateBegin, _now: float) -> CommandOutcome:
        if slots.state in UNARMABLE:
            return Status.REFUSED, UNARMABLE[slots.state]
        if record.size > MOST_SIZE:
            return Status.RANGE, f"size {record.size}: at most {MOST_SIZE}"
        try:
            manifest = ImageManifest(
                self._class,
                slots.hardware,
                record.version,
                record.size,
                record.sha256,
                record.signature,
            )
        except ValueError as error:
            return Status.RANGE, str(error)
        if record.version < slots.counter:
            return Status.REFUSED, f"version {record.version}: {slots.counter} is the lowest allowed"
        if not slots.trusts(manifest):
            return Status.REFUSED, "the signature is not our maker's for this device and these numbers"
        self._take(slots, manifest)
        return DONE

    def _take(self, slots: Slots, manifest: ImageManifest) -> None:
        self.stop()
        self._spoiled = False
        slots.begin(manifest)
        self._requesting = slots.state == "filling"
        if self._requesting and slots.filled == manifest.size:
            self._check(slots)

    def _check(self, slots: Slots) -> None:
        self._spoiled = not slots.check()
        self._requesting = False

    def _apply(self, slots: Slots, _record: UpdateApply, now: float) -> CommandOutcome:
        if slots.state == "filling":
            return Status.BUSY, f"bytes from {slots.filled} on are missing"
        if slots.state != "whole":
            hint = ": the hash of the last one was wrong" if self._spoiled else ""
            return Status.REFUSED, f"there is no image to apply{hint}"
        slots.apply()
        self._restart_at = now + RESTART
        return DONE

    def _confirm(self, slots: Slots, _record: UpdateConfirm, _now: float) -> CommandOutcome:
        if slots.state != "trial":
            return Status.REFUSED, "the test slot does not run"
        slots.confirm()
        self._reverts_at = inf
        return DONE

    def _replace_maker(self, slots: Slots, record: MakerKey, _now: float) -> CommandOutcome:
        if slots.state in UNARMABLE:
            return Status.REFUSED, UNARMABLE[slots.state]
        if record.generation <= slots.generation:
            return Status.REFUSED, f"generation {record.generation}: {slots.generation} is known"
        if not slots.trusts_key(record):
            return Status.REFUSED, "the signature is not that of the root key for this device"
        self.stop()
        slots.replace_maker(record)
        return DONE


UNARMABLE: Mapping[str, str] = MappingProxyType(
    {
        "applied": "an update is applied: the device restarts",
        "trial": "the test slot runs: confirm the update, or wait until it reverts",
    }
)
"""States of the spare slot in which the device must not be armed, with the reason."""
_ACTIONS: Mapping[type, Callable[[DeviceUpdate, Slots, Any, float], CommandOutcome]] = MappingProxyType(
    {
        UpdateBegin: DeviceUpdate._begin,
        UpdateApply: DeviceUpdate._apply,
        UpdateConfirm: DeviceUpdate._confirm,
        MakerKey: DeviceUpdate._replace_maker,
    }
)
