"""The user of the host's end: opens sessions from the journal, permits cards, orders actions."""

from random import Random

from drivers.link.commands import CommandKeys
from drivers.link.facts import Expected
from drivers.link.host import HostLink
from drivers.messages import Permit, Start
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import DeviceClass
from tests.drivers.link.hostile import play
from tests.drivers.link.hostile.hardware import Hardware
from tests.drivers.link.hostile.journal import Journal
from tests.drivers.link.rig import KEY

MOST_OPEN = 8


class Table:
    """One host after another; `host` is the live one."""

    def __init__(self, device: Hardware, journal: Journal, random: Random, now: float) -> None:
        self._device, self._journal, self._random = device, journal, random
        self._class = device.identity.device_class
        self._keys = CommandKeys()
        self._permits: dict[bytes, list[int]] = {}
        """The highest permit of each session, by its transcript."""
        self._actions = 0
        self.host_again(now)

    def crash(self) -> None:
        """Everything dies but the journal's disk."""
        self._journal.waiting.clear()
        self._keys = CommandKeys(self._journal.last_key)

    def host_again(self, now: float) -> None:
        """Another attempt at a session."""
        self.host = HostLink(
            Expected(self._class, "SH-1"),
            self._journal.bookmark(),
            self._random.randbytes,
            now,
            lambda: True,
            key=KEY,
            keys=self._keys,
        )
        self._highest = [0]
        if self._journal.permit:
            self._permit(self._journal.permit)

    def met(self) -> None:
        """The live host has a session."""
        self._permits[self.host._handshake.transcript[:8]] = self._highest

    def order(self) -> None:
        """One moment of play."""
        if self._class is DeviceClass.SHOE and self._random.random() < 0.3:
            self._journal.permit = self._journal.cards + self._random.randrange(1, 4)
            self._permit(self._journal.permit)
        elif self._class is DeviceClass.SHUFFLER and self._random.random() < 0.3:
            self._act()
        elif self._random.random() < 0.1:
            self.host.want(play.wish(self._class, self._random))

    def check_card(self) -> None:
        """A card that begins to move is within the permits of this very session's host."""
        installed = self._device.link._handshake._installed
        assert installed, "a card moves without a session"
        assert self._device.link.armed
        transcript = tsl.Frame.FromString(installed.proof).proof.transcript
        [highest] = self._permits[transcript]
        assert self._device.memory.cards + 1 <= highest, "a card beyond the permit"

    def _permit(self, up_to: int) -> None:
        self._highest[0] = max(self._highest[0], up_to)
        self.host.want(Permit(up_to))

    def _act(self) -> None:
        if len(self._journal.open_actions) >= MOST_OPEN:
            return
        self._actions += 1
        key, record = self._keys.next(), Start(self._actions)
        self._journal.last_key = key
        self._journal.open_actions[key] = record
        self.host.act(key, record)
