"""The process of a table from its first check to its end.

It checks its own files, reads the keys of the devices, opens the journal and rebuilds the state before it
opens a port. A table that must not play is halted, and its clients show the reason. `play` does the work of
the command `tableside table run` without importing the command line, which would take memory while the table
plays."""

import asyncio
import gc
import time
from pathlib import Path

import structlog

from controller.config import Config, ConfigError, read
from controller.config.live import LiveConfig
from controller.daemon.daemon import Daemon, PartError, open_journal
from controller.daemon.devices import DeviceKeys, read_keys
from controller.daemon.halted.cause import HaltCause, cause_at_start, cause_in_play
from controller.daemon.halted.core import halted_core
from controller.daemon.halted.serve import HaltedError, RestartPolicy, serve_halted
from controller.daemon.web_access import open_accounts
from controller.journal.errors import JournalBusy, JournalError, JournalLost, KeyUnusable
from controller.journal.journal import Journal
from controller.process.faults import FAILED, USAGE, is_temporary, print_faults
from controller.process.hangup import ignore_hangup
from controller.process.memory_dumps import forbid_memory_dumps
from controller.process.memory_tuning import limit_memory
from controller.process.notify import Notifier
from controller.process.traces import trace
from controller.selftest.check import CorruptError, SelfTestResult, compare
from controller.selftest.manifest import ManifestError
from controller.socket.listening import socket_place
from controller.socket.results import HaltedView
from controller.telemetry import logs


def run(config: Config, path: Path | None = None) -> None:
    """Serve the table until SIGTERM or SIGINT. After SIGHUP it reads `path`, the file of the configuration.

    Raises CorruptError or ManifestError when installed files have changed, ConfigError when the key of a
    device cannot be used, KeyUnusable when the journal's key cannot be used,
    JournalBusy when another daemon has the journal open, HaltedError when a halted table ends.
    """
    limit_memory()
    forbid_memory_dumps()  # the memory contains the face-down card
    restart, failed, live = RestartPolicy(time.monotonic), "", LiveConfig(config, path)
    compared = compare(config.selftest.manifest, release=config.selftest.release)
    keys = read_keys(config)
    while failed := _play(live, keys, compared, restart, failed):
        gc.unfreeze()  # the objects of the previous table are garbage now
        compared = compare(config.selftest.manifest, release=config.selftest.release)
        keys = read_keys(config)


def _play(
    live: LiveConfig,
    keys: DeviceKeys,
    compared: SelfTestResult,
    restart: RestartPolicy,
    before: str,
) -> str:
    """Play until the table is stopped or fails.

    Returns the failure after which the table restarts; empty if it was stopped. `before` is the failure
    before this start, empty if there was none. Raises HaltedError when a halted table ends, JournalBusy and
    KeyUnusable as `run` does.
    """
    ignore_hangup()
    config = live.current
    try:
        journal = open_journal(config)
    except (JournalBusy, KeyUnusable):
        raise
    except JournalError as error:
        raise _halt(config, cause_at_start(error)) from error
    with journal, open_accounts(config) as access:
        try:
            daemon = Daemon(config, keys, journal, access, compared, before, live)
        except JournalError as error:
            raise _halt(config, cause_at_start(error)) from error
        except Exception as error:
            raise _halt(config, cause_in_play(error), error) from error
        gc.freeze()  # these objects stay; each garbage collection of them would take 70 ms
        failed = asyncio.run(_serve(daemon, journal, config, restart))
        if failed:
            _close(journal, config)
        return failed


def _close(journal: Journal, config: Config) -> None:
    """Close the journal so that the restart can open it. If that fails, halt the table: the disk will not
    recover by itself."""
    try:
        journal.close()
    except JournalError as error:
        raise _halt(config, cause_in_play(error)) from error


async def _serve(daemon: Daemon, journal: Journal, config: Config, restart: RestartPolicy) -> str:
    try:
        await daemon.serve()
    except PartError as error:
        failed = _journal_lost(journal) or error.__cause__ or error
        pause = restart.pause_after(failed)
        if halted := await _serve_halted(config, cause_in_play(failed), failed, pause):
            raise halted from error
        return str(failed)
    return ""


def _journal_lost(journal: Journal) -> JournalLost | None:
    """The error of a journal whose files were removed or replaced; else None.

    Such a loss explains the failure. This check is the last opportunity to save the rows.
    """
    try:
        journal.check()
    except JournalLost as lost:
        return lost
    return None


def _halt(config: Config, cause: HaltCause, failed: BaseException | None = None) -> HaltedError:
    """Serve the halted table until a person ends it. Returns the error to raise then."""
    return asyncio.run(_serve_halted(config, cause, failed)) or HaltedError(cause.why)


async def _serve_halted(
    config: Config,
    cause: HaltCause,
    failed: BaseException | None = None,
    pause: float | None = None,
) -> HaltedError | None:
    """Serve the halted table until a person ends it or `pause`, in seconds, is over.

    Returns the error to raise if a person ended it, None if the table has to restart.
    """
    log = structlog.get_logger("tableside.halted")
    ours = {"trace": trace(failed)} if failed and not isinstance(failed, JournalError) else {}
    log.critical(cause.title, why=cause.why, **ours)
    table, now = config.table, time.time()
    again = None if pause is None else now + pause
    halted = HaltedView(cause.title, cause.why, cause.means, cause.steps, now, again)
    core = halted_core(table.name, table.game, halted)
    notifier = Notifier()
    try:
        if await serve_halted(core, halted.why, socket_place(config), notifier, pause):
            log.warning("starting anew", after=cause.why)
            return None
    finally:
        notifier.close()
    return HaltedError(f"halted: {cause.why}")


def play(config: Path) -> int:
    """Run the table of this configuration until SIGTERM or SIGINT. Prints any fault to standard error and
    returns the exit status."""
    with logs.background_logging():
        return _exit_status(config)


def _exit_status(config: Path) -> int:
    try:
        run(read(config), config)
    except ConfigError as error:
        print_faults(*error.faults)
        return FAILED if is_temporary(error) else USAGE  # systemd does not restart after USAGE
    except CorruptError as error:
        print_faults("own files are not those that were installed", *error.findings)
        return FAILED
    except (HaltedError, ManifestError, JournalError, OSError) as error:
        print_faults(str(error))
        return FAILED
    return 0
