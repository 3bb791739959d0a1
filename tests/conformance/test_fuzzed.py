"""Inputs found by coverage-guided fuzzing give the recorded results in both implementations."""

import pytest

from drivers.link.frames import WireFrame, encode
from tests.fuzz.vectors import FIELDS, said, values

from .firmware import Program
from .vectors import Vector, built, load, name_of

FRAMES = load("fuzz/frames")
PAYLOADS = load("fuzz/payloads")


def test_the_python_decoder_reads_the_fuzzed_lines_as_recorded() -> None:
    for vector in FRAMES:
        line = bytes.fromhex(vector["in"][0])
        assert values([line]) == vector["out"], vector["name"]
        assert values(bytes([byte]) for byte in line) == vector["out"], vector["name"]


def test_the_python_decoder_reads_the_fuzzed_payloads_as_recorded() -> None:
    for vector in PAYLOADS:
        assert said(bytes.fromhex(vector["payload"])).items() <= vector.items(), vector["name"]


def test_the_c_decoder_reads_the_fuzzed_lines_as_recorded(firmware: Program) -> None:
    for vector in FRAMES:
        firmware.ask("deframer")
        found = [line.partition(" ") for line in firmware.ask("deframe", bytes.fromhex(vector["in"][0]))]
        kinds = [rest.replace("_", " ") if kind == "noise" else "frame" for kind, _, rest in found]
        assert kinds == [item.get("noise", "frame") for item in vector["out"]], vector["name"]


@pytest.mark.parametrize("vector", PAYLOADS, ids=name_of)
def test_the_c_decoder_reads_the_fuzzed_payloads_as_recorded(vector: Vector, firmware: Program) -> None:
    message = vector["message"]
    expected = f"message {built(message).SerializeToString().hex()}" if message is not None else vector["is"]
    assert firmware.ask("read", vector["payload"]) == [expected]


def test_a_frame_is_what_its_line_says() -> None:
    frames = [
        (item["frame"], vector["in"][0]) for vector in FRAMES for item in vector["out"] if "frame" in item
    ]
    assert frames
    for frame, line in frames:
        header = {name: frame[name] for name in FIELDS}
        made = WireFrame(**header, payload=bytes.fromhex(frame["payload"]))
        assert encode(made)[1:-1].hex() in line
