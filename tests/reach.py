"""What a long run is for, and whether it got there.

A run in which no journal file was closed shows nothing about closing one.
"""

from collections.abc import Mapping

Purposes = Mapping[str, int]
"""By what a run must meet, the length from which a run must have met it; 0: every run, an empty one too."""


def unmet(purposes: Purposes, length: int, met: Mapping[str, int]) -> list[str]:
    """What a run of this length had to meet and did not."""
    return [purpose for purpose, least in purposes.items() if length >= least and not met.get(purpose)]


def verdict(purposes: Purposes, length: int, met: Mapping[str, int]) -> str:
    """A sentence that names what was not reached; empty where all was."""
    missing = unmet(purposes, length, met)
    return f"not reached: {', '.join(missing)}" if missing else ""


def counted(met: Mapping[str, int]) -> str:
    """What a run met, by name."""
    return ", ".join(f"{name} {count}" for name, count in sorted(met.items()))
