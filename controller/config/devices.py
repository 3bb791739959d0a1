"""What all sections of a table's configuration share.

The sections of a configuration that name devices: where each is plugged in, and who it must be.
"""

from pathlib import Path
from typing import Annotated, Literal, Self, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator
from pydantic_core import PydanticCustomError

from controller.text.characters import character_fault
from drivers.adapters.options import NUMBERS, R_MEANINGS, RATES, AdapterOptions, Numbers, RMeaning
from drivers.ports import names


class Section(BaseModel):
    """What all sections share: no unknown keys, no converted types, no later change."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @field_validator("*", mode="before")
    @classmethod
    def _visible(cls, value: object) -> object:
        """People read these names and paths, so every character must be visible."""
        if isinstance(value, str) and (why := character_fault(value)):
            raise PydanticCustomError("character", "{why}", {"why": why})
        return value


Baud = Literal[4800, 9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600]
Adapter = Literal["tsl", "angel-eye-2ex", "bee-tek"]
"""What a shoe speaks."""


def _port(port: str) -> str:
    names.transport_kind(port)
    return port


class DeviceSection(Section):
    """One device: where it is plugged in and who it must be."""

    port: Annotated[
        str,
        AfterValidator(_port),
        Field(min_length=1, description=names.ALLOWED),
    ]
    serial: Annotated[
        str, Field(pattern=r"^[!-~]{1,24}$", description="1 to 24 printable characters without spaces")
    ]
    baud: Annotated[Baud, Field(description=f"one of {', '.join(map(str, get_args(Baud)))}")] = 115200
    seal: Annotated[Literal["sealed", "none"], Field(description='"sealed" or "none" (simulators only)')] = (
        "sealed"
    )
    key: Annotated[
        str, Field(description="the path of the device's key, beside the configuration if relative")
    ] = ""

    @property
    def rate(self) -> int:
        """The line's rate."""
        return self.baud

    @property
    def sealed(self) -> bool:
        """A key is needed."""
        return self.seal == "sealed"

    def resolved(self, name: str, folder: Path) -> Self:
        """With the whole path of its key, for a configuration in `folder`."""
        return self.model_copy(update={"key": str((folder / (self.key or f"keys/{name}.key")).resolve())})


class ShoeSection(DeviceSection):
    """The shoe, which may be one with a protocol of its own."""

    adapter: Annotated[
        Adapter, Field(description=" or ".join(f'"{adapter}"' for adapter in get_args(Adapter)))
    ] = "tsl"
    r_means: Annotated[RMeaning, Field(description=" or ".join(f'"{word}"' for word in R_MEANINGS))] = "ask"
    sequence: Annotated[Numbers, Field(description=" or ".join(f'"{word}"' for word in NUMBERS))] = "counted"

    @property
    def rate(self) -> int:
        """The line's rate: what is configured, else what such a shoe usually has."""
        configured = "baud" in self.model_fields_set
        return self.baud if configured else RATES.get(self.adapter, self.baud)

    def adapter_options(self) -> AdapterOptions:
        """What the table chose where the documents of a commercial shoe leave it open."""
        return AdapterOptions(self.r_means, self.sequence)

    @property
    def sealed(self) -> bool:
        """A key is needed: commercial shoes know of none."""
        return self.adapter == "tsl" and super().sealed


class DevicesSection(Section):
    """The devices of the table; it can do without a console, for there is one on the screen, without a
    shuffler and without a display."""

    shoe: Annotated[ShoeSection, Field(description="a section with port and serial")]
    sensors: Annotated[DeviceSection, Field(description="a section with port and serial")]
    console: Annotated[DeviceSection | None, Field(description="a section with port and serial")] = None
    shuffler: Annotated[DeviceSection | None, Field(description="a section with port and serial")] = None
    display: Annotated[DeviceSection | None, Field(description="a section with port and serial")] = None

    def configured(self) -> dict[str, DeviceSection]:
        """The configured devices by name."""
        named = {name: getattr(self, name) for name in type(self).model_fields}
        return {name: device for name, device in named.items() if device is not None}

    def resolved(self, folder: Path) -> Self:
        """With the whole paths of all keys, for a configuration in `folder`."""
        return self.model_copy(
            update={name: device.resolved(name, folder) for name, device in self.configured().items()}
        )
