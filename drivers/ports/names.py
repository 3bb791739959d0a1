"""Names of ports: what may stand in a configuration, and which transport each name means."""

import re
from typing import Literal

from drivers.ports import usb_names

ALLOWED = f"the path of a serial port, socket://HOST:PORT, {usb_names.ALLOWED}"
TransportKind = Literal["serial", "usb"]
_SOCKET = re.compile(r"socket://[^/]+:[0-9]{1,5}")


def transport_kind(name: str) -> TransportKind:
    """What a port is opened with: "usb", or "serial" for paths and device servers.

    Raises ValueError, with what is allowed, for a name that is none of these.
    """
    if name.startswith(usb_names.SCHEME):
        usb_names.usb_address(name)
        return "usb"
    if not name or ("://" in name and not _SOCKET.fullmatch(name)):
        raise ValueError(f"{name!r} is no port; allowed are {ALLOWED}")
    return "serial"
