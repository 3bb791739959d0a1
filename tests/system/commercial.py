"""A table whose shoe is a commercial one: the stage of the demonstration with another shoe in it."""

from dataclasses import dataclass
from pathlib import Path

from controller.demo.scene import Scene
from controller.demo.stage import Stage, configuration, free_port, serial


@dataclass(frozen=True, slots=True)
class Wiring:
    """The make, and the TCP port of its device server; None: a pty."""

    make: str
    tcp: int | None = None


class CommercialStage(Stage):
    """Its shoe's own list of cards counts as the shoe does, not as the journal."""

    def __init__(self, folder: Path, scene: Scene, wiring: Wiring) -> None:
        super().__init__(folder, scene)
        self._wiring = wiring

    async def start_device(self, kind: str) -> None:
        """Switch a device on; its cards lie where they lay."""
        if kind != "shoe":
            await super().start_device(kind)
            return
        tcp = () if self._wiring.tcp is None else ("--tcp", str(self._wiring.tcp))
        options = [
            "--link", str(self.port("shoe")), "--control", str(self.control("shoe")),
            "--memory", str(self.folder / "shoe.memory"), "--log", str(self.shoe_log),
            "--seed", str(self.scene.seed), "--speed", self.scene.speed,
            "--decks", str(self.scene.rules.options.decks), *tcp,
        ]  # fmt: skip
        self.config.write_text(self._configured())
        self.devices[kind] = await self._spawn(kind, ["drivers.sim.adapters", self._wiring.make, *options])

    def _configured(self) -> str:
        plain = f'[devices.shoe]\nport = "{self.port_name("shoe")}"\nserial = "{serial("shoe")}"\n'
        tcp = self._wiring.tcp
        port = self.port("shoe") if tcp is None else f"socket://127.0.0.1:{tcp}"
        shoe = f'[devices.shoe]\nport = "{port}"\nserial = "{serial("shoe")}"\nbaud = 4800\n'
        shoe += f'adapter = "{self._wiring.make}"\n'
        whole = configuration(self)
        assert plain in whole, whole
        return whole.replace(plain, shoe)


def wired(make: str, *, behind_tcp: bool) -> Wiring:
    """On a pty, or on a port of loopback that is free now."""
    return Wiring(make, free_port() if behind_tcp else None)
