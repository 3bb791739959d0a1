"""Ways to break the sample device in C, and the checks that must find each of them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Breakage:
    """In the one file of firmware-protocol/c/core that contains `old`, it becomes `new`; of the checks of
    `groups`, and of the rules that always hold, `found` are those that fail."""

    name: str
    old: str
    new: str
    groups: tuple[str, ...]
    found: tuple[str, ...]


BREAKAGES = (
    Breakage(
        "crc-unread",
        "!= tsl_crc32c(run, checked))",
        "!= tsl_crc32c(run, checked) && size == 0)",
        ("frames",),
        ("frames.crc",),
    ),
    Breakage(
        "any-version",
        "if (run[0] >> 4 != VERSION)",
        "if (run[0] >> 4 == 0)",
        ("frames",),
        ("frames.version",),
    ),
    Breakage(
        "restarts-in-the-middle",
        "deframer->overrun = true;",
        "deframer->size = 0;",
        ("frames",),
        ("frames.too-long",),
    ),
    Breakage(
        "any-acknowledgement",
        "if (gone > sender->flights.count)\n        return false;",
        "if (gone > sender->flights.count)\n        return true;",
        ("link",),
        ("link.bad-acknowledgement",),
    ),
    Breakage(
        "naks-without-end",
        "if (!receiver->complained)",
        "if (receiver->counters != NULL)",
        ("link",),
        ("link.nak",),
    ),
    Breakage(
        "deaf-to-naks",
        "if (now >= sender->deaf_until)",
        "if (now == sender->deaf_until)",
        ("link.nak-heeded", "link.gives-up"),
        ("link.nak-heeded",),
    ),
    Breakage(
        "heeds-every-nak",
        "if (now >= sender->deaf_until)",
        "if (now > 0)",
        ("link.nak-burst",),
        ("link.nak-burst",),
    ),
    Breakage(
        "deaf-after-progress",
        "    sender->deaf_until = 0;",
        "",
        ("link.nak-next",),
        ("link.nak-next",),
    ),
    Breakage(
        "repeats-unacknowledged",
        "duplicates++;\n        owe(receiver, now);",
        "duplicates++;",
        ("link",),
        ("link.duplicate",),
    ),
    Breakage(
        "acknowledges-at-leisure",
        "if (now + TSL_ACKNOWLEDGE < receiver->due_at)\n        receiver->due_at = now + TSL_ACKNOWLEDGE;",
        "if (now + 60000 < receiver->due_at)\n        receiver->due_at = now + 60000;",
        ("link.acknowledgement", "link.order"),
        ("link.acknowledgement",),
    ),
    Breakage(
        "credit-unheeded",
        "if (sender->flights.count >= sender->allowed)",
        "if (sender->flights.count >= TSL_WINDOW)",
        ("link",),
        ("link.credit", "link.credit-zero"),
    ),
    Breakage(
        "never-gives-up", "->sends >= TSL_MOST_SENDS;", "->sends >= 200;", ("link",), ("link.gives-up",)
    ),
    Breakage(
        "repeats-unmarked",
        "queued->flags |= TSL_RETRANSMIT;",
        "",
        ("link",),
        ("link.nak-heeded", "link.retransmission", "always.repeats"),
    ),
    Breakage(
        "proof-installs-again",
        "*says = greeting->proof_answer;\n        return TSL_ANSWERED;",
        "*says = greeting->proof_answer;\n        return TSL_BEGINS;",
        ("handshake",),
        ("always.sealed", "handshake.proof-repeated"),
    ),
    Breakage(
        "four-bytes-of-mac",
        "tsl_same(proof->mac.bytes, mac, TSL_HASH)",
        "tsl_same(proof->mac.bytes, mac, 4)",
        ("handshake",),
        ("always.sealed", "handshake.bad-mac"),
    ),
    Breakage(
        "mac-of-any-length",
        "proof->mac.size == TSL_HASH && tsl_same(proof->mac.bytes, mac, TSL_HASH)",
        "tsl_same(proof->mac.bytes, mac, proof->mac.size)",
        ("handshake",),
        ("always.sealed", "handshake.short-mac"),
    ),
    Breakage(
        "late-proofs-taken",
        "if (now - greeting->since >= TSL_SAME_ANSWER)",
        "if (now - greeting->since >= 4 * TSL_SAME_ANSWER)",
        ("handshake.expired",),
        ("always.sealed", "handshake.expired"),
    ),
    Breakage(
        "one-share-for-all",
        "memcpy(random->state, next, sizeof next);",
        "memset(secret, 1, TSL_KEY);",
        ("handshake.share", "handshake.session"),
        ("handshake.share",),
    ),
    Breakage(
        "a-share-of-any-size",
        "           proof->share.size == share_size(greeting);",
        "           proof->share.size <= share_size(greeting);",
        ("handshake.share", "handshake.session"),
        ("handshake.share",),
    ),
    Breakage(
        "a-secret-of-zero",
        "good ? install(greeting, shared, says) : refuse_proof(greeting, says)",
        "install(greeting, shared, says)",
        ("handshake.share", "handshake.session"),
        ("always.sealed", "handshake.share"),
    ),
    Breakage(
        "boots-uncounted",
        "tsl_put_u64(counters, random->record.boots);",
        "tsl_put_u64(counters, 1);\n    memset(drawn, 0, sizeof drawn);",
        ("handshake.nonce-reboot", "handshake.fresh-nonce"),
        ("handshake.nonce-reboot",),
    ),
    *(
        Breakage(f"unread-{name}", old, new, ("messages.strict", "messages.unreadable"), ("messages.strict",))
        for name, old, new in (
            ("rule-3", "(seen & bit) != 0 || ", ""),
            (
                "rule-3-members",
                "row->kind == TSL_KIND_MEMBER && member",
                "row->kind == TSL_KIND_MEMBER && card",
            ),
            ("rule-4", "return field->value >> 53 == 0;", "return true;"),
            ("rule-5", "return size == row->size;", "return size <= row->size;"),
        )
    ),
    Breakage(
        "hello-disarms",
        "describe(device, &own);",
        "describe(device, &own);\n    tsl_orders_stop(&device->orders, now);",
        ("handshake",),
        ("handshake.hello-ends-nothing",),
    ),
    Breakage(
        "lengths-the-other-way",
        "tsl_put_u16(lengths[0], (uint16_t)host_size);",
        "tsl_put_u16(lengths[0], (uint16_t)device_size);",
        ("handshake",),
        ("handshake.session",),
    ),
    Breakage(
        "answers-every-stray",
        "if (now < device->stray_quiet_until)",
        "if (now < 1)",
        ("handshake",),
        ("handshake.no-session",),
    ),
    Breakage(
        "counter-kept-too-soon",
        "make_nonce(counter, nonce);\n    const size_t",
        "make_nonce(counter, nonce);\n    opener->last = counter;\n    const size_t",
        ("sealing",),
        ("sealing.far-ahead", "sealing.keys"),
    ),
    Breakage(
        "replays-taken",
        "if (ahead == 0 || ahead >= HALF)",
        "if (ahead >= HALF)",
        ("sealing",),
        ("sealing.replay",),
    ),
    Breakage(
        "clear-frames-heeded",
        "else if (((frame->flags & TSL_SEALED) != 0) != endpoint->sealed)\n"
        "        endpoint->counters.seal++;",
        "else if ((frame->flags & TSL_SEALED) == 0 && endpoint->installed)\n"
        "        meet_in_session(endpoint, frame, now);",
        ("sealing",),
        ("sealing.clear-dropped",),
    ),
    Breakage(
        "no-end-of-bad-tags",
        "return session->bad_tag_count == TSL_BAD_TAGS &&",
        "return session->bad_tag_count > TSL_BAD_TAGS &&",
        ("sealing",),
        ("sealing.five-bad-tags",),
    ),
    Breakage(
        "counter-twice",
        "sealer->counter++;",
        "sealer->counter += size > 0;",
        ("sealing",),
        ("always.sealed",),
    ),
    Breakage(
        "unknown-commands-unanswered",
        "if (known || (received->frame->flags & TSL_CRITICAL) != 0)",
        "if (known)",
        ("messages",),
        ("messages.unknown-critical",),
    ),
    Breakage(
        "arms-without-the-events",
        "if (seen < orders->newest_at_start)",
        "if (seen == 0)",
        ("commands.arm-stale", "commands.arm"),
        ("commands.arm-stale",),
    ),
    Breakage(
        "arms-with-the-newest-of-now-only",
        "if (seen < orders->newest_at_start)",
        "if (seen < newest)",
        ("commands.arm-stale", "commands.arm"),
        ("commands.arm-stale",),
    ),
    Breakage(
        "takes-any-key",
        "return key < 1 || key > most_key(orders);",
        "return key < 1 && key > most_key(orders);",
        ("commands.key-range",),
        ("commands.key-range",),
    ),
    Breakage(
        "a-recall-leaves-the-key",
        'never will be", key, 0);\n    tsl_memory_end_action(orders->memory, key,',
        'never will be", key, 0);\n    (void)(key,',
        ("commands.recall-never", "commands.results-kept"),
        ("commands.recall-never", "commands.results-kept"),
    ),
    Breakage(
        "commits-go-back",
        "if (number <= memory->record.committed || number",
        "if (number",
        ("events.commit", "events.kept"),
        ("always.counts", "events.commit"),
    ),
    Breakage(
        "any-frame-is-a-heartbeat",
        "struct tsl_session *session = &endpoint->session;\n    if (!tsl_sender_acknowledged(",
        "struct tsl_session *session = &endpoint->session;\n    session->beat_heard = now;\n"
        "    if (!tsl_sender_acknowledged(",
        ("heartbeat.lost",),
        ("heartbeat.lost",),
    ),
    Breakage(
        "sleeps-unnoticed",
        "if (!endpoint->installed || slept < TSL_SLEPT)",
        "if (endpoint->ran == now)",
        ("heartbeat.own-sleep",),
        ("heartbeat.own-sleep",),
    ),
    Breakage(
        "the-permit-outlives-the-session",
        "orders->permit = 0;\n    orders->body->safe(orders->body->self, now);",
        "",
        ("shoe.permit-range", "shoe.lock", "shoe.permit-ends"),
        ("shoe.lock", "shoe.permit-ends"),
    ),
    Breakage(
        "no-note-before-a-card-moves",
        "if (memory->record.moving) {",
        "if (memory->record.moving && now == 1) {",
        ("shoe.interrupted",),
        ("shoe.interrupted",),
    ),
)
