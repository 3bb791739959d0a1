"""`tableside device sniff` as a process, on ptys."""

import json
import os
import select
import signal
import subprocess
import sys
import time
import tty
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from controller.commands.app import app
from drivers.link.frames import WireFrame, encode
from drivers.ports.pty_link import PtyLink
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import Channel
from tests.fixtures.waiting import PATIENCE, until

LOCK = tsl.Frame()
LOCK.command.key = 7
LOCK.command.lock.SetInParent()
EIGHT_OF_SPADES = bytes.fromhex("05 31 44 81 B8 03 34 46")
FRAME = encode(WireFrame(4, Channel.COMMANDS, 12, 7, 8, LOCK.SerializeToString()))


@contextmanager
def device(link: Path) -> Iterator[int]:
    """The far end of a pty that `link` leads to."""
    far, near = os.openpty()
    tty.setraw(near)
    offered = PtyLink(link)
    offered.point(os.ttyname(near))
    try:
        yield far
    finally:
        offered.remove()
        os.close(far)
        os.close(near)


@contextmanager
def sniffing(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "controller", "sniff", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def refused(*arguments: str) -> Result:
    """The command, in this process, refuses to start."""
    return CliRunner().invoke(app, ["sniff", *arguments])


def said(process: subprocess.Popen[str]) -> str:
    """The next line, without its time."""
    assert process.stdout
    return process.stdout.readline().rstrip("\n").partition(" ")[2]


def ended(process: subprocess.Popen[str]) -> tuple[int, list[str], str]:
    """After Ctrl-C: status, the lines that were not read yet, complaints."""
    process.send_signal(signal.SIGINT)
    out, complaints = process.communicate(timeout=PATIENCE)
    return process.returncode, out.splitlines(), complaints


def heard_at_last(far: int, process: subprocess.Popen[str], frame: bytes = FRAME) -> str:
    """What came before it had the port open is dropped: repeats it until the command listens."""
    assert process.stdout
    end = time.monotonic() + PATIENCE
    while not select.select([process.stdout], [], [], 0.02)[0]:
        assert time.monotonic() < end, "nothing was shown"
        os.write(far, frame)
    return said(process)


def test_frames_and_noise_are_shown_and_counted(tmp_path: Path) -> None:
    with device(tmp_path / "port") as far, sniffing(str(tmp_path / "port")) as process:
        line = heard_at_last(far, process)
        assert line == "> commands  --C-    12     7+8   command: lock (key 7)"
        os.write(far, b"\0AT\r\0")
        while (line := said(process)).startswith(">"):
            continue
        assert line == "  noise     cobs, 3 bytes: 41 54 0d"
        status, lines, complaints = ended(process)
    assert (status, complaints) == (0, "")
    assert lines[0].endswith(" bytes")
    assert lines[-1] == "      1 noise: cobs"


def test_a_tap_between_device_and_daemon_shows_both_directions(tmp_path: Path) -> None:
    port, offered = tmp_path / "port", tmp_path / "offered"
    with device(port) as far, sniffing(str(port), "--between", str(offered)) as process:
        until(offered.exists)
        host = os.open(offered, os.O_RDWR | os.O_NOCTTY)
        os.write(host, FRAME)
        assert os.read(far, 100) == FRAME
        os.write(far, FRAME)
        assert os.read(host, 100) == FRAME
        assert [said(process)[0], said(process)[0]] == [">", "<"]
        status, lines, complaints = ended(process)
        os.close(host)
    assert status == 0
    assert lines == [
        f"{len(FRAME):7,} bytes to device",
        f"{len(FRAME):7,} bytes to host",
        "      2 command: lock",
    ]
    assert complaints == f"The device on {port} is offered on {offered} until Ctrl-C.\n"
    assert not offered.is_symlink()


def test_a_tap_prints_events_of_both_directions_as_json(tmp_path: Path) -> None:
    port, offered = tmp_path / "port", tmp_path / "offered"
    with device(port) as far, sniffing(str(port), "--between", str(offered), "--json") as process:
        until(offered.exists)
        host = os.open(offered, os.O_RDWR | os.O_NOCTTY)
        os.write(host, FRAME)
        assert os.read(far, 100) == FRAME
        os.write(far, FRAME + b"\0AT")
        assert len(os.read(host, 100)) == len(FRAME) + 3
        status, lines, _ = ended(process)
        os.close(host)
    events = [json.loads(line) for line in lines]
    assert (status, [event.pop("at") > 1.7e9 for event in events[:-1]]) == (0, [True] * 3)
    assert [event.pop("direction", "") for event in events] == ["to device", "to host", "to host", ""]
    assert events[0] == events[1]
    assert (events[0]["message"], events[0]["body"], events[0]["frame"]["sequence"]) == (
        "command",
        "lock",
        12,
    )
    assert events[2:] == [
        {"event": "incomplete"},
        {
            "event": "summary",
            "bytes": {"to device": len(FRAME), "to host": len(FRAME) + 3},
            "events": {"message": 2, "incomplete": 1},
        },
    ]


def test_a_commercial_shoe_and_its_orders_are_printed_as_json(tmp_path: Path) -> None:
    port, offered = tmp_path / "port", tmp_path / "offered"
    options = ("--adapter", "angel-eye-2ex", "--between", str(offered), "--json")
    with device(port) as far, sniffing(str(port), *options) as process:
        until(offered.exists)
        host = os.open(offered, os.O_RDWR | os.O_NOCTTY)
        os.write(host, b"\x06")
        assert os.read(far, 100) == b"\x06"
        os.write(far, EIGHT_OF_SPADES)
        assert os.read(host, 100) == EIGHT_OF_SPADES
        status, lines, _ = ended(process)
        os.close(host)
    order, card, summary = map(json.loads, lines)
    assert (status, order["direction"], order["event"], order["bytes"]) == (0, "to device", "order", "06")
    assert (card["direction"], card["event"], card["card"]) == ("to host", "card_drawn", "8s")
    assert summary["events"] == {"order": 1, "card_drawn": 1}


def test_a_device_that_is_unplugged_ends_it_with_a_summary(tmp_path: Path) -> None:
    with ExitStack() as plug:
        far = plug.enter_context(device(tmp_path / "port"))
        with sniffing(str(tmp_path / "port")) as process:
            heard_at_last(far, process)
            plug.close()
            out, complaints = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert out.splitlines()[-1].endswith(" command: lock")
    assert complaints.startswith(f"tableside: the device on port {tmp_path / 'port'} is gone: ")


def test_a_missing_port_is_named() -> None:
    done = refused("/nowhere/port")
    assert done.exit_code == 1
    assert done.stderr == "tableside: port /nowhere/port cannot be opened: No such file or directory\n"


def test_a_port_held_by_a_daemon_is_named(tmp_path: Path) -> None:
    with device(tmp_path / "port") as far, sniffing(str(tmp_path / "port")) as process:
        heard_at_last(far, process)
        done = refused(str(tmp_path / "port"))
    assert done.exit_code == 1
    assert done.stderr == (
        f"tableside: port {tmp_path / 'port'} cannot be opened: another process has locked it; a running "
        "daemon holds it: stop the daemon, or let it use a port that --between offers\n"
    )


@pytest.mark.parametrize("adapter", ["angel", "tsl"])
def test_an_unknown_adapter_is_named(adapter: str) -> None:
    done = refused("/nowhere", "--adapter", adapter)
    assert done.exit_code == 2
    assert (
        done.stderr == f"tableside: --adapter '{adapter}' is not allowed; allowed: angel-eye-2ex, bee-tek\n"
    )


def test_cards_of_a_commercial_shoe_are_shown(tmp_path: Path) -> None:
    with (
        device(tmp_path / "port") as far,
        sniffing(str(tmp_path / "port"), "--adapter", "angel-eye-2ex") as process,
    ):
        line = heard_at_last(far, process, EIGHT_OF_SPADES)
        status, lines, _ = ended(process)
    assert line.startswith("< ")
    assert "8s" in line
    assert status == 0
    assert lines[-1].endswith(" message")
