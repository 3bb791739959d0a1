"""Checks who signed a journal: one key, the right one if it is known, or one that two persons confirmed."""

from collections.abc import Iterator
from pathlib import Path

from controller.verify.findings import Findings
from controller.verify.merge import Summary
from controller.verify.walk import Confirmed


def signed(path: Path, told: Summary, public: bytes | None) -> Findings:
    """What is wrong with the keys that signed; `public` is the key that must have signed, None if it is
    unknown."""
    findings = Findings(str(path))
    if public and public.hex() not in told.keys:
        findings.add("checkpoint", 0, f"no row is signed by {public.hex()}")
    ours = _ours(told, public)
    if told.keys and told.snapshot > told.signed:
        findings.add("checkpoint", told.snapshot, "no checkpoint signs it, though a round ended there")
    for key, by in told.keys.items():
        if key == ours or _confirmed(told, key, ours):
            continue
        what = f"it is the first of {by.count} signed by {key}; it should be by {ours}"
        if public is None:
            what += ", which signed last: one key signs a journal"
        findings.add("checkpoint", by.row, what)
    return findings


def confirmations(told: Summary, public: bytes | None) -> Iterator[Confirmed]:
    """The confirmations of two persons, in rows that the right key has signed since."""
    ours = told.keys.get(_ours(told, public))
    return (each for each in told.confirmed if ours and ours.last > each.row)


def _ours(told: Summary, public: bytes | None) -> str:
    """The key that must have signed; if it is unknown, the one that signed last."""
    if public:
        return public.hex()
    return max(told.keys, key=lambda key: told.keys[key].last, default="")


def _confirmed(told: Summary, key: str, ours: str) -> bool:
    last = told.keys[key].last
    return any(key in each.keys and last <= each.up_to for each in confirmations(told, bytes.fromhex(ours)))
