"""The bytes that the simulated shoes put on their lines."""

import pytest

from drivers.sim.adapters.unit import PlainUnit
from drivers.sim.kinds import Settings
from drivers.sim.link.memory import Memory
from drivers.sim.physical_state import PhysicalState
from drivers.sim.requests import RequestError

LOCK = bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 42")
UNLOCK = bytes.fromhex("02 4F 50 4C 4B 30 31 03 31 38")
WITHOUT_STX = bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 39")
ACK = b"\x06"


class Line:
    """A shoe with the eight of spades on top."""

    def __init__(self, make: str) -> None:
        settings = Settings(kind=make, serial="", speed="max", stack=("8s", "Th", "Ad"))
        self.memory, self.around = Memory(), PhysicalState()
        self.unit = PlainUnit(settings, memory=self.memory, surroundings=self.around, random=bytes, now=0.0)

    def take(self) -> bytes:
        """The bytes it has sent by now."""
        self.unit.tick(1.0)
        return self.unit.transmit(1.0)

    def order(self, data: bytes) -> bytes:
        """The bytes of its answer."""
        self.unit.receive(data, 1.0)
        return self.take()

    def ask(self, do: str, **fields: object) -> bytes:
        self.unit.ask({"do": do, **fields}, 1.0)
        return self.take()


def angel_eye() -> Line:
    line = Line("angel-eye-2ex")
    line.take()
    return line


def test_the_start_is_said_three_times() -> None:
    assert Line("angel-eye-2ex").take() == bytes.fromhex("05 00 53 03 35 30") * 3


def test_the_published_card_is_said_three_times_with_the_next_number() -> None:
    line = angel_eye()
    assert line.order(UNLOCK) == ACK + bytes.fromhex("05 01 4C 00 03 34 45") * 3
    assert line.ask("pull") == bytes.fromhex("05 02 44 80 B8 03 37 44") * 3


def test_copies_are_as_many_as_somebody_wants() -> None:
    line = angel_eye()
    line.ask("copies", copies=1)
    assert line.ask("preset", number=3, value=42) == bytes.fromhex("05 01 4D 30 33 30 30 34 32 03 34 41")


def test_locked_it_gives_no_card_unless_it_is_forced() -> None:
    line = angel_eye()
    with pytest.raises(RequestError, match="locked"):
        line.ask("pull")
    assert line.ask("pull", force=True)[2:5] == b"d\x00\xb8"


@pytest.mark.parametrize(
    ("order", "answer"),
    [
        (LOCK, ACK),
        (LOCK[:-1] + b"C", b"\x1502"),
        (WITHOUT_STX, b"\x1502"),
        (LOCK.replace(b"\x03", b"\x04"), b"\x1503"),
        (bytes.fromhex("02 4F 51 4C 4B 30 32 03 31 41"), b"\x1512"),
        (bytes.fromhex("02 4F 50 58 58 30 32 03 31 43"), b"\x1514"),
        (b"noise", b""),
        (b"noise" + LOCK, ACK),
    ],
)
def test_each_order_gets_its_answer(order: bytes, answer: bytes) -> None:
    assert angel_eye().order(order) == answer


def test_an_order_in_pieces_is_understood() -> None:
    line = angel_eye()
    assert line.order(LOCK[:4]) == b""
    assert line.order(LOCK[4:]) == ACK


def test_a_unit_whose_check_leaves_stx_out() -> None:
    line = angel_eye()
    line.ask("bcc", stx=False)
    assert line.order(LOCK) == b"\x1502"
    assert line.order(WITHOUT_STX) == ACK


def test_the_first_message_after_a_reboot_carries_the_last_number() -> None:
    line = angel_eye()
    line.order(UNLOCK)
    line.ask("pull")
    assert line.ask("reboot") == bytes.fromhex("05 02 53 03 35 32") * 3
    assert line.ask("pull", force=True)[:3] == b"\x05\x03d"
    line.ask("quiet", quiet=True)
    assert line.ask("reboot") == b""


def test_a_card_that_was_on_its_way_when_the_power_went_is_out_and_unsaid() -> None:
    line = angel_eye()
    line.order(UNLOCK)
    line.unit.ask({"do": "pull"}, 1.0)
    assert b"D" not in line.ask("reboot")
    assert line.memory.cards == 1


def test_errors_are_reported_until_they_are_cleared() -> None:
    line = angel_eye()
    line.order(UNLOCK)
    line.ask("unreadable")
    assert line.ask("pull")[2:4] == b"E\x41"
    assert line.ask("pull")[2:4] == b"d\x11"
    cleared = line.order(bytes.fromhex("02 4F 50 45 43 30 31 03 31 39"))
    assert (cleared[:1], cleared[3:5]) == (ACK, b"e\x01")
    with pytest.raises(RequestError, match="there is no error"):
        line.ask("cancel")


def test_a_bee_tek_says_each_card_once_and_hears_nothing() -> None:
    line = Line("bee-tek")
    assert line.take() == b""
    assert line.ask("pull") == b" [Game]<Card:8S> "
    line.ask("unreadable")
    assert line.ask("pull") == b" [Game]<Game>  [GameAlarm]<Alarm:E3 Card Not Read> "
    assert line.order(LOCK) == b""
    assert line.ask("pull") == b" [Game]<Card:AD> "


def test_raw_bytes_must_be_hexadecimal() -> None:
    with pytest.raises(RequestError, match="must be hexadecimal digits, two for each byte"):
        Line("bee-tek").ask("say", raw="0")
    with pytest.raises(RequestError, match="must be hexadecimal digits"):
        Line("bee-tek").ask("say", raw=5)
