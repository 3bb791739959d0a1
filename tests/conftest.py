"""Guards around every test: no real port, no address but loopback, no leaked descriptor, no task left
running."""

import asyncio
import gc
import ipaddress
import os
import re
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress

import pytest
import pytest_asyncio
import structlog
from hypothesis import HealthCheck, settings

from controller.demo import reservations
from tests.fixtures.waiting import PATIENCE

PRETENDED = "umockdev" in os.environ.get("LD_PRELOAD", "")
"""umockdev simulates USB for this process. The sockets by which umockdev passes ioctls on are its own, and
some stay open when threads open and close devices at the same time."""
CLOSING = PATIENCE
"""Seconds in which everything that is being closed must be closed."""
PORTS_OF_A_PROCESS = 500
RESERVATION = socket.socket(socket.AF_UNIX)
REAL_PORT = re.compile(r"/dev/(tty[A-Z]+\d+|serial/|bus/usb/)")

ALONE = ("no_leftover_tasks",)
BESIDE_BROWSER = ("shared_chromium", "no_leftover_tasks_beside_browser")
"""The fixtures of a test with a loop of its own, and of one in the loop of the session."""

ANY_MACHINE = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""How long an example takes depends on how busy the machine is."""
settings.register_profile("same", ANY_MACHINE, derandomize=True)
settings.register_profile("curious", ANY_MACHINE, max_examples=500)
settings.load_profile("same")


class ForbiddenError(BaseException):
    """A test tried to reach the outside world; not an Exception, so that no supervisor can swallow it."""


def _guard(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and isinstance(arguments[0], str) and REAL_PORT.match(arguments[0]):
        raise ForbiddenError(f"a test opened the real port {arguments[0]}")
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        host = str(arguments[1][0])
        if host != "localhost" and not ipaddress.ip_address(host).is_loopback:
            raise ForbiddenError(f"a test connected to {host}")


sys.addaudithook(_guard)


def descriptors() -> dict[str, str]:
    """The open descriptors of this process, by number."""
    found = {}
    for number in os.listdir("/proc/self/fd"):  # noqa: PTH208 - twice a test, and pathlib takes longer
        try:
            found[number] = os.readlink(f"/proc/self/fd/{number}")  # noqa: PTH115 - as above
        except FileNotFoundError:
            continue  # the descriptor that listed the folder
    return found


def leaked_since(before: dict[str, str]) -> dict[str, str]:
    """What was opened since and stays open. A port that was given up while a thread opened it is closed by
    that thread, which may take its time."""
    if _opened_since(before):
        gc.collect()  # closes unreferenced descriptors; after every test it would take longer than most tests
    patience = time.monotonic() + CLOSING
    while (leaked := _opened_since(before)) and time.monotonic() < patience:
        time.sleep(0.01)
    return leaked


def _opened_since(before: dict[str, str]) -> dict[str, str]:
    fresh = {fd: what for fd, what in descriptors().items() if before.get(fd) != what}
    return {fd: what for fd, what in fresh.items() if not (PRETENDED and what.startswith("socket:"))}


@pytest.fixture(autouse=True)
def no_leaked_descriptors() -> Iterator[None]:
    """Fails a test that leaves a file, socket or pty open."""
    before = descriptors()
    yield
    leaked = leaked_since(before)
    assert not leaked, f"left open: {leaked}"


@pytest.fixture(autouse=True)
def unconfigured_log() -> None:
    """A command that an earlier test ran here may have configured one that drops warnings."""
    structlog.reset_defaults()


def pytest_configure() -> None:
    _heed_interrupts()
    _reserve_ports()


def _heed_interrupts() -> None:
    """A script starts background programs with SIGINT ignored, and every child inherits that. Tests interrupt
    what they start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _reserve_ports() -> None:
    """Tests in other processes take other ports. The name of a socket reserves these."""
    for first in reservations.PORTS[::PORTS_OF_A_PROCESS]:
        with suppress(OSError):
            RESERVATION.bind(f"\0tableside-tests-{first}")
            reservations.PORTS = range(first, first + PORTS_OF_A_PROCESS)
            return
    raise AssertionError("more processes run tests than there are ports")


def pytest_unconfigure() -> None:
    RESERVATION.close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Guards only the tests that have a loop. A loop for the others would take longer than most of them
    do."""
    for item in items:
        if isinstance(item, pytest.Function) and (marker := item.get_closest_marker("asyncio")):
            shared = marker.kwargs.get("loop_scope") == "session"
            item.fixturenames[:0] = BESIDE_BROWSER if shared else ALONE


def pytest_collection_finish() -> None:
    """What is loaded by now stays to the end: the garbage collector need not look at it again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture
async def no_leftover_tasks() -> AsyncIterator[None]:
    """Fails a test that leaves a task running."""
    async with no_task_left():
        yield


@pytest_asyncio.fixture(loop_scope="session")
async def no_leftover_tasks_beside_browser() -> AsyncIterator[None]:
    """The same for a test in the loop of the session, where the shared browser's own tasks run."""
    async with no_task_left():
        yield


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared_chromium() -> AsyncIterator[None]:
    """One browser for all tests in browsers."""
    from tests.fixtures.chromium import shared_in_this_loop  # only tests in browsers load Playwright

    async with shared_in_this_loop():
        yield


@asynccontextmanager
async def no_task_left() -> AsyncIterator[None]:
    """Raises AssertionError if a task that began in the block is left at its end. The loop itself begins
    tasks when an async generator is garbage-collected, at any time; those may end."""
    before = asyncio.all_tasks()
    yield
    leftover = asyncio.all_tasks() - before - {asyncio.current_task()}
    if closing := [task for task in leftover if type(task.get_coro()).__name__ == "async_generator_athrow"]:
        leftover -= (await asyncio.wait(closing, timeout=CLOSING))[0]
    for task in leftover:
        task.cancel()
    await asyncio.gather(*leftover, return_exceptions=True)
    assert not leftover, f"left running: {leftover}"


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fails the whole run if a test was skipped, because nobody runs a skipped test."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and reporter.stats.get("skipped") and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
