"""What all sections of a table's configuration share."""

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """What all sections share: no unknown keys, no converted types, no later change."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
