"""How each rule of firmware-protocol/README.md, section 19, is removed, and the tests that fail then."""

from dataclasses import dataclass

Change = tuple[str, str, str]
"""A file under drivers/link, a piece of it that occurs once, and its replacement."""


@dataclass(frozen=True, slots=True)
class Removal:
    """One rule at one end. `row`: the name of the simpler reading in section 19; `tests`: each must fail."""

    row: str
    changes: tuple[Change, ...]
    tests: tuple[str, ...]


def _why(name: str) -> str:
    return f"test_why.py::test_{name}"


def _host(name: str) -> str:
    return f"test_why_host.py::test_{name}"


REMOVALS = (
    Removal(
        "event numbers without a log",
        (("sim/link/memory.py", 'self._set("log", b"")', 'self._set("log", bytes(8))'),),
        (_why("event_numbers_not_tied_to_a_log_device_memory_wiped"),),
    ),
    Removal(
        "event numbers without a log",
        (("link/intake.py", "if bookmark.log != facts.log:", "if not bookmark.log:"),),
        (_host("event_numbers_without_a_log"),),
    ),
    Removal(
        "commits by another table go unnoticed",
        (("link/intake.py", "if facts.committed > bookmark.newest", "if not facts.log"),),
        (_host("commits_by_another_table_go_unnoticed"),),
    ),
    Removal(
        "`Arm` does not ask for the events",
        (("sim/link/commands.py", "if seen < self._newest_at_start:", "if seen < 0:"),),
        (_why("arm_without_checking_events"),),
    ),
    Removal(
        "`Arm` does not ask for the events",
        (("link/host_session.py", " and self.intake.committed >= self._need", ""),),
        (_host("arm_does_not_ask_for_the_events"),),
    ),
    Removal(
        "a retransmission keeps its counter",
        (
            (
                "link/seal.py",
                "        return frame.with_payload(flags, self._sealer.seal(header, frame.payload))",
                "        past, following = vars(self).setdefault('past', {}), self._sealer._counter\n"
                "        if frame.channel:\n"
                "            self._sealer._counter = past.setdefault(frame.sequence, following)\n"
                "        sealed = self._sealer.seal(header, frame.payload)\n"
                "        self._sealer._counter = max(following, self._sealer._counter)\n"
                "        return frame.with_payload(flags, sealed)",
            ),
        ),
        ("test_sealed.py::test_a_retransmission_has_a_counter_of_its_own",),
    ),
    Removal(
        "a repeated `Proof` installs again",
        (
            ("sim/link/handshake.py", "if self._installed and raw == self._installed.proof:", "if not raw:"),
            ("sim/link/handshake.py", "        self._pending = None\n        secret", "        secret"),
        ),
        (
            _why("a_repeated_proof_installs_again"),
            "test_sealed.py::test_a_repeated_proof_does_not_start_the_counters_anew",
        ),
    ),
    Removal(
        "a repeated `Proof` installs again",
        (
            (
                "link/host.py",
                "if self._session:\n            self.counters",
                "if False:\n            self.counters",
            ),
        ),
        (_host("a_repeated_proof_installs_again"),),
    ),
    Removal(
        "`EventsLost` needs a slot of the ring",
        (
            ("sim/link/memory.py", "if len(self._ring) < self.capacity:", "if self.free > 0:"),
            (
                "sim/link/memory.py",
                'self._set("newest", number)\n',
                'self._set("newest", number)\n            self._uncommitted += number not in self._ring\n',
            ),
        ),
        (_why("events_lost_takes_a_slot_of_the_ring"),),
    ),
    Removal(
        "an event is sent, then stored",
        (
            (
                "sim/link/device.py",
                "        return self._memory.store(payload, minor=minor, critical=critical)",
                "        if self._endpoint.installed and not minor:\n"
                "            self._endpoint.send_payload(Channel.EVENTS, payload, critical=critical)\n"
                "            return self._memory.newest + 1\n"
                "        return self._memory.store(payload, minor=minor, critical=critical)",
            ),
        ),
        (_why("an_event_is_sent_before_it_is_stored"),),
    ),
    Removal(
        '"permit n more" instead of "up to"',
        (
            (
                "sim/link/commands.py",
                "self._permit = record.up_to",
                "self._permit = self._memory.cards + record.up_to",
            ),
        ),
        (
            _why("a_permit_is_an_absolute_count"),
            _host("a_permit_repeated_in_a_new_session_permits_no_more_cards"),
        ),
    ),
    Removal(
        "no note before a card moves",
        (
            ("sim/link/memory.py", '        self._set("moving", 1)\n', ""),
            ("sim/link/memory.py", "if not self.moving:", "if self.moving:"),
        ),
        (_why("a_card_is_noted_before_it_moves"),),
    ),
    Removal(
        "a full ring overwrites its oldest",
        (("sim/link/memory.py", "        if oldest > self.committed:\n            return False\n", ""),),
        (_why("a_full_ring_overwrites_its_oldest"),),
    ),
    Removal(
        "credit is said once",
        (
            (
                "link/session.py",
                "receiver.expected, receiver.credit, payload",
                "receiver.expected, receiver.credit * (receiver.credit != receiver._promised), payload",
            ),
        ),
        (_why("credit_is_repeated_until_it_arrives"), _host("credit_is_said_once")),
    ),
    Removal(
        "an action is not noted as begun",
        (("sim/link/commands.py", "            self._memory.begin_action(key)\n", ""),),
        (_why("an_action_is_noted_as_begun"),),
    ),
    Removal(
        "`EventCommit` inside the window",
        (("link/routes.py", '"event_commit": (Channel.CONTROL', '"event_commit": (Channel.COMMANDS'),),
        (_why("a_commit_beyond_the_window_is_taken"),),
    ),
    Removal(
        "`EventCommit` inside the window",
        (
            (
                "link/host_session.py",
                "self._endpoint.send_control(\n                tsl.Frame(event_commit=",
                "self._endpoint.send(\n                Channel.COMMANDS, tsl.Frame(event_commit=",
            ),
        ),
        (_host("a_host_commits_across_the_window"),),
    ),
    Removal(
        "only the last 32 results, keys that need not grow",
        (
            (
                "sim/link/commands.py",
                '    if key <= self._memory.last_key:\n            return Status.FORGOTTEN, f"key',
                '    if self._memory.result(key):\n            return Status.FORGOTTEN, f"key',
            ),
            ("sim/link/memory.py", "if key <= self.last_key:", "if not key:"),
        ),
        (_why("only_the_last_32_results_keys_need_not_grow"),),
    ),
    Removal(
        "only the last 32 results, keys that need not grow",
        (("link/commands.py", "self._highest = max(self._highest, key)", "pass"),),
        (_host("keys_that_need_not_grow"),),
    ),
    Removal(
        "only the last 32 results, keys that need not grow",
        (("link/commands.py", "self._highest = key_floor(self._highest, seen)", "pass"),),
        (_host("keys_that_need_not_grow"),),
    ),
    Removal(
        "who slept reads what waited first",
        (("link/endpoint.py", "if self._session is None or slept < self.timing.slept:", "if slept >= 0:"),),
        (_why("a_side_that_slept_reads_what_waited_first"), _host("who_slept_reads_what_waited_first")),
    ),
    Removal(
        "a recall leaves the key alive",
        (("sim/link/commands.py", "        self._memory.end_action(key, *burned)\n", ""),),
        (_why("a_recall_leaves_the_key_alive"), _host("a_recall_leaves_the_key_alive")),
    ),
    Removal(
        "an unproved `Hello` ends the session",
        (
            (
                "sim/link/device.py",
                "else:\n            self._endpoint.send_control(answer)",
                "else:\n            self._endpoint.drop()\n            self._endpoint.send_control(answer)",
            ),
        ),
        (_why("an_unproved_hello_ends_the_session"),),
    ),
    Removal(
        "an unproved `Hello` ends the session",
        (
            (
                "link/host.py",
                "if self._session:\n            self.counters",
                "if False:\n            self.counters",
            ),
        ),
        (_host("an_unproved_hello_ends_the_session"),),
    ),
)
