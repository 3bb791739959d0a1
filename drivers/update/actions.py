"""The three actions of a firmware update; section 12 of firmware-protocol/README.md."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class UpdateBegin:
    """Take this firmware into the spare slot (action): `sha256` of 32, `signature` of 64 bytes."""

    version: int
    size: int
    sha256: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class UpdateApply:
    """Start the spare slot, on trial (action)."""


@dataclass(frozen=True, slots=True)
class UpdateConfirm:
    """The trial is passed: this slot is the good one from now on (action)."""
