"""A technician watches the line between a running daemon and a device, and sees sealed messages as sealed."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from drivers.ports.pty_link import SUFFIX
from tests.fixtures.process_table import ProcessTable, device
from tests.fixtures.waiting import PATIENCE
from tests.system import script

SEALED = re.compile(
    r"^[\d:.]{12} ([<>]) (control|events|commands) +S[R-][C-][N-] .* sealed: \d+ bytes, counter \d+$"
)
CLEAR = re.compile(r" (hello|proof) \(side (host|device)")


@contextmanager
def watched(port: Path) -> Iterator[subprocess.Popen[str]]:
    """The device on this port is reached through a tap that offers it under the same name."""
    real = port.with_name("real")
    for end in (SUFFIX, ""):
        port.with_name(f"{port.name}{end}").rename(f"{real}{end}")
    command = [sys.executable, "-m", "controller", "sniff", str(real), "--between", str(port)]
    try:
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as tap:
            try:
                yield tap
            finally:
                tap.kill()
    finally:
        for end in (SUFFIX, ""):
            Path(f"{real}{end}").rename(f"{port}{end}")


def test_a_table_plays_over_a_tap(house: ProcessTable) -> None:
    number = script.lay_out(house).round
    house.stop_daemon()
    with watched(house.stage.port("console")) as tap:
        house.start_daemon()
        house.until_recovered()
        script.play(house)
        assert script.lines(script.ended(house, number)) == script.LINES
        tap.send_signal(signal.SIGINT)
        shown, _ = tap.communicate(timeout=PATIENCE)
        view = house.until(lambda view: view.suspended == ("Missing: the console",))
        assert "console.port" in device(view, "console").detail
    house.until_recovered()
    check(shown.splitlines())


def check(lines: list[str]) -> None:
    frames = [line for line in lines if " sealed: " in line]
    assert all(SEALED.match(line) for line in frames)
    assert {found[1] for line in frames if (found := SEALED.match(line))} == {"<", ">"}
    assert {found[0] for line in lines if (found := CLEAR.search(line))} == {
        " hello (side host",
        " hello (side device",
        " proof (side host",
        " proof (side device",
    }
    assert not any("prompt" in line or "key (" in line for line in lines), "what is said stays between them"
    assert any(re.fullmatch(r" +[\d,]+ sealed", line) for line in lines)
