"""What the uplink needs of a table's configuration."""

import json
from dataclasses import asdict, dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class UplinkSettings:
    """`house`: the name of the property; `table`, `servers` and `catch_up` as in the section uplink; `ca` and
    `credentials`: paths, empty for none; `keys`: public keys of the floor in hex; `journal`, `socket`:
    paths; `levels`: the linked progressives for which the table plays."""

    house: str
    table: str
    servers: tuple[str, ...]
    ca: str
    credentials: str
    catch_up: int
    keys: tuple[str, ...]
    journal: str
    socket: str
    levels: tuple[str, ...]

    @classmethod
    def read(cls, written: bytes) -> Self:
        """What `written` returned."""
        fields = json.loads(written)
        return cls(**fields | {name: tuple(fields[name]) for name in ("servers", "keys", "levels")})

    def written(self) -> bytes:
        return json.dumps(asdict(self)).encode()

    def pinned(self) -> tuple[bytes, ...]:
        """The public keys of the floor, 32 bytes each."""
        return tuple(map(bytes.fromhex, self.keys))
