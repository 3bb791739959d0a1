/* The device's half of the handshake (section 6.1 of ../../README.md). */
#ifndef TSL_GREETING_H
#define TSL_GREETING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsl_frame.h"
#include "tsl_message.h"
#include "tsl_port.h"

struct tsl_payload {
    uint8_t bytes[TSL_LONGEST_MESSAGE];
    uint8_t size;
};

/* At most one handshake is pending; a new Hello takes its place and ends nothing else. */
struct tsl_greeting {
    const struct tsl_port *port;
    const uint8_t *key; /* 32 zero bytes where nothing is sealed */
    bool sealed;
    bool pending;
    struct tsl_payload hello;  /* the host's, as it came */
    struct tsl_payload answer; /* ours to it */
    uint8_t host_nonce[TSL_NONCE];
    uint8_t transcript[TSL_HASH];
    uint64_t since;
    bool installed;
    struct tsl_payload proof;        /* that installed the session, as it came */
    struct tsl_payload proof_answer; /* ours to it */
};

enum tsl_greeted {
    TSL_NOT_FOR_US,   /* nothing is to be said */
    TSL_ANSWERED,     /* say what is in `says` */
    TSL_BEGINS,       /* say it, and install a session with T in `transcript` */
    TSL_PROVED_WRONG, /* say it, and tell of tamper: somebody has another key */
};

void tsl_greeting_init(struct tsl_greeting *greeting, const struct tsl_port *port, const uint8_t key[TSL_KEY],
                       bool sealed);

/* Step 2 or a Refuse, in `says`. `own` describes the device; seal, nonce and echo are filled in. */
enum tsl_greeted tsl_greeting_hello(struct tsl_greeting *greeting, const tsl_Hello *hello,
                                    const struct tsl_frame *frame, const tsl_Hello *own, uint64_t now,
                                    struct tsl_payload *says);

/* Step 4 or a Refuse, in `says`. */
enum tsl_greeted tsl_greeting_proof(struct tsl_greeting *greeting, const tsl_Proof *proof,
                                    const struct tsl_frame *frame, struct tsl_payload *says);

/* The session is over: its Proof is worth nothing any more. */
void tsl_greeting_forget(struct tsl_greeting *greeting);

extern const uint8_t TSL_SCHEMA[TSL_ID];

#endif
