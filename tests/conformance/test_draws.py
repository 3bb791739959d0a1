"""What a device draws from its provisioning record, in both languages."""

from collections.abc import Callable, Iterator

import pytest

from drivers.link.key_schedule import share_of, shared_secret
from drivers.sim.link import randomness
from drivers.sim.link.randomness import DeviceRandom, Provisioning

from .firmware import Program
from .vectors import Vector, generator, load, name_of

KEY = bytes(range(32))
CONSTANT: dict[str, Callable[[int], bytes]] = {"zeros": bytes, "ones": lambda size: b"\xff" * size}
BOOTS = 50
NONCES = 40
SMALL_ORDER = (
    bytes(32),
    b"\1" + bytes(31),
    bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
    bytes.fromhex("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"),
    bytes.fromhex("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
    bytes.fromhex("edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
    bytes.fromhex("eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
)
"""Points whose product with any clamped secret is zero."""
RFC_7748 = (
    (
        "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
        "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
        "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
    ),
    (
        "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
        "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
        "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957",
    ),
)
"""Secret, point and product of section 5.2."""


@pytest.mark.parametrize("vector", load("draws"), ids=name_of)
def test_a_device_draws_what_is_stated(vector: Vector) -> None:
    bits: Iterator[str] = iter(vector["bits"])
    record = Provisioning(
        bytes.fromhex(vector["key"]),
        bytes.fromhex(vector["provisioning"]["seed"]),
        vector["provisioning"]["boots"],
    )
    for start in vector["starts"]:
        random = DeviceRandom(record, lambda _size: bytes.fromhex(next(bits)))
        assert (record.boots, record.seed.hex()) == (start["boots"], start["seed"])
        assert [getattr(random, draw["what"])().hex() for draw in start["draws"]] == _values(start)


@pytest.mark.parametrize("vector", load("draws"), ids=name_of)
def test_the_c_code_draws_what_is_stated(vector: Vector, firmware: Program) -> None:
    firmware.ask("provision", vector["key"], *vector["provisioning"].values())
    for bits in vector["bits"]:
        firmware.ask("give", bits)
    for start in vector["starts"]:
        stated = {"boots": str(start["boots"]), "seed": start["seed"]}
        assert firmware.values("random-start") == stated
        drawn = [firmware.value("random-draw", draw["what"]) for draw in start["draws"]]
        assert drawn == _values(start)


@pytest.mark.parametrize("bits", CONSTANT.values(), ids=CONSTANT)
def test_a_constant_random_source_repeats_nothing(bits: Callable[[int], bytes]) -> None:
    record = Provisioning(KEY)
    drawn: list[bytes] = []
    for _ in range(BOOTS):
        random = DeviceRandom(record, bits)
        drawn += [random.boot(), *(random.nonce() for _ in range(NONCES))]
        drawn += [random.secret() for _ in range(NONCES)]
    assert len(set(drawn)) == len(drawn)


def test_a_constant_random_source_repeats_nothing_in_c(firmware: Program) -> None:
    firmware.ask("provision", KEY, 0, bytes(32))
    drawn = []
    for _ in range(BOOTS):
        firmware.ask("random-start")
        drawn += [firmware.value("random-draw", "boot")]
        drawn += [firmware.value("random-draw", what) for what in ("nonce", "secret") for _ in range(NONCES)]
    assert len(set(drawn)) == len(drawn)


def test_a_count_of_nonces_that_is_used_up_counts_a_boot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(randomness, "MOST_NONCES", 3)
    record = Provisioning(KEY)
    random = DeviceRandom(record)
    drawn = [random.nonce() for _ in range(10)]
    assert record.boots == 4
    assert len(set(drawn)) == len(drawn)


def test_a_count_of_nonces_that_is_used_up_counts_a_boot_in_c(firmware: Program) -> None:
    firmware.ask("provision", KEY, 0, bytes(32))
    firmware.ask("random-start")
    first = firmware.value("random-draw", "nonce")
    firmware.ask("random-skips", 2**32 - 1)
    last, after = (firmware.value("random-draw", "nonce") for _ in range(2))
    assert len({first, last, after}) == 3
    record = Provisioning(KEY)
    DeviceRandom(record)
    assert after == DeviceRandom(record).nonce().hex()


def test_a_record_that_cannot_be_written_gives_no_nonce(firmware: Program) -> None:
    firmware.ask("provision", KEY, 0, bytes(32))
    firmware.ask("random-spoiled", "write")
    firmware.ask("random-start")
    assert firmware.value("random-draw", "nonce") == "-"


def test_a_record_that_cannot_be_read_leaves_no_key(firmware: Program) -> None:
    firmware.ask("provision", KEY, 7, bytes(32))
    firmware.ask("random-spoiled", "read")
    firmware.ask("random-start")
    with_key = Provisioning(KEY, bytes(32), 7)
    assert firmware.value("random-draw", "boot") != DeviceRandom(with_key).boot().hex()


@pytest.mark.parametrize(("secret", "point", "product"), RFC_7748)
def test_multiplications_match_rfc_7748(secret: str, point: str, product: str, firmware: Program) -> None:
    assert firmware.values("x25519", secret, point) == {"product": product, "steps": "306"}
    made = generator("primitives").x25519(bytes.fromhex(secret), bytes.fromhex(point))
    assert made.hex() == product


@pytest.mark.parametrize("point", SMALL_ORDER, ids=bytes.hex)
def test_points_of_small_order_make_zero(point: bytes, firmware: Program) -> None:
    assert firmware.values("x25519", KEY, point)["product"] == "-"
    assert generator("primitives").x25519(KEY, point) == bytes(32)


def test_many_multiplications_are_the_same_in_both_languages(firmware: Program) -> None:
    secret, point = KEY, share_of(KEY)
    for _ in range(200):
        product = shared_secret(secret, point)
        assert firmware.values("x25519", secret, point)["product"] == product.hex()
        secret, point = product, secret


def _values(start: Vector) -> list[str]:
    return [draw["value"] for draw in start["draws"]]
