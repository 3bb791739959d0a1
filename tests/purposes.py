"""What a long run must meet, and whether it did.

A run in which no journal file was closed shows nothing about closing one.
"""

from collections.abc import Mapping

Purposes = Mapping[str, int]
"""For each thing that a run must meet, the length of the run from which this applies; 0: any run, even an
empty one."""


def unmet(purposes: Purposes, length: int, met: Mapping[str, int]) -> list[str]:
    """What a run of this length had to meet and did not."""
    return [purpose for purpose, least in purposes.items() if length >= least and not met.get(purpose)]


def verdict(purposes: Purposes, length: int, met: Mapping[str, int]) -> str:
    """A sentence that names what the run did not meet; empty if it met everything."""
    missing = unmet(purposes, length, met)
    return f"not reached: {', '.join(missing)}" if missing else ""


def counted(met: Mapping[str, int]) -> str:
    """What a run met and how often, by name."""
    return ", ".join(f"{name} {count}" for name, count in sorted(met.items()))
