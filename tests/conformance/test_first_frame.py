"""The claims of first-frame.md: its vectors and checks exist, and its bytes are those of a vector."""

import hashlib
import hmac
import re

from drivers.conformance.checks import checks_of
from drivers.protocol.codes import DeviceClass

from .vectors import CONTRACT, VECTORS, load

TEXT = (CONTRACT / "first-frame.md").read_text("utf-8")
STEPS = re.split(r"^## \d+\. ", TEXT, flags=re.MULTILINE)[1:]
ROW = re.compile(r"^\| ((?:[0-9a-f]{2}|\.\.)(?: (?:[0-9a-f]{2}|\.\.))*) \|", re.MULTILINE)
VALUE = re.compile(r"^\| ([^|]+) \| [^|]+ \| ([0-9a-f]{2}(?: [0-9a-f]{2}){31}) \|$", re.MULTILINE)


def _bytes(row: str) -> bytes:
    """ "a0 a1 .. af" stands for a0 to af."""
    out: list[int] = []
    words = row.split()
    for place, word in enumerate(words):
        out += range(out[-1] + 1, int(words[place + 1], 16)) if word == ".." else [int(word, 16)]
    return bytes(out)


def test_each_step_names_vectors_that_exist() -> None:
    known = {vector["name"] for path in VECTORS.glob("*.jsonl") for vector in load(path.stem)}
    files = {path.name for path in VECTORS.glob("*.jsonl")}
    for step in STEPS:
        (line,) = [line for line in step.splitlines() if line.startswith("- Vectors: ")]
        named = set(re.findall(r"`([^`]+)`", line))
        assert named
        assert named <= known | files


def test_each_step_names_one_check_of_a_shoe() -> None:
    known = {check.name for check in checks_of(DeviceClass.SHOE)}
    named = [re.findall(r"^- Check: `--only ([a-z.-]+)`$", step, re.MULTILINE) for step in STEPS]
    assert [len(names) for names in named] == [1] * len(STEPS)
    assert {name for names in named for name in names} <= known


def test_the_bytes_of_the_hello_are_those_of_the_vector() -> None:
    (vector,) = [vector for vector in load("device-handshake") if vector["name"] == "device-hello-same"]
    stated = b"".join(map(_bytes, ROW.findall(TEXT)))
    assert stated.hex() == vector["steps"][0]["says"][0]["payload"]
    assert f"These are the {len(stated)} bytes" in TEXT.replace("\n", " ")


def test_the_values_of_the_proofs_are_those_of_the_vector() -> None:
    (vector,) = [vector for vector in load("proofs") if vector["name"] == "proof-key-none"]
    whole, key = bytes.fromhex(vector["transcript"]), bytes.fromhex(vector["key"])
    mixed, second = _hmac(key, b"TSL/1 mix\1"), hashlib.sha256(b"TSL/1 shares" + whole).digest()
    extracted = _hmac(second, mixed)
    expected = {
        "T": whole,
        "K_proof": _hmac(key, b"TSL/1 proof\1"),
        "mac of the host": bytes.fromhex(vector["host_mac"]),
        "T2": second,
        "K_mix": mixed,
        "P": extracted,
        "confirm": _hmac(extracted, b"TSL/1 confirm\1"),
        "mac of the device": bytes.fromhex(vector["device_mac"]),
    }
    assert {name: bytes.fromhex(value) for name, value in VALUE.findall(TEXT)} == expected


def _hmac(key: bytes, content: bytes) -> bytes:
    return hmac.digest(key, content, "sha256")
