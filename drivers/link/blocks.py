"""The host's side of bulk: blocks of an image as the device asks for them."""

from collections import deque

from drivers.link.endpoint import Endpoint
from drivers.link.facts import BlockSent
from drivers.protocol import common_pb2 as common
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Channel
from drivers.update.slots import BLOCK

MOST_WANTED = 2
"""That a device may ask for at a time; what it asks for beyond is dropped."""


class Blocks:
    """Gives one device the blocks of one image, in the order in which it asks."""

    def __init__(self, image: bytes, endpoint: Endpoint) -> None:
        self._image = image
        self._endpoint = endpoint
        self._wanted: deque[int] = deque()

    def ask(self, offset: int) -> bool:
        """The device wants the image from `offset` on; False: it cannot have it."""
        if offset >= len(self._image) or len(self._wanted) >= MOST_WANTED:
            return False
        self._wanted.append(offset)
        return True

    def send(self) -> BlockSent | None:
        """Hands the endpoint the next block, when it is due and the last ones have arrived."""
        if not self._wanted or self._endpoint.bulk >= MOST_WANTED or not self._endpoint.room:
            return None
        offset = self._wanted.popleft()
        block = common.Block(offset=offset, data=self._image[offset : offset + BLOCK])
        self._endpoint.send(Channel.BULK, tsl.Frame(block=block))
        return BlockSent(offset, len(block.data))
