"""The dealing shoe: gives out as many cards as it is permitted, and says which."""

from drivers.device import Device
from drivers.link.wishes import PERMIT
from drivers.messages import Lock, Permit
from drivers.protocol.codes import DeviceClass


class Shoe(Device):
    """Events: cards, cut card, cover, loaded, empty, jam."""

    device_class = DeviceClass.SHOE

    def permit(self, up_to: int) -> None:
        """Cards may leave until the shoe's count of cards is `up_to` (journaled before); at most 64 ahead."""
        self.want(Permit(up_to))

    def lock(self) -> None:
        """No card may leave."""
        self.want(Lock())

    def log_changed(self) -> None:
        """A permit counts the cards of its log: nobody may take it for one of another."""
        if self.wanted(PERMIT):
            self.lock()
