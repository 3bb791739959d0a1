"""The process of one instance of a linked progressive, from its configuration to its end. `serve` does the
work of the command `tableside floor progressive`."""

import asyncio
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final

import nats.errors
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.errors import APIError

from controller.config import ConfigError
from controller.floor.authority.permissions import progressive_inbox
from controller.floor.connection import PROMPT, ConnectionEndedError, Servers, ServersError, connection
from controller.floor.credentials import CredentialsError
from controller.floor.lease import Lease, LeaseTerms
from controller.floor.majority import majority_answers
from controller.floor.monitoring import check_disk_writes
from controller.floor.progressive.broadcaster import Broadcaster
from controller.floor.progressive.entry_journal import EntryJournal
from controller.floor.progressive.input_stream import InputStream
from controller.floor.progressive.leader_watch import LeaderWatch
from controller.floor.progressive.log_stream import LogStream
from controller.floor.progressive.runner import Runner, Surroundings
from controller.floor.progressive.settings import ProgressiveConfig, read_progressive
from controller.floor.progressive.sightings import sighting
from controller.floor.streams import Deployment, StreamError, check_level
from controller.jackpot.books import Unbalanced
from controller.jackpot.linked.entries import LogFault
from controller.journal.errors import JournalError, KeyUnusable
from controller.journal.signing import Signer, signer
from controller.process.faults import FAILED, USAGE, is_temporary, print_faults
from controller.process.memory_dumps import forbid_memory_dumps
from controller.process.memory_tuning import limit_memory
from controller.process.notify import Notifier, Watchdog
from controller.process.tasks import run_parts, stop_event
from controller.property.subjects import PropertySubjects
from controller.selftest.check import CorruptError, compare
from controller.selftest.manifest import ManifestError
from controller.telemetry import logs
from drivers.key_files import credential

KEY: Final = "progressive.key"
"""The name of the key as a credential of systemd."""
CREDENTIALS: Final = "progressive.creds"
"""The same for what the instance signs in with."""
BEAT: Final = 1.0
"""Seconds between two looks at the journal."""
SIGNING: Final = 60.0
"""Seconds between two signatures of the journal."""
FAULTS: Final = (
    StreamError,
    ConnectionEndedError,
    LogFault,
    Unbalanced,
    ManifestError,
    JournalError,
    OSError,
)
"""What ends the service with status 1, so that systemd starts it again."""
STREAMS_PAUSE: Final = 1.0
"""Seconds between two attempts to see the streams while no server answers for them."""


class ProgressiveService:
    """All parts of an instance."""

    def __init__(self, settings: ProgressiveConfig, key: Signer, journal: EntryJournal) -> None:
        self._settings, self._key, self._journal = settings, key, journal
        self._subjects = PropertySubjects(settings.property)
        self._log = structlog.get_logger("tableside.progressive")
        self._notifier = Notifier()
        self._watchdog = Watchdog(self._notifier, time.monotonic)
        self._amounts = [PropertySubjects(name).amount(settings.level) for name in settings.announced_to()]
        self._leader = LeaderWatch(key.public)
        self._runner: Runner | None = None

    async def serve(self) -> None:
        """Serve until a signal arrives. Raises the error of a part that failed."""
        stop = stop_event()
        self._notifier.ready("Waiting for the servers")
        try:
            await run_parts((self._work(), stop.wait()))
        finally:
            self._notifier.stopping()
            self._notifier.close()
        self._log.info("stopped")

    async def _work(self) -> None:
        async with connection(self._servers(), self._connected) as client:
            await self._check_streams(client)
            await check_disk_writes(self._settings.monitors, self._ca)
            broadcaster = Broadcaster(client, self._amounts, self._key)
            runner = self._runner = self._make_runner(client, broadcaster)
            lease = self._make_lease(client, runner)
            await self._subscribe(client, runner)
            try:
                await run_parts((runner.run(), lease.run(), broadcaster.run(), self._keep(runner)))
            finally:
                await lease.release()

    def _servers(self) -> Servers:
        settings = self._settings
        name = f"progressive-{settings.level}-{settings.instance}"
        return Servers(
            tuple(settings.servers),
            name,
            progressive_inbox(settings.level),
            self._ca,
            credential(CREDENTIALS) or (Path(settings.credentials) if settings.credentials else None),
            PROMPT,
        )

    @property
    def _ca(self) -> Path | None:
        return Path(self._settings.ca) if self._settings.ca else None

    def _connected(self, connected: bool) -> None:
        if connected and self._runner:
            self._runner.connected_again()

    async def _check_streams(self, client: Client) -> None:
        """Waits while the servers do not answer. Raises StreamError."""
        settings = self._settings
        deployment = Deployment(settings.property, settings.replicas, levels=(settings.level,))
        while True:
            try:
                return await check_level(client.jetstream(), deployment)
            except (TimeoutError, nats.errors.Error, APIError) as error:
                self._log.warning("streams cannot be seen", why=repr(error))
                self._watchdog.feed_when_due()
            await asyncio.sleep(STREAMS_PAUSE)

    def _make_runner(self, client: Client, broadcaster: Broadcaster) -> Runner:
        settings, news = self._settings, asyncio.Event()
        inputs = InputStream(client, self._subjects.incoming(), settings.level, settings.pinned(), news)
        log = LogStream(client.jetstream(), self._subjects.progressive_log(settings.level))
        around = Surroundings(self._journal, log, inputs, broadcaster, news)
        return Runner(settings.instance, settings.level, around, demo=settings.demo)

    def _make_lease(self, client: Client, runner: Runner) -> Lease:
        settings = self._settings
        terms = LeaseTerms(
            wanted=runner.may_lead,
            may_follow=lambda: self._leader.is_silent() and runner.sees_log(),
            majority=partial(majority_answers, settings.servers),
        )
        key = f"progressive-{settings.level}"
        return Lease(client.jetstream(), key, settings.instance, terms, runner.lease_changed)

    async def _subscribe(self, client: Client, runner: Runner) -> None:
        """Hear what is published to the log, even if it is refused there, what tables have seen, and the
        amounts of the leader."""

        async def published(_message: Msg) -> None:
            runner.log_moved()

        async def status(message: Msg) -> None:
            state, own = runner.instance.state, self._journal.hash_at
            if seen := sighting(state, own, message.subject, message.data, message.headers):
                runner.amount_seen(seen)

        async def amount(message: Msg) -> None:
            self._leader.hear(message.subject, message.data, message.headers)

        await client.subscribe(self._amounts[0], cb=amount)
        await client.subscribe(self._subjects.progressive_log(self._settings.level), cb=published)
        await client.subscribe(self._subjects.incoming().statuses, cb=status)

    async def _keep(self, runner: Runner) -> None:
        """Look after the journal and the watchdog until cancelled. Raises JournalError."""
        signed, turns = time.monotonic(), runner.turns
        while True:
            self._journal.check()
            if time.monotonic() - signed >= SIGNING:
                self._journal.sign(time.time())
                signed = time.monotonic()
            if runner.turns != turns:
                self._watchdog.feed_when_due()
            turns = runner.turns
            self._notifier.status(_status(runner))
            await asyncio.sleep(BEAT)


def _status(runner: Runner) -> str:
    instance = runner.instance
    why = f": {instance.why}" if instance.why else ""
    return f"{instance.phase.capitalize()} at entry {instance.state.n}{why}"


def run(settings: ProgressiveConfig) -> None:
    """Serve until SIGTERM or SIGINT.

    Raises ConfigError for a key that cannot be used, ServersError or CredentialsError for servers that cannot
    be used, CorruptError or ManifestError when installed files have changed, JournalError for a journal that
    cannot be used, StreamError for streams or servers that are set up otherwise, LogFault or Unbalanced for a
    log that cannot be followed, ConnectionEndedError.
    """
    limit_memory()
    forbid_memory_dumps()
    compare("")
    key = _key(Path(settings.key))
    log = structlog.get_logger("tableside.progressive")
    with closing(EntryJournal(Path(settings.journal), Path(settings.mirror), key)) as journal:
        for sentence in journal.healed:
            log.warning("put right", what=sentence)
        asyncio.run(ProgressiveService(settings, key, journal).serve())


def _key(path: Path) -> Signer:
    """Both instances have the same key, so none is made here. Raises ConfigError."""
    chosen = credential(KEY) or path
    if not chosen.exists():
        raise ConfigError((f"key = {path}: it is not there; needed: the key that both instances have",))
    try:
        return signer(chosen)
    except KeyUnusable as error:
        raise ConfigError((str(error),)) from error


def serve(config: Path) -> int:
    """Serve with this configuration until SIGTERM or SIGINT. Prints any fault to standard error and returns
    the exit status."""
    with logs.background_logging():
        try:
            run(read_progressive(config))
        except ConfigError as error:
            print_faults(*error.faults)
            return FAILED if is_temporary(error) else USAGE  # systemd does not restart after USAGE
        except (ServersError, CredentialsError) as error:
            print_faults(str(error))
            return USAGE
        except CorruptError as error:
            print_faults("own files are not those that were installed", *error.findings)
            return FAILED
        except FAULTS as error:
            print_faults(str(error))
            return FAILED
    return 0
