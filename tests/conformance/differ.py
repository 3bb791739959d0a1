"""Compares both implementations of the device's end under hostile bytes, commands, events and times.

`python -m tests.conformance.differ --seconds N` looks for a difference for N seconds and prints the seed with
which it found one. `--payloads N` compares what both read in N changed payloads instead (mutations.py).
"""

import argparse
import os
import time
from collections.abc import Iterator
from random import Random

from .conversation import Conversation
from .deeds import act
from .firmware import Program, running
from .mutations import compare, mutated

ACTS = 250
"""Acts of one life; then another device is made."""


def conversations(seed: str, program: Program) -> Iterator[Conversation]:
    """Plays one conversation after the other without end. A DifferenceError names seed and act."""
    number = 0
    while True:
        talk = Conversation(f"{seed}/{number}", program)
        for count in range(ACTS):
            try:
                act(talk)
            except AssertionError as error:
                error.add_note(f"seed {seed}, conversation {number}, act {count}")
                raise
        yield talk
        number += 1


def converse(seed: str, seconds: float, program: Program) -> str:
    """Looks for a difference for so many seconds. Returns what was done."""
    end, frames = time.monotonic() + seconds, 0
    for talk in conversations(seed, program):
        frames += talk.frames
        if time.monotonic() >= end:
            break
    return f"{frames} frames"


def main() -> None:
    """Looks for a difference for this many seconds, or in this many payloads."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--payloads", type=int, default=0)
    parser.add_argument("--seed", default=os.urandom(4).hex())
    arguments = parser.parse_args()
    with running() as program:
        if arguments.payloads:
            verdicts = compare(mutated(Random(arguments.seed)), arguments.payloads, program)
            done = ", ".join(f"{count:,} {verdict}" for verdict, count in verdicts.items())
        else:
            done = converse(arguments.seed, arguments.seconds, program)
    print(f"seed {arguments.seed}: {done}, no difference")


if __name__ == "__main__":
    main()
