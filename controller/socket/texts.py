"""Types of the texts and numbers in requests: what people type is checked once, here."""

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from controller.access.secrets import MOST_SECRET
from controller.table.people.supervisor_commands import MOST_CENTS, MOST_NUMBER, MOST_TEXT
from controller.text.characters import character_fault


def _visible(text: object) -> object:
    """Raises PydanticCustomError for a text with invisible characters."""
    if isinstance(text, str) and (why := character_fault(text.strip())):
        raise PydanticCustomError(
            "character", "not allowed: {why}; allowed: text that can be seen", {"why": why}
        )
    return text


Text = Annotated[str, BeforeValidator(_visible)]
LINE = r"^[^\x00-\x1f\x7f]*$"
NONEMPTY_LINE = r"^[^\x00-\x1f\x7f]*[^\s\x00-\x1f\x7f][^\x00-\x1f\x7f]*$"

Reason = Annotated[
    Text, StringConstraints(strip_whitespace=True, max_length=MOST_TEXT, pattern=NONEMPTY_LINE)
]
OptionalReason = Annotated[Text, StringConstraints(strip_whitespace=True, max_length=MOST_TEXT, pattern=LINE)]
OptionalSentence = Annotated[Text, StringConstraints(strip_whitespace=True, max_length=MOST_TEXT)]
Token = Annotated[str, StringConstraints(max_length=MOST_TEXT, pattern=LINE)]
"""The token of the preview. The table refuses a decision without it (409)."""
PREVIEW_REASON = "preview"
"""The reason in a preview, which does not depend on it."""
Number = Annotated[int, Field(ge=1, le=MOST_NUMBER)]
Cents = Annotated[int, Field(ge=1, le=MOST_CENTS)]
Spot = Annotated[Text, Field(min_length=1, max_length=40)]
ActId = Annotated[str, StringConstraints(pattern="^[A-Za-z0-9-]{1,64}$")]
"""The id that a client chooses for one press of a key or one act."""
Secret = Annotated[str, Field(min_length=1, max_length=MOST_SECRET, repr=False)]
Name = Annotated[Text, Field(max_length=MOST_SECRET)]
SessionToken = Annotated[str, Field(min_length=1, max_length=100, repr=False)]
Address = Annotated[Text, Field(max_length=100)]
"""Where the person is: an IP address, or empty for this computer."""


class RequestModel(BaseModel):
    """The body of a request: no unknown fields, no converted types."""

    model_config = ConfigDict(extra="forbid", strict=True)
