"""The device's end of usbredir, the protocol by which QEMU takes a USB device from a socket
(usb-redirection-protocol.txt).

Theory of operation. Pure: bytes of QEMU go in by `feed`, bytes for it come out of `take`. After both hellos
the device says which interface and endpoints it has, then that it is there; in this order, because QEMU
refuses a configuration whose endpoints it does not know. Each transfer of the guest is a packet with an id
and gets exactly one answer with the same id. A transfer that the device cannot finish yet waits in the queue
of its endpoint, and transfers of an endpoint are answered in their order: QEMU aborts otherwise. A cancelled
transfer is answered, too, as cancelled. Of an interrupt endpoint QEMU asks for no transfers: from its start
to its stop the device sends a packet whenever it has one.
"""

import struct
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from tests.guest.usb.function import INTERVAL, PACKET, TO_HOST, EndpointType, Setup, UsbFunction


class Kind(IntEnum):
    """The types of packets that are in use here."""

    HELLO = 0
    DEVICE_CONNECT = 1
    RESET = 3
    INTERFACE_INFO = 4
    EP_INFO = 5
    SET_CONFIGURATION = 6
    GET_CONFIGURATION = 7
    CONFIGURATION_STATUS = 8
    SET_ALT_SETTING = 9
    GET_ALT_SETTING = 10
    ALT_SETTING_STATUS = 11
    START_INTERRUPT_RECEIVING = 15
    STOP_INTERRUPT_RECEIVING = 16
    INTERRUPT_RECEIVING_STATUS = 17
    CANCEL_DATA_PACKET = 21
    CONTROL_PACKET = 100
    BULK_PACKET = 101
    INTERRUPT_PACKET = 103


class Status(IntEnum):
    """How a transfer ended."""

    SUCCESS = 0
    CANCELLED = 1
    STALL = 4


CAPABILITIES: Final = 1 << 1 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6
"""The version of the device, an acknowledged end, packet sizes, 64-bit ids, long bulk transfers."""
NAME: Final = b"tableside tests"
HELLO: Final = struct.Struct("<64sI")
FIRST_HEADER: Final = struct.Struct("<III")
"""Type, length, id. Both hellos have short ids."""
HEADER: Final = struct.Struct("<IIQ")
CONNECT: Final = struct.Struct("<BBBBHHH")
CONTROL: Final = struct.Struct("<BBBBHHH")
BULK: Final = struct.Struct("<BBHIH")
INTERRUPT: Final = struct.Struct("<BBH")
FULL_SPEED: Final = 1
NO_ENDPOINT: Final = 0xFF
ENDPOINTS: Final = 32


@dataclass(frozen=True, slots=True)
class Transfer:
    """A bulk transfer that waits. `data`: what the host sends. `most`: what it asks for."""

    number: int
    endpoint: int
    stream: int
    most: int
    data: bytes


class RedirectedDevice:
    """One device, from its plug to its end. Call `pump` when the function may have more to give or to
    accept."""

    def __init__(self, function: UsbFunction) -> None:
        self._function = function
        self._received, self._answer = bytearray(), bytearray()
        self._queues: dict[int, deque[Transfer]] = {
            endpoint: deque() for endpoint, kind in function.endpoints.items() if kind is EndpointType.BULK
        }
        self._receiving: set[int] = set()
        """Interrupt endpoints that QEMU has started."""
        self._greeted = False
        self._send(Kind.HELLO, 0, HELLO.pack(NAME, CAPABILITIES))

    def feed(self, data: bytes) -> None:
        """Bytes of QEMU, split anywhere."""
        self._received += data
        while packet := self._packet():
            kind, number, body = packet
            if handle := _HANDLERS.get(kind):
                handle(self, number, body)
        self.pump()

    def pump(self) -> None:
        """Answers the transfers that can be finished now."""
        for queue in self._queues.values():
            while queue and self._finish(queue[0]):
                queue.popleft()
        for endpoint in self._receiving:
            while (data := self._function.give(PACKET)) is not None:
                body = INTERRUPT.pack(endpoint, Status.SUCCESS, len(data)) + data
                self._send(Kind.INTERRUPT_PACKET, 0, body)

    def take(self) -> bytes:
        """Everything that QEMU is to get."""
        data = bytes(self._answer)
        self._answer.clear()
        return data

    def _packet(self) -> tuple[int, int, bytes] | None:
        """Type, id and body of the next whole packet."""
        header = HEADER if self._greeted else FIRST_HEADER
        if len(self._received) < header.size:
            return None
        kind, length, number = header.unpack_from(self._received)
        if len(self._received) < header.size + length:
            return None
        body = bytes(self._received[header.size : header.size + length])
        del self._received[: header.size + length]
        return kind, number, body

    def _send(self, kind: Kind, number: int, body: bytes) -> None:
        header = HEADER if self._greeted else FIRST_HEADER
        self._answer += header.pack(kind, len(body), number) + body

    def _greet(self, _number: int, _body: bytes) -> None:
        self._greeted = True
        self._describe()
        device = self._function
        body = CONNECT.pack(FULL_SPEED, 0, 0, 0, device.vendor, device.product, device.version)
        self._send(Kind.DEVICE_CONNECT, 0, body)

    def _describe(self) -> None:
        """One interface, and what its endpoints are."""
        classes = bytes([self._function.interface_class, *(0 for _ in range(ENDPOINTS - 1))])
        interfaces = struct.pack("<I", 1) + bytes(ENDPOINTS) + classes + 2 * bytes(ENDPOINTS)
        self._send(Kind.INTERFACE_INFO, 0, interfaces)
        kinds, intervals, sizes = [NO_ENDPOINT] * ENDPOINTS, [0] * ENDPOINTS, [0] * ENDPOINTS
        control = {0: EndpointType.CONTROL, TO_HOST: EndpointType.CONTROL}
        for address, kind in {**control, **self._function.endpoints}.items():
            place = (address & TO_HOST) >> 3 | address & 0x0F
            kinds[place], sizes[place] = kind, PACKET
            intervals[place] = INTERVAL if kind is EndpointType.INTERRUPT else 0
        body = bytes(kinds) + bytes(intervals) + bytes(ENDPOINTS) + struct.pack(f"<{ENDPOINTS}H", *sizes)
        self._send(Kind.EP_INFO, 0, body)

    def _configure(self, number: int, _body: bytes) -> None:
        """The one configuration, chosen or asked for."""
        self._send(Kind.CONFIGURATION_STATUS, number, bytes([Status.SUCCESS, 1]))

    def _alternate(self, number: int, body: bytes) -> None:
        self._send(Kind.ALT_SETTING_STATUS, number, bytes([Status.SUCCESS, body[0], 0]))

    def _start_receiving(self, number: int, body: bytes) -> None:
        self._receiving.add(body[0])
        self._send(Kind.INTERRUPT_RECEIVING_STATUS, number, bytes([Status.SUCCESS, body[0]]))

    def _stop_receiving(self, number: int, body: bytes) -> None:
        self._receiving.discard(body[0])
        self._send(Kind.INTERRUPT_RECEIVING_STATUS, number, bytes([Status.SUCCESS, body[0]]))

    def _control(self, number: int, body: bytes) -> None:
        endpoint, request, kind, _status, value, index, length = CONTROL.unpack_from(body)
        answer = self._function.control(Setup(kind, request, value, index, length))
        status = Status.STALL if answer is None else Status.SUCCESS
        data = (answer or b"")[:length] if kind & TO_HOST else b""
        done = len(data) if kind & TO_HOST else length
        self._send(
            Kind.CONTROL_PACKET,
            number,
            CONTROL.pack(endpoint, request, kind, status, value, index, done) + data,
        )

    def _bulk(self, number: int, body: bytes) -> None:
        endpoint, _status, low, stream, high = BULK.unpack_from(body)
        transfer = Transfer(number, endpoint, stream, high << 16 | low, body[BULK.size :])
        self._queues[endpoint].append(transfer)

    def _cancel(self, number: int, _body: bytes) -> None:
        for queue in self._queues.values():
            for transfer in queue:
                if transfer.number == number:
                    queue.remove(transfer)
                    self._end(transfer, Status.CANCELLED)
                    return

    def _finish(self, transfer: Transfer) -> bool:
        """Whether the transfer could be finished."""
        if transfer.endpoint & TO_HOST:
            data = self._function.give(transfer.most)
            if data is None:
                return False
            self._end(transfer, Status.SUCCESS, data)
        elif self._function.accept(transfer.data):
            self._end(transfer, Status.SUCCESS)
        else:
            return False
        return True

    def _end(self, transfer: Transfer, status: Status, data: bytes = b"") -> None:
        length = len(data) if transfer.endpoint & TO_HOST else transfer.most
        length = 0 if status is Status.CANCELLED else length
        body = BULK.pack(transfer.endpoint, status, length & 0xFFFF, transfer.stream, length >> 16)
        self._send(Kind.BULK_PACKET, transfer.number, body + data)


_HANDLERS: Final[Mapping[int, Callable[[RedirectedDevice, int, bytes], None]]] = {
    Kind.HELLO: RedirectedDevice._greet,
    Kind.SET_CONFIGURATION: RedirectedDevice._configure,
    Kind.GET_CONFIGURATION: RedirectedDevice._configure,
    Kind.SET_ALT_SETTING: RedirectedDevice._alternate,
    Kind.GET_ALT_SETTING: RedirectedDevice._alternate,
    Kind.START_INTERRUPT_RECEIVING: RedirectedDevice._start_receiving,
    Kind.STOP_INTERRUPT_RECEIVING: RedirectedDevice._stop_receiving,
    Kind.CANCEL_DATA_PACKET: RedirectedDevice._cancel,
    Kind.CONTROL_PACKET: RedirectedDevice._control,
    Kind.BULK_PACKET: RedirectedDevice._bulk,
}
"""Other packets need no answer."""
