"""An adversary owns the wire: no schedule breaks a promise of the handshake, and each rule that is taken out
is noticed."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from drivers.link import handshake, key_schedule
from drivers.sim.link import handshake as device_handshake
from drivers.sim.link.randomness import DeviceRandom
from drivers.sim.link.slots import Slots
from tests.conformance.firmware import running
from tests.drivers.link.exploration import FirmwareDevice, PythonDevice, ViolationError, explore

SCHEDULES = 250
SCHEDULES_IN_C = 60
MUTANT_SCHEDULES = 1500

Patch = Callable[[pytest.MonkeyPatch], None]


def test_no_schedule_breaks_a_promise() -> None:
    reached = explore(PythonDevice, range(SCHEDULES))
    assert reached.ups > SCHEDULES / 10
    assert reached.replaced > 0


def test_no_schedule_breaks_a_promise_of_the_c_code() -> None:
    with running() as program:
        found = explore(lambda seed, steps: FirmwareDevice(program, seed, steps), range(SCHEDULES_IN_C))
    assert found.ups > SCHEDULES_IN_C / 10
    assert found.replaced > 0


def _constant_nonce(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(DeviceRandom, "nonce", lambda _: bytes(16))


def _constant_secret(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(DeviceRandom, "secret", lambda _: bytes(range(32)))


def _host_mac_without_share(patch: pytest.MonkeyPatch) -> None:
    def mac(key: bytes, whole: bytes, _share: bytes) -> bytes:
        return key_schedule.host_mac(key, whole, b"")

    _both(patch, "host_mac", mac)


def _device_mac_without_shares(patch: pytest.MonkeyPatch) -> None:
    def agreed(key: bytes, whole: bytes, *shares: bytes) -> key_schedule.Agreement:
        found = key_schedule.agreement(key, whole, *shares)
        return replace(found, device_mac=hashlib.sha256(key + whole).digest())

    _both(patch, "agreement", agreed)


def _repeated_proof_installs(patch: pytest.MonkeyPatch) -> None:
    proof = device_handshake.DeviceHandshake.proof

    def again(self: Any, message: Any, raw: bytes, now: float) -> Any:
        answer = proof(self, message, raw, now)
        if answer and answer.frame and answer.frame.HasField("proof"):
            return replace(
                answer, begins=True, keys=answer.keys or key_schedule.SessionKeys(bytes(32), raw[:32])
            )
        return answer

    patch.setattr(device_handshake.DeviceHandshake, "proof", again)


def _any_signer(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Slots, "trusts_key", lambda *_: True)


def _both(patch: pytest.MonkeyPatch, name: str, stand_in: object) -> None:
    for module in (handshake, device_handshake):
        patch.setattr(module, name, stand_in)


MUTANTS: dict[str, tuple[Patch, str]] = {
    "nonce constant": (_constant_nonce, "a nonce of the device in two Hellos"),
    "secret constant": (_constant_secret, "a share of the device in two sessions"),
    "host mac without share": (_host_mac_without_share, "a Proof that no host sent"),
    "device mac without shares": (_device_mac_without_shares, "a Proof that the device did not send"),
    "any signer of a maker's key": (_any_signer, "that no host brought"),
    "a repeated Proof installs": (_repeated_proof_installs, "installed twice"),
}


@pytest.mark.parametrize(("change", "found"), MUTANTS.values(), ids=MUTANTS)
def test_each_rule_that_is_taken_out_is_noticed(
    change: Patch, found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(monkeypatch)
    with pytest.raises(ViolationError, match=found):
        explore(PythonDevice, range(MUTANT_SCHEDULES))
