"""The parts of the C implementation: frames, messages, proofs, seals; and its generated files."""

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from drivers.link.frames import Deframer, WireFrame

from .bench import play
from .firmware import SOURCES, Program, UpdatableFirmwareDevice, unhex
from .vectors import CONTRACT, Vector, built, load, name_of, number

FIELDS = ("flags", "channel", "sequence", "acknowledgement", "credit")
STREAMS = load("frames", "noise", "junk", "splits", "fuzz/frames")
LAPS = 2**64
"""The C code writes -1, no counter yet, as LAPS - 1."""
CRYPTO = SOURCES / "core" / "tsl_crypto.h"
PROTOS = sorted((CONTRACT / "proto").glob("*.proto"))


@pytest.mark.parametrize("bytewise", [False, True])
def test_bytes_become_the_stated_frames_and_noise(firmware: Program, *, bytewise: bool) -> None:
    for vector in STREAMS:
        whole = bytes.fromhex("".join(vector["in"]))
        chunks = [bytes([byte]) for byte in whole] if bytewise else list(map(bytes.fromhex, vector["in"]))
        assert (vector["name"], list(_deframed(firmware, chunks))) == (vector["name"], vector["out"])


def test_a_frame_becomes_the_stated_bytes(firmware: Program) -> None:
    for vector in STREAMS:
        if vector.get("reversible"):
            frame = vector["out"][0]["frame"]
            sent = firmware.value("encode", *(frame[name] for name in FIELDS), frame["payload"])
            assert (vector["name"], sent) == (vector["name"], "".join(vector["in"]))


def test_messages_are_read_and_written(firmware: Program) -> None:
    for vector in load("messages"):
        assert firmware.ask("read", vector["payload"]) == [f"message {vector['payload']}"]


def test_strange_payloads_are_told_apart(firmware: Program) -> None:
    for vector in load("strange", "fuzz/payloads"):
        expected = vector.get("is") or f"message {built(vector['message']).SerializeToString().hex()}"
        assert (vector["name"], firmware.ask("read", vector["payload"])) == (vector["name"], [expected])


@pytest.mark.parametrize("vector", load("proofs", "sealed-proofs"), ids=name_of)
def test_the_c_transcript_macs_and_keys_match_the_vectors(vector: Vector, firmware: Program) -> None:
    secrets = (vector.get("host_secret", "-"), vector.get("device_secret", "-"))
    found = firmware.values("prove", vector["key"], vector["host_hello"], vector["device_hello"], *secrets)
    assert {name: value for name, value in found.items() if name in vector} == {
        name: vector[name] for name in found if name in vector
    }
    assert {"transcript", "host_mac", "device_mac"} <= set(vector)


@pytest.mark.parametrize("vector", load("sealed-frames"), ids=name_of)
def test_a_frame_is_sealed_and_opened(vector: Vector, firmware: Program) -> None:
    message = vector["frame"]["payload"] or "-"
    sealed = firmware.value("seal", vector["key"], number(vector["counter"]), vector["header"], message)
    assert sealed == vector["payload"]
    firmware.ask("opener", vector["key"], (number(vector["counter"]) - 1) % LAPS)
    assert _opened(firmware, vector["wire"]) == ["good", str(vector["counter"]), message]


@pytest.mark.parametrize("vector", load("opening"), ids=name_of)
def test_the_c_opener_returns_the_stated_verdicts_and_counters(vector: Vector, firmware: Program) -> None:
    firmware.ask("opener", vector["key"], LAPS - 1)
    for stated in vector["frames"]:
        expected = [stated["verdict"], str(stated["counter"] % LAPS), stated.get("message") or "-"]
        assert _opened(firmware, stated["wire"]) == expected


@pytest.mark.parametrize("vector", load("updates"), ids=name_of)
def test_the_c_code_judges_update_images_as_stated(vector: Vector, firmware: Program) -> None:
    words = (
        vector["device_class"],
        vector["hardware"],
        vector["public_key"],
        vector["payload"],
        vector["image"],
    )
    assert firmware.ask("judge", *words) == [vector["verdict"]]


@pytest.mark.parametrize("vector", load("device-update"), ids=name_of)
def test_the_c_device_follows_the_update_scripts(vector: Vector, firmware: Program) -> None:
    play(vector, UpdatableFirmwareDevice(vector, firmware))


def test_the_generated_messages_are_current(tmp_path: Path) -> None:
    folders = ["-I", str(CONTRACT / "proto"), "-D", str(tmp_path)]
    options = ["-f", str(SOURCES / "messages" / "messages.options")]
    names = [path.name for path in PROTOS]
    subprocess.run(["nanopb_generator.py", "-q", "-T", *folders, *options, *names], check=True, timeout=60)
    committed = {path.name: path.read_text() for path in (SOURCES / "messages").glob("*.pb.[ch]")}
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == committed


def test_the_core_asks_for_string_h_nanopb_and_primitives_alone(tmp_path: Path) -> None:
    """No heap, no files, no clock: what firmware without an operating system has."""
    small = ["make", "-s", "-j2", "-C", str(SOURCES), f"BUILD={tmp_path}", "small"]
    subprocess.run(small, check=True, timeout=100)
    objects = [str(path) for path in tmp_path.rglob("*.o")]
    wanted, defined = _symbols("--undefined-only", objects), _symbols("--defined-only", objects)
    primitives = set(re.findall(r"^(?:void|bool) (\w+)\(", CRYPTO.read_text(), re.MULTILINE))
    asked = {name for name in wanted - defined - primitives if not name.startswith(("pb_", "_GLOBAL_OFFSET"))}
    assert asked == {"memchr", "memcmp", "memcpy", "memmove", "memset", "strlen"}


def _symbols(which: str, objects: list[str]) -> set[str]:
    found = subprocess.run(
        ["nm", "--format=just-symbols", which, *objects], capture_output=True, text=True, check=True
    )
    return {line for line in found.stdout.splitlines() if line and not line.endswith(":")}


def _deframed(firmware: Program, chunks: Iterable[bytes]) -> Iterable[Vector]:
    firmware.ask("deframer")
    for chunk in chunks:
        for line in firmware.ask("deframe", chunk):
            yield _item(line)


def _item(line: str) -> Vector:
    kind, _, rest = line.partition(" ")
    if kind == "noise":
        return {"noise": rest.replace("_", " ")}
    *numbers, payload = rest.split()
    fields: Vector = dict(zip(FIELDS, map(int, numbers), strict=True))
    return {"frame": fields | {"payload": unhex(payload).hex()}}


def _opened(firmware: Program, wire: str) -> list[str]:
    (frame,) = Deframer().feed(bytes.fromhex(wire))
    assert isinstance(frame, WireFrame)
    (answer,) = firmware.ask("open", *(int(getattr(frame, name)) for name in FIELDS), frame.payload)
    return answer.split()
