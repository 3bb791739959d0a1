"""What all sections of a table's configuration share."""

from pydantic import BaseModel, ConfigDict, field_validator
from pydantic_core import PydanticCustomError

from controller.characters import character_fault


class Section(BaseModel):
    """What all sections share: no unknown keys, no converted types, no later change."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @field_validator("*", mode="before")
    @classmethod
    def _seen(cls, value: object) -> object:
        """People read these names and paths, so every character must be visible."""
        if isinstance(value, str) and (why := character_fault(value)):
            raise PydanticCustomError("character", "{why}", {"why": why})
        return value
