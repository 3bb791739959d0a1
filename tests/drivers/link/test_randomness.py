"""The provisioning record in its file."""

from pathlib import Path

from drivers.sim.link.randomness import DeviceRandom, ProvisioningFile
from tests.drivers.link.rig import KEY


def test_a_record_goes_on_where_it_was(tmp_path: Path) -> None:
    path, nonces = tmp_path / "record", set()
    for boots in range(1, 6):
        record = ProvisioningFile(path, KEY)
        nonces.add(DeviceRandom(record).nonce())
        assert record.boots == boots
        assert path.stat().st_mode & 0o777 == 0o600
    assert len(nonces) == 5


def test_another_key_is_provisioned_anew(tmp_path: Path) -> None:
    path = tmp_path / "record"
    first = ProvisioningFile(path, KEY)
    DeviceRandom(first)
    other = ProvisioningFile(path, bytes(reversed(KEY)))
    assert (other.boots, other.seed == first.seed) == (0, False)


def test_a_damaged_record_is_provisioned_anew_with_another_seed(tmp_path: Path) -> None:
    path, seeds = tmp_path / "record", set()
    for damage in ("", "no json", "{}", '{"key": "", "boots": 1, "seed": "00"}', "[1]"):
        path.write_text(damage)
        record = ProvisioningFile(path, KEY)
        assert record.boots == 0
        seeds.add(record.seed)
    assert len(seeds) == 5
