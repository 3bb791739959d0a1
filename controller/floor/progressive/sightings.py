"""What tables have seen of the log: each table says in its status which amount it accepted last."""

from collections.abc import Callable, Mapping
from typing import Annotated

from pydantic import Field, ValidationError

from controller.jackpot.linked.events import AmountSeen
from controller.jackpot.linked.level import LinkedLevel
from controller.jackpot.linked.wire import Count, Epoch, Hash, Part
from controller.property.signed import SignedMessage, UnsignedError


class SeenAmount(Part):
    n: Count
    hash: Hash


class SeenLevels(Part):
    """What a table's status says about linked progressives."""

    v: Annotated[int, Field(ge=1, le=1)]
    epoch: Epoch
    progressive: Mapping[str, SeenAmount] = Field(default_factory=dict)


def sighting(
    state: LinkedLevel,
    hash_at: Callable[[int], str],
    subject: str,
    payload: bytes,
    headers: Mapping[str, str] | None,
) -> AmountSeen | None:
    """What an instance has to know of a status: an entry that it does not have, or has with another hash.
    None for everything else, and for a status that its table did not sign. The signature is checked last,
    because it takes longest."""
    try:
        status = SeenLevels.model_validate_json(payload)
    except ValidationError:
        return None
    seen = status.progressive.get(state.level)
    table = state.contributors.get((subject.rsplit(".", 1)[-1], status.epoch))
    if seen is None or seen.n == 0 or table is None or hash_at(seen.n) == seen.hash:
        return None
    try:
        SignedMessage.received(subject, payload, headers).verify({bytes.fromhex(table.public)})
    except UnsignedError:
        return None
    return AmountSeen(seen.n, seen.hash, hash_at(seen.n))
