"""The section about linked progressives: whose amounts the table accepts, and which spots play for which
level."""

from typing import Annotated, Final

from pydantic import AfterValidator, Field, ValidationInfo, field_validator

from controller.config.floor import MOST_KEYS, PublicKey
from controller.config.section import Section, conflict
from controller.property.subjects import ALLOWED, checked_name

KEYS: Final = "one or two public keys of 64 hexadecimal digits, as tableside floor progressive prints them"
LEVELS: Final = f'a level for each spot, as {{ "blazing-7s" = "sevens" }}; a level: {ALLOWED}'


def _level(text: str) -> str:
    return checked_name("level", text)


LevelName = Annotated[str, AfterValidator(_level), Field(description=ALLOWED)]


class ProgressiveSection(Section):
    """`keys`: public keys of the progressives, the one in use and the next one. `levels`: the level of a
    linked progressive that a spot plays for."""

    keys: Annotated[tuple[PublicKey, ...], Field(strict=False, description=KEYS)] = ()
    levels: dict[str, LevelName] = Field(default_factory=dict, description=LEVELS)

    @field_validator("keys")
    @classmethod
    def _are_few(cls, keys: tuple[str, ...]) -> tuple[str, ...]:
        if len(keys) > MOST_KEYS:
            raise ValueError("too many")
        return keys

    @field_validator("levels")
    @classmethod
    def _fit_together(cls, levels: dict[str, str], info: ValidationInfo) -> dict[str, str]:
        if levels and info.data.get("keys") == ():
            raise conflict("keys", [], f"not allowed with levels; allowed: {KEYS}")
        if len(set(levels.values())) < len(levels):
            raise conflict("levels", levels, "not allowed; allowed: another level for each spot")
        return levels

    def pinned(self) -> tuple[bytes, ...]:
        """The public keys, 32 bytes each."""
        return tuple(map(bytes.fromhex, self.keys))
