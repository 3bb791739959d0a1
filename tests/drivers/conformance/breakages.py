"""Ways to break the sample device in C, and the checks that must find each, and no other of their groups."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Breakage:
    """In `file`, below firmware-protocol/c, `old` becomes `new`; of the checks of `groups`, and of the rules
    that hold always, those that fail are `found`."""

    name: str
    file: str
    old: str
    new: str
    groups: tuple[str, ...]
    found: tuple[str, ...]


BREAKAGES = (
    Breakage(
        "crc-unread", "core/tsl_frame.c",
        "!= tsl_crc32c(run, checked))", "!= tsl_crc32c(run, checked) && size == 0)",
        ("frames",), ("frames.crc",),
    ),
    Breakage(
        "any-version", "core/tsl_frame.c",
        "if (run[0] >> 4 != VERSION)", "if (run[0] >> 4 == 0)",
        ("frames",), ("frames.version",),
    ),
    Breakage(
        "restarts-in-the-middle", "core/tsl_frame.c",
        "deframer->overrun = true;", "deframer->size = 0;",
        ("frames",), ("frames.too-long",),
    ),
    Breakage(
        "any-acknowledgement", "core/tsl_sender.c",
        "if (gone > sender->flights.count)\n        return false;",
        "if (gone > sender->flights.count)\n        return true;",
        ("link",), ("link.bad-acknowledgement",),
    ),
    Breakage(
        "naks-without-end", "core/tsl_receiver.c",
        "if (!receiver->complained)", "if (receiver->counters != NULL)",
        ("link",), ("link.nak",),
    ),
    Breakage(
        "repeats-unacknowledged", "core/tsl_receiver.c",
        "duplicates++;\n        owe(receiver, now);", "duplicates++;",
        ("link",), ("link.duplicate",),
    ),
    Breakage(
        "credit-unheeded", "core/tsl_sender.c",
        "if (sender->flights.count >= sender->allowed)", "if (sender->flights.count >= TSL_WINDOW)",
        ("link",), ("link.credit", "link.credit-zero"),
    ),
    Breakage(
        "never-gives-up", "core/tsl_sender.c",
        "->sends >= TSL_MOST_SENDS;", "->sends >= 200;",
        ("link",), ("link.gives-up",),
    ),
    Breakage(
        "repeats-unmarked", "core/tsl_sender.c",
        "queued->flags |= TSL_RETRANSMIT;", "",
        ("link",), ("link.nak-heeded", "link.retransmission", "always.repeats"),
    ),
    Breakage(
        "proof-installs-again", "core/tsl_greeting.c",
        "*says = greeting->proof_answer;\n        return TSL_ANSWERED;",
        "*says = greeting->proof_answer;\n        return TSL_BEGINS;",
        ("handshake",), ("always.promises", "always.sealed", "handshake.proof-repeated"),
    ),
    Breakage(
        "four-bytes-of-mac", "core/tsl_greeting.c",
        "tsl_same(proof->mac.bytes, mac, TSL_HASH)", "tsl_same(proof->mac.bytes, mac, 4)",
        ("handshake",), ("always.sealed", "handshake.bad-mac"),
    ),
    Breakage(
        "mac-of-any-length", "core/tsl_greeting.c",
        "proof->mac.size == TSL_HASH && tsl_same(proof->mac.bytes, mac, TSL_HASH)",
        "tsl_same(proof->mac.bytes, mac, proof->mac.size)",
        ("handshake",), ("always.sealed", "handshake.short-mac"),
    ),
    Breakage(
        "hello-disarms", "core/tsl_device.c",
        "describe(device, &own);", "describe(device, &own);\n    tsl_orders_stop(&device->orders, now);",
        ("handshake",), ("handshake.hello-ends-nothing",),
    ),
    Breakage(
        "lengths-the-other-way", "core/tsl_proof.c",
        "tsl_put_u16(lengths[0], (uint16_t)host_size);", "tsl_put_u16(lengths[0], (uint16_t)device_size);",
        ("handshake",), ("handshake.session",),
    ),
    Breakage(
        "answers-every-stray", "core/tsl_device.c",
        "if (now < device->stray_quiet_until)", "if (now < 1)",
        ("handshake",), ("handshake.no-session",),
    ),
    Breakage(
        "counter-kept-too-soon", "core/tsl_seal.c",
        "tsl_frame_header(frame, header);", "tsl_frame_header(frame, header);\n    opener->last = counter;",
        ("sealing",), ("sealing.far-ahead", "sealing.keys"),
    ),
    Breakage(
        "replays-taken", "core/tsl_seal.c",
        "if (ahead == 0 || ahead >= HALF)", "if (ahead >= HALF)",
        ("sealing",), ("sealing.replay",),
    ),
    Breakage(
        "clear-frames-heeded", "core/tsl_endpoint.c",
        "else if (((frame->flags & TSL_SEALED) != 0) != endpoint->sealed)\n"
        "        endpoint->counters.seal++;",
        "else if ((frame->flags & TSL_SEALED) == 0 && endpoint->installed)\n"
        "        meet_in_session(endpoint, frame, now);",
        ("sealing",), ("sealing.clear-dropped",),
    ),
    Breakage(
        "no-end-of-bad-tags", "core/tsl_session.c",
        "return session->bad_tag_count == TSL_BAD_TAGS &&", "return session->bad_tag_count > TSL_BAD_TAGS &&",
        ("sealing",), ("sealing.five-bad-tags",),
    ),
    Breakage(
        "counter-twice", "core/tsl_seal.c",
        "sealer->counter++;", "sealer->counter += size > 0;",
        ("sealing",), ("always.sealed",),
    ),
    Breakage(
        "unknown-commands-unanswered", "core/tsl_device.c",
        "if (known || (received->frame->flags & TSL_CRITICAL) != 0)", "if (known)",
        ("messages",), ("messages.unknown-critical",),
    ),
    Breakage(
        "arms-without-the-events", "core/tsl_orders.c",
        "if (seen < orders->newest_at_start)", "if (seen == 0)",
        ("commands.arm-stale", "commands.arm"), ("commands.arm-stale",),
    ),
    Breakage(
        "a-recall-leaves-the-key", "core/tsl_orders.c",
        'never will be");\n    tsl_memory_end_action(orders->memory, key,',
        'never will be");\n    (void)(key,',
        ("commands.recall-never", "commands.results-kept"),
        ("commands.recall-never", "commands.results-kept"),
    ),
    Breakage(
        "commits-go-back", "core/tsl_memory.c",
        "if (number <= memory->record.committed || number", "if (number",
        ("events.commit", "events.kept"), ("events.commit",),
    ),
    Breakage(
        "the-permit-outlives-the-session", "core/tsl_orders.c",
        "orders->permit = 0;\n    orders->body->safe(orders->body->self, now);", "",
        ("shoe.permit-range", "shoe.lock", "shoe.permit-ends"), ("shoe.lock", "shoe.permit-ends"),
    ),
    Breakage(
        "no-note-before-a-card-moves", "core/tsl_device.c",
        "if (memory->record.moving) {", "if (memory->record.moving && now == 1) {",
        ("shoe.interrupted",), ("shoe.interrupted",),
    ),
)  # fmt: skip
