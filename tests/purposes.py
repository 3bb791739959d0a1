"""What a long run must reach, and whether it did.

A run that closed no journal file shows nothing about closing one.
"""

from collections.abc import Mapping

Purposes = Mapping[str, int]
"""For each purpose, the length of run from which it applies; 0: any run, even an empty one."""


def unmet(purposes: Purposes, length: int, met: Mapping[str, int]) -> list[str]:
    """What a run of this length had to reach and did not."""
    return [purpose for purpose, least in purposes.items() if length >= least and not met.get(purpose)]


def verdict(purposes: Purposes, length: int, met: Mapping[str, int]) -> str:
    """A sentence that names what the run did not reach; empty if it reached everything."""
    missing = unmet(purposes, length, met)
    return f"not reached: {', '.join(missing)}" if missing else ""


def counted(met: Mapping[str, int]) -> str:
    """What a run reached and how often, by name."""
    return ", ".join(f"{name} {count}" for name, count in sorted(met.items()))
