"""Compares both implementations of the device's end under hostile bytes, commands, events and times.

`python -m tests.conformance.differ --seconds N` looks for a difference for N seconds and prints the seed with
which it found one.
"""

import argparse
import os
import time
from collections.abc import Iterator

from .conversation import Conversation
from .deeds import act
from .firmware import Program, running

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


def main() -> None:
    """Looks for a difference for this many seconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", default=os.urandom(4).hex())
    arguments = parser.parse_args()
    end, frames = time.monotonic() + arguments.seconds, 0
    with running() as program:
        for talk in conversations(arguments.seed, program):
            frames += talk.frames
            if time.monotonic() >= end:
                break
    print(f"seed {arguments.seed}: {frames} frames, no difference")


if __name__ == "__main__":
    main()
