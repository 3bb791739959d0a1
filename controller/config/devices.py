"""The sections of the devices: where each is plugged in, and its identity."""

from pathlib import Path
from typing import Annotated, Literal, Self, get_args

from pydantic import AfterValidator, Field

from controller.config.section import Section
from drivers.adapters.options import NUMBERS, R_MEANINGS, RATES, AdapterOptions, Numbers, RMeaning
from drivers.ports import names

Baud = Literal[4800, 9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600]
Adapter = Literal["tsl", "angel-eye-2ex", "bee-tek"]
"""The protocol of a shoe."""


def _port(port: str) -> str:
    names.transport_kind(port)
    return port


class DeviceSection(Section):
    port: Annotated[str, AfterValidator(_port), Field(min_length=1, description=names.ALLOWED)]
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
        return self.baud

    @property
    def sealed(self) -> bool:
        """Whether the device needs a key."""
        return self.seal == "sealed"

    def resolved(self, name: str, folder: Path) -> Self:
        """A copy with an absolute path of the key; a relative one lies in `folder`."""
        return self.model_copy(update={"key": str((folder / (self.key or f"keys/{name}.key")).resolve())})


class ShoeSection(DeviceSection):
    """A shoe of this project, or a commercial one with its own protocol."""

    adapter: Annotated[
        Adapter, Field(description=" or ".join(f'"{adapter}"' for adapter in get_args(Adapter)))
    ] = "tsl"
    r_means: Annotated[RMeaning, Field(description=" or ".join(f'"{word}"' for word in R_MEANINGS))] = "ask"
    sequence: Annotated[Numbers, Field(description=" or ".join(f'"{word}"' for word in NUMBERS))] = "counted"

    @property
    def rate(self) -> int:
        """The configured rate, or else the usual rate of such a shoe."""
        configured = "baud" in self.model_fields_set
        return self.baud if configured else RATES.get(self.adapter, self.baud)

    def adapter_options(self) -> AdapterOptions:
        """Choices that the documents of a commercial shoe leave to the operator."""
        return AdapterOptions(self.r_means, self.sequence)

    @property
    def sealed(self) -> bool:
        """Commercial shoes have no keys."""
        return self.adapter == "tsl" and super().sealed


class DevicesSection(Section):
    """The console (the screen has one too), the shuffler and the display are optional."""

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
        """A copy with absolute paths of all keys."""
        return self.model_copy(
            update={name: device.resolved(name, folder) for name, device in self.configured().items()}
        )
