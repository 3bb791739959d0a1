"""The section about the table socket: where it is, and whose programs may open it."""

from pathlib import Path
from typing import Annotated, Self

from pydantic import Field

from controller.config.section import FILE, Section

UserName = Annotated[
    str, Field(pattern=r"^[a-z_][a-z0-9_-]{0,31}$", description="the name of a user or group of this machine")
]


class SocketSection(Section):
    """`path` is empty for the place that `controller.socket.listening` chooses."""

    path: Annotated[str, Field(description=FILE)] = ""
    group: UserName = "tableside-clients"
    web_user: UserName = "tableside-web"
    uplink_user: UserName = "tableside-uplink"
    bridge_user: UserName = "tableside-bridge"

    def resolved(self, folder: Path) -> Self:
        return self._with_paths(folder, "path")
