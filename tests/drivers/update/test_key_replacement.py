"""Another maker's key is brought to a simulated device, in virtual time; and the file that it comes in."""

import json
from pathlib import Path

import pytest

from drivers.link.reports import Down, LinkEvent, Unarmed
from drivers.messages import MakerKey
from drivers.protocol.codes import DeviceClass, Status
from drivers.update.course import UpdateCourse, UpdateEnd
from drivers.update.image import ImageManifest, sign
from drivers.update.key_replacement import LIMITS, PERHAPS, KeyReplacement
from drivers.update.maker_key import (
    FIRST_LINE,
    SignedMakerKey,
    parse,
    read_maker_key,
    serialize,
    sign_maker_key,
)
from drivers.update.signed_file import SignedFileFault
from drivers.update.signing import MOST_U32, public_key
from tests.drivers.update.desk import MAKER, ROOT, Desk
from tests.drivers.update.test_failed_updates import done, up

NEXT = bytes(range(64, 96))
"""The private key that signs from then on."""
REPLACED = UpdateEnd("replaced", "it trusts the maker's key of generation 1")
ANSWER = "the device answers MakerKey with"
DOWN = Down("heartbeat", "no heartbeat for 3 s")


def signed(
    generation: int = 1, root: bytes = ROOT, device_class: int = DeviceClass.DISPLAY
) -> SignedMakerKey:
    return sign_maker_key(public_key(NEXT), DeviceClass(device_class), "sim", generation, root)


def image_by(key: bytes) -> ImageManifest:
    return sign(b"image", DeviceClass.DISPLAY, "sim", 2, key)


class KeyDesk(Desk):
    """One device, and a host that brings it a key."""

    def __init__(self, key: SignedMakerKey | None = None) -> None:
        self.key = key or signed()
        super().__init__()

    @property
    def work(self) -> UpdateCourse:
        return self.replacement

    @property
    def image(self) -> bytes:
        return b""

    def begin(self) -> None:
        self.replacement = KeyReplacement(self.key, self.wire.now)
        super().begin()

    def trusts_the_next(self) -> bool:
        """Otherwise it trusts the key before: never both, and never neither."""
        slots = self.slots
        old, new = (slots.trusts(image_by(key)) for key in (MAKER, NEXT))
        assert old is not new
        assert slots.generation == (self.key.generation if new else 0)
        return new


WHOLE = KeyDesk()
assert WHOLE.run() is not None
WRITES = WHOLE.flash.writes
SECONDS = WHOLE.wire.now


def test_a_key_that_the_root_key_signed_is_taken() -> None:
    assert WHOLE.ended == REPLACED
    assert [record for _, record in WHOLE.books.orders] == [signed().action]
    assert WHOLE.trusts_the_next()


@pytest.mark.parametrize(
    ("key", "words"),
    [
        (signed(root=NEXT), "REFUSED: the signature is not that of the root key"),
        (signed(device_class=DeviceClass.SHOE), "REFUSED: the signature is not that of the root key"),
        (sign_maker_key(public_key(NEXT), DeviceClass.DISPLAY, "A1", 1, ROOT), "for hardware 'A1', this is"),
    ],
)
def test_a_key_for_another_device_or_of_another_root_is_refused(key: SignedMakerKey, words: str) -> None:
    desk = KeyDesk(key)
    ended = desk.run()
    assert ended is not None
    assert (ended.result, words in ended.text) == ("failed", True), ended
    assert not desk.trusts_the_next()


def test_the_same_generation_again_is_refused_with_the_known_one() -> None:
    desk = KeyDesk()
    desk.run()
    desk.begin()
    assert desk.run() == UpdateEnd(
        "failed", "the device answers MakerKey with REFUSED: generation 1: 1 is known"
    )


def test_a_power_cut_at_the_write_leaves_the_key_before_or_the_next_one() -> None:
    desk = KeyDesk()
    desk.flash.fail_at(WRITES - desk.flash.writes)
    assert desk.run() == REPLACED
    assert len(desk.books.ups) == 2, "the device lost its power"
    assert desk.books.results[desk.books.orders[0][0]] is Status.INTERRUPTED
    assert desk.trusts_the_next()


@pytest.mark.parametrize("tick", range(round(SECONDS / 0.05) + 1))
@pytest.mark.parametrize("loss", ["power", "cable", "host", "both"])
def test_a_key_is_brought_whatever_is_lost_at_any_time(tick: int, loss: str) -> None:
    """Twenty times a second, from the first Hello to the end."""
    desk = KeyDesk()
    for _ in range(tick):
        desk.step()
    if loss in {"power", "both"}:
        desk.kill()
    if loss == "cable":
        desk.unit.ask({"do": "hang-up", "seconds": 4}, desk.wire.now)
    had = desk.trusts_the_next()
    if loss in {"host", "both"}:
        desk.begin()
    ended = desk.run()
    assert ended is not None
    assert ended == REPLACED or (had and "1 is known" in ended.text)
    assert desk.trusts_the_next()


def course(*events: LinkEvent) -> KeyReplacement:
    """At 0 s; each action that is due goes out under the keys 1, 2, ..."""
    found, key = KeyReplacement(signed(), 0.0), 0
    for event in events:
        found.handle(event, 0.0)
        if record := found.due(0.0):
            key += 1
            found.action_sent(key, record)
    return found


BEGUN = (up(), Unarmed())


@pytest.mark.parametrize(
    ("events", "ended"),
    [
        ((*BEGUN, done(1)), REPLACED),
        ((*BEGUN, DOWN, up(), done(1)), REPLACED),
        ((*BEGUN, DOWN, up(), done(1, Status.NEVER), Unarmed(), done(2)), REPLACED),
        ((*BEGUN, done(1, Status.INTERRUPTED), Unarmed(), done(2)), REPLACED),
        ((*BEGUN, done(7)), None),
        ((*BEGUN, done(1), DOWN), REPLACED),
        (
            (*BEGUN, done(1, Status.UNSUPPORTED)),
            UpdateEnd("failed", f"{ANSWER} UNSUPPORTED: so it is"),
        ),
        (
            (*BEGUN, DOWN, up(), done(1, Status.FORGOTTEN), Unarmed(), done(2, Status.REFUSED)),
            UpdateEnd(
                "failed",
                f"{ANSWER} REFUSED: so it is{PERHAPS}",
            ),
        ),
        (
            (up(test_slot=True),),
            UpdateEnd(
                "failed",
                "its new firmware is on trial: confirm the update, or wait 120 s until it reverts",
            ),
        ),
    ],
)
def test_each_result_ends_it_or_sends_it_again(
    events: tuple[LinkEvent, ...], ended: UpdateEnd | None
) -> None:
    assert course(*events).ended == ended


def test_a_device_that_does_not_answer_fails_in_time() -> None:
    for events in ((), BEGUN):
        found = course(*events)
        limit, text = LIMITS[found.phase]
        assert found.deadline == limit
        found.tick(limit - 0.1)
        assert found.ended is None
        found.tick(limit)
        assert found.ended == UpdateEnd("failed", text)


class TestFiles:
    def test_a_key_file_is_read_back(self, tmp_path: Path) -> None:
        path = tmp_path / "next.pub.signed"
        path.write_bytes(serialize(signed()))
        assert read_maker_key(path) == signed()
        assert signed().signed_by(public_key(ROOT))
        assert not signed().signed_by(public_key(MAKER))
        assert signed().action == MakerKey(1, public_key(NEXT), signed().signature)

    def test_a_person_can_read_the_file(self) -> None:
        first, second = serialize(signed()).splitlines()
        assert first == b"TSL/1 maker key"
        assert json.loads(second) | {"signature": ""} == {
            "class": "display",
            "hardware": "sim",
            "generation": 1,
            "key": public_key(NEXT).hex(),
            "signature": "",
        }

    @pytest.mark.parametrize("place", range(0, len(serialize(signed()))))
    def test_one_changed_byte_of_a_key_file_is_found(self, place: int) -> None:
        content = bytearray(serialize(signed()))
        content[place] ^= 1
        try:
            found = parse(bytes(content))
        except ValueError:
            return
        assert not found.signed_by(public_key(ROOT))

    @pytest.mark.parametrize(
        ("content", "fault"),
        [
            (b"", "not a maker's key: it must begin with 'TSL/1 maker key'"),
            (FIRST_LINE, "its second line must end within 1000 bytes"),
            (FIRST_LINE + b"{}\n", "it is not signed"),
            (serialize(signed()) + b"!", "1 bytes follow its second line: allowed are none"),
            (serialize(signed()).replace(b": 1,", b": 0,"), "generation 0: allowed are 1 to 4294967295"),
            (serialize(signed()).replace(b": 1,", b': "1",'), "generation = '1': must be a whole number"),
            (serialize(signed()).replace(b'"key": "', b'"key": "ab'), "key of 33 bytes: must have 32"),
            (serialize(signed()).replace(b'"sim"', b'"simulators no 7"'), "must have 1 to 12 bytes"),
        ],
    )
    def test_a_fault_of_a_key_file_names_file_and_field(
        self, content: bytes, fault: str, tmp_path: Path
    ) -> None:
        path = tmp_path / "next.pub.signed"
        path.write_bytes(content)
        with pytest.raises(SignedFileFault) as raised:
            read_maker_key(path)
        assert str(raised.value).startswith(f"{path}: ")
        assert fault in str(raised.value)

    @pytest.mark.parametrize("generation", [0, -1, MOST_U32 + 1])
    def test_a_generation_out_of_bounds_is_not_signed(self, generation: int) -> None:
        with pytest.raises(ValueError, match=f"generation {generation}: allowed are 1 to"):
            signed(generation)
