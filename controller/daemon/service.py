"""A table's process from its first check to its last word: own files, keys, journal, state, and only then a
port. What must not play is halted, and says so on its page.

A table that plays, without the command line: what reads that keeps megabytes for as long as it plays.
"""

import asyncio
import gc
import time
from importlib.metadata import version
from pathlib import Path
from resource import RLIMIT_CORE, setrlimit

import structlog

from controller.config.reading import Config, ConfigError, read
from controller.daemon.daemon import Daemon, PartError, kept
from controller.daemon.devices import Keyring, keyring
from controller.daemon.faults import FAILED, USAGE, passes, say
from controller.daemon.halted.cause import Cause, at_play, at_start, trace
from controller.daemon.halted.last_meters import last_meters
from controller.daemon.halted.page import Halted
from controller.daemon.halted.serve import HaltedError, Restart, stay
from controller.daemon.memory_tuning import frugal
from controller.daemon.notify import Notifier
from controller.daemon.web_access import pages_tls, reception
from controller.journal.errors import JournalBusy, JournalError, JournalLost, KeyUnusable
from controller.journal.journal import Journal
from controller.monitor.server.address import Address
from controller.monitor.telemetry import logs
from controller.selftest.check import Compared, CorruptError, compare
from controller.selftest.manifest import ManifestError


def run(config: Config) -> None:
    """Serve the table until SIGTERM or SIGINT.

    Raises CorruptError or ManifestError when installed files have changed, ConfigError when the key of a
    device or the certificate of the pages cannot be used, KeyUnusable when the journal's key cannot be used,
    JournalBusy when another daemon has the journal open, HaltedError when a halted table ends.
    """
    frugal()
    setrlimit(RLIMIT_CORE, (0, 0))  # a dump of this process would hold the face-down card
    restart, failed = Restart(time.monotonic), ""
    compared = compare(config.selftest.manifest)
    keys = keyring(config)
    with Address(config.web.host, config.web.port, pages_tls(config)) as page:
        while failed := _played(config, keys, compared, page, restart, failed):
            gc.unfreeze()  # what the table was before is garbage now
            compared = compare(config.selftest.manifest)
            keys = keyring(config)


def _played(
    config: Config, keys: Keyring, compared: Compared, page: Address, restart: Restart, before: str
) -> str:
    """Play until the table is stopped; returns the failure after which it restarts. `before`: the failure
    before this start."""
    try:
        journal = kept(config)
    except (JournalBusy, KeyUnusable):
        raise
    except JournalError as error:
        raise _halted(config, at_start(error), page) from error
    with journal, reception(config) as access:
        try:
            daemon = Daemon(config, keys, journal, access, page, compared, before)
        except JournalError as error:
            raise _halted(config, at_start(error), page) from error
        except Exception as error:
            raise _halted(config, at_play(error), page, error) from error
        gc.freeze()  # what is there now stays: to look through it for garbage takes 70 ms
        failed = asyncio.run(_serve(daemon, journal, config, page, restart))
        if failed:
            _let_go(journal, config, page)
        return failed


def _let_go(journal: Journal, config: Config, page: Address) -> None:
    """Close the journal so that the restart can open it; a disk that refuses even that will not recover by
    itself."""
    try:
        journal.close()
    except JournalError as error:
        raise _halted(config, at_play(error), page) from error


async def _serve(daemon: Daemon, journal: Journal, config: Config, page: Address, restart: Restart) -> str:
    try:
        await daemon.serve()
    except PartError as error:
        failed = _lost(journal) or error.__cause__ or error
        pause = restart.after(failed)
        if halted := await _stay(config, at_play(failed), page, failed, pause):
            raise halted from error
        return str(failed)
    return ""


def _lost(journal: Journal) -> JournalLost | None:
    """Whether the journal was taken away. That explains the failure, and this is the last chance to save the
    rows."""
    try:
        journal.check()
    except JournalLost as lost:
        return lost
    return None


def _halted(config: Config, cause: Cause, page: Address, failed: BaseException | None = None) -> HaltedError:
    """What to raise when somebody has ended the halted table."""
    return asyncio.run(_stay(config, cause, page, failed)) or HaltedError(cause.why)


async def _stay(
    config: Config,
    cause: Cause,
    page: Address,
    failed: BaseException | None = None,
    pause: float | None = None,
) -> HaltedError | None:
    """What to raise when a person has ended the halted table; None if the pause is over and it restarts."""
    log = structlog.get_logger("tableside.halted")
    ours = {"trace": trace(failed)} if failed and not isinstance(failed, JournalError) else {}
    log.critical(cause.title, why=cause.why, **ours)
    mirror = Path(config.journal.mirror) if config.journal.mirror else None
    meters = last_meters(Path(config.journal.path), mirror)
    table, now = config.table, time.time()
    again = None if pause is None else now + pause
    halted = Halted(table.name, table.game, version("tableside"), now, cause, meters, again)
    notifier = Notifier()
    try:
        if await stay(halted, page, notifier, pause):
            log.warning("starting anew", after=cause.why)
            return None
    finally:
        notifier.close()
    return HaltedError(f"halted: {cause.why}")


def play(config: Path) -> int:
    """Run the table of this configuration until SIGTERM or SIGINT; returns the status to end with. What was
    wrong is said."""
    with logs.logging_beside():
        return _play(config)


def _play(config: Path) -> int:
    try:
        run(read(config))
    except ConfigError as error:
        say(*error.faults)
        return FAILED if passes(error) else USAGE  # systemd starts no table again that ends with USAGE
    except CorruptError as error:
        say("own files are not those that were installed", *error.findings)
        return FAILED
    except (HaltedError, ManifestError, JournalError, OSError) as error:
        say(str(error))
        return FAILED
    return 0
