"""The fuzz targets by name. A target takes any bytes and returns a sentence about the result; it raises
AssertionError where a promise is broken, and nothing else."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from tests.fuzz import adapters, decoder, handshake, session


@dataclass(frozen=True, slots=True)
class Target:
    """`seeds`: where a search begins."""

    run: Callable[[bytes], str]
    seeds: Sequence[bytes]


TARGETS: Final[Mapping[str, Target]] = {
    "decoder": Target(decoder.run, decoder.SEEDS),
    "handshake": Target(handshake.run, handshake.SEEDS),
    "session": Target(session.run, session.SEEDS),
    **{name: Target(partial(adapters.run, name), adapters.SEEDS[name]) for name in adapters.SEEDS},
}
