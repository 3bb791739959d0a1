"""What hands do to the devices themselves: each act is one request to one device."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from controller.demo.simulator import acts
from controller.demo.simulator.handling import Handler
from controller.demo.simulator.table import SimulatedTable

Request = tuple[str, Mapping[str, Any]]
"""A device, and the request to its control socket."""

REQUESTS: Final[Mapping[type, Callable[[Any], Request]]] = {
    acts.MoveCover: lambda act: ("shoe", {"do": "cover", "open": act.open}),
    acts.SpoilCard: lambda _: ("shoe", {"do": "unreadable"}),
    acts.Jam: lambda act: (act.device, {"do": "jam", "on": act.on}),
    acts.PlugCable: lambda act: (act.device, {"do": "cable", "plugged": act.plugged}),
    acts.SwitchPower: lambda act: (act.device, {"do": "power", "on": act.on}),
    acts.Reboot: lambda act: (act.device, {"do": "reboot"}),
    acts.PressKey: lambda act: (
        "console",
        {"do": "press", "action": act.key, "seat": act.seat, "cents": act.cents, "prompt": act.prompt},
    ),
}


async def ask_device(table: SimulatedTable, act: Any) -> None:
    device, request = REQUESTS[type(act)](act)
    await table.devices.ask(device, **request)


HANDLERS: Final[Mapping[type, Handler[Any]]] = dict.fromkeys(REQUESTS, ask_device)
