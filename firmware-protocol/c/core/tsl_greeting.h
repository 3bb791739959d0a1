/* The device's half of the handshake (section 6.1 of ../../README.md). */
#ifndef TSL_GREETING_H
#define TSL_GREETING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsl_crypto.h"
#include "tsl_frame.h"
#include "tsl_message.h"
#include "tsl_proof.h"
#include "tsl_random.h"

struct tsl_payload {
    uint8_t bytes[TSL_LONGEST_MESSAGE];
    uint8_t size;
};

/* At most one handshake is pending; a new Hello takes its place and ends nothing else. */
struct tsl_greeting {
    struct tsl_random *random;
    bool pending;
    struct tsl_payload hello;  /* the host's, as it came; its Proof while we compute */
    struct tsl_payload answer; /* ours to it */
    uint8_t host_nonce[TSL_NONCE];
    uint8_t transcript[TSL_HASH];
    uint64_t since;
    bool computing; /* the host has proved its key, and both multiplications are not done */
    bool has_share; /* the first of them is */
    uint8_t secret[TSL_KEY];
    uint8_t share[TSL_KEY];
    uint8_t host_share[TSL_KEY];
    struct tsl_x25519 work;
    struct tsl_session_keys keys; /* of the session that begins; the owner erases them */
    bool installed;
    struct tsl_payload proof;        /* that installed the session, as it came */
    struct tsl_payload proof_answer; /* ours to it */
};

enum tsl_greeted {
    TSL_NOT_FOR_US,   /* nothing is to be said */
    TSL_COMPUTES,     /* call tsl_greeting_work until it answers otherwise */
    TSL_ANSWERED,     /* say what is in `says` */
    TSL_BEGINS,       /* say it, and install a session with `keys` */
    TSL_PROVED_WRONG, /* say it, and tell of tamper: somebody has another key */
};

/* `random` was started. */
void tsl_greeting_init(struct tsl_greeting *greeting, struct tsl_random *random);

/* Step 2 or a Refuse, in `says`. `own` describes the device; seal, nonce and echo are filled in. */
enum tsl_greeted tsl_greeting_hello(struct tsl_greeting *greeting, const tsl_Hello *hello,
                                    const struct tsl_frame *frame, const tsl_Hello *own, uint64_t now,
                                    struct tsl_payload *says);

/* Step 4 or a Refuse, in `says`; or TSL_COMPUTES. */
enum tsl_greeted tsl_greeting_proof(struct tsl_greeting *greeting, const tsl_Proof *proof,
                                    const struct tsl_frame *frame, uint64_t now, struct tsl_payload *says);

/* So many steps of X25519 (0: all that are left), then step 4 or a Refuse in `says`, or TSL_COMPUTES. */
enum tsl_greeted tsl_greeting_work(struct tsl_greeting *greeting, uint16_t steps, struct tsl_payload *says);

/* The session is over: its Proof is worth nothing any more. */
void tsl_greeting_forget(struct tsl_greeting *greeting);

extern const uint8_t TSL_SCHEMA[TSL_ID];

#endif
