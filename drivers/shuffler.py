"""The shuffler: shuffles, counts every card, gives the decks out."""

from drivers.device import Device
from drivers.messages import Eject, Start, Stop
from drivers.protocol.codes import DeviceClass


class Shuffler(Device):
    """Events: state, deck check, jam."""

    device_class = DeviceClass.SHUFFLER

    def start(self, key: int, decks: int) -> None:
        """Shuffle and check `decks` decks, once; `key` is reserved and journaled."""
        self.act(key, Start(decks))

    def eject(self, key: int) -> None:
        """Give the shuffled cards out, once; `key` is reserved and journaled."""
        self.act(key, Eject())

    def stop(self) -> None:
        """Stop the cycle that runs; without a session it finishes by itself and takes no new start."""
        self.want(Stop())
