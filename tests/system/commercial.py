"""A stage whose shoe is a commercial one, whatever the scene says."""

from dataclasses import dataclass, replace
from pathlib import Path

from controller.demo.scene import Scene
from controller.demo.stage import Stage, free_port


@dataclass(frozen=True, slots=True)
class Wiring:
    """The make, and the TCP port of its device server; None: a pseudo-terminal."""

    make: str
    tcp: int | None = None


class CommercialStage(Stage):
    """As the demonstration's."""

    def __init__(self, folder: Path, scene: Scene, wiring: Wiring) -> None:
        super().__init__(folder, replace(scene, shoe=wiring.make, shoe_tcp=wiring.tcp))


def wired(make: str, *, behind_tcp: bool) -> Wiring:
    """On a pseudo-terminal, or on a port of loopback that is free now."""
    return Wiring(make, free_port() if behind_tcp else None)
