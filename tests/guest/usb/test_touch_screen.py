"""The simulated touch screen, without a guest."""

import struct

from tests.guest.usb.function import TO_HOST, EndpointType, Setup
from tests.guest.usb.redir import CAPABILITIES, FIRST_HEADER, HEADER, HELLO, INTERRUPT, Kind, RedirectedDevice
from tests.guest.usb.touch_screen import DESCRIPTION, END, EXTENT, FINGER, TouchScreen

ENDS = struct.Struct("<32B32B32B32H")
"""Type, interval, interface and packet size of each endpoint: those of the device, then those to the host."""


def packets(data: bytes, header: struct.Struct = HEADER) -> list[tuple[int, bytes]]:
    """Kind and body of each packet."""
    found = []
    while data:
        kind, size, _number = header.unpack_from(data)
        found.append((kind, data[header.size : header.size + size]))
        data = data[header.size + size :]
    return found


def connected(screen: TouchScreen) -> tuple[RedirectedDevice, list[tuple[int, bytes]]]:
    """The device of a host that has greeted it, and what it says of itself."""
    device = RedirectedDevice(screen)
    screen.plug(device.pump)
    device.take()
    hello = HELLO.pack(b"QEMU", CAPABILITIES)
    device.feed(FIRST_HEADER.pack(Kind.HELLO, len(hello), 0) + hello)
    return device, packets(device.take())


def test_an_interrupt_endpoint_has_a_type_and_an_interval() -> None:
    _device, said = connected(TouchScreen())
    [ends] = [ENDS.unpack(body) for kind, body in said if kind == Kind.EP_INFO]
    place = 16 + (END & 0x0F)
    assert ends[place] == EndpointType.INTERRUPT
    assert ends[32 + place] > 0


def test_touches_are_sent_in_their_order_once_the_host_receives() -> None:
    screen = TouchScreen()
    device, _said = connected(screen)
    screen.touch(0.5, 1)
    assert device.take() == b""
    device.feed(HEADER.pack(Kind.START_INTERRUPT_RECEIVING, 1, 7) + bytes([END]))
    screen.release(0.5, 1)
    status, *reports = packets(device.take())
    assert status == (Kind.INTERRUPT_RECEIVING_STATUS, bytes([0, END]))
    assert [kind for kind, _body in reports] == [Kind.INTERRUPT_PACKET] * 2
    fingers = [FINGER.unpack(body[INTERRUPT.size :]) for _kind, body in reports]
    assert fingers == [(1, touches, 0, round(EXTENT / 2), EXTENT, 1) for touches in (1, 0)]
    device.feed(HEADER.pack(Kind.STOP_INTERRUPT_RECEIVING, 1, 8) + bytes([END]))
    device.take()
    screen.touch(0, 0)
    assert device.take() == b""


def test_the_descriptor_says_how_long_the_description_of_the_reports_is() -> None:
    screen = TouchScreen()
    whole = screen.control(Setup(TO_HOST, 6, 0x0200, 0, 255))
    assert whole is not None
    assert struct.unpack_from("<H", whole, 2) == (len(whole),)
    assert struct.unpack_from("<H", whole, 9 + 9 + 7) == (len(DESCRIPTION),)
    assert screen.control(Setup(TO_HOST | 1, 6, 0x2200, 0, 255)) == DESCRIPTION
