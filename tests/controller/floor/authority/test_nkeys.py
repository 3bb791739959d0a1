"""Keys as NATS writes them."""

import base64
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from controller.floor.authority.nkeys import Nkey, NkeyError, NkeyKind, checked_public, kept_nkey

Change = Callable[[str], str]


@pytest.mark.parametrize("kind", NkeyKind)
def test_the_letters_in_front_say_what_a_key_is_for(kind: NkeyKind) -> None:
    key = Nkey.make(kind)
    letter = kind.name[0]
    assert (key.public[0], key.seed[:2], len(key.public)) == (letter, f"S{letter}", 56)
    assert Nkey.of_seed(key.seed, kind).public == checked_public(key.public, kind) == key.public
    Ed25519PublicKey.from_public_bytes(base64.b32decode(key.public)[1:33]).verify(key.sign(b"x"), b"x")


def test_a_seed_of_another_kind_is_refused() -> None:
    seed = Nkey.make(NkeyKind.ACCOUNT).seed
    with pytest.raises(NkeyError, match="not that of a key of the kind user") as caught:
        Nkey.of_seed(seed, NkeyKind.USER)
    assert seed not in str(caught.value)


@pytest.mark.parametrize(
    "changed", [lambda text: text[:-1], lambda text: "SA" + text[2:], lambda _: "", str.lower]
)
def test_a_damaged_seed_is_refused_without_repeating_it(changed: Change) -> None:
    seed = Nkey.make(NkeyKind.USER).seed
    with pytest.raises(NkeyError, match="the seed is damaged") as caught:
        Nkey.of_seed(changed(seed), NkeyKind.USER)
    assert seed[2:-2] not in str(caught.value)


def test_another_public_key_than_a_users_is_refused() -> None:
    account = Nkey.make(NkeyKind.ACCOUNT).public
    with pytest.raises(NkeyError, match=f"{account}.* is not the public key of the kind user"):
        checked_public(account, NkeyKind.USER)
    with pytest.raises(NkeyError, match="the key 'U1' is damaged"):
        checked_public("U1", NkeyKind.USER)


def test_a_kept_key_is_the_same_again_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "user.seed"
    made = kept_nkey(path, NkeyKind.USER)
    assert kept_nkey(path, NkeyKind.USER).public == made.public
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_file_that_is_not_a_key_is_named(tmp_path: Path) -> None:
    path = tmp_path / "user.seed"
    path.write_text("nothing")
    with pytest.raises(NkeyError, match=r"user\.seed: the seed is damaged"):
        kept_nkey(path, NkeyKind.USER)
    with pytest.raises(NkeyError, match=r"none\.seed cannot be read: No such file"):
        Nkey.read(tmp_path / "none.seed", NkeyKind.USER)
