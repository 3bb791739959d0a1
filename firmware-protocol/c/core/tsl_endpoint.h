/* One end of a link: from bytes to messages and back, time-outs, the end of a session. What messages mean is
 * the owner's. */
#ifndef TSL_ENDPOINT_H
#define TSL_ENDPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsl_codes.h"
#include "tsl_message.h"
#include "tsl_session.h"

/* A message of the host. A stray one belongs to a session that we do not have; of any but a READ one only the
 * frame counts. */
struct tsl_received {
    const struct tsl_frame *frame; /* its payload in clear */
    enum tsl_reading reading;
    bool stray;
    const tsl_Frame *message;
};

struct tsl_owner {
    void *self;
    void (*received)(void *self, const struct tsl_received *received, uint64_t now);
    void (*ended)(void *self, enum tsl_end end, uint64_t now);
    struct tsl_vitals (*vitals)(void *self);
};

struct tsl_endpoint {
    const struct tsl_port *port;
    struct tsl_owner owner;
    struct tsl_counters counters;
    struct tsl_deframer deframer;
    bool sealed; /* its sessions are, and it heeds no clear frame but handshakes */
    bool installed;
    struct tsl_session session;
    uint64_t ran;
};

void tsl_endpoint_start(struct tsl_endpoint *endpoint, const struct tsl_port *port, const struct tsl_owner *owner,
                        bool sealed, uint64_t now);

/* A fresh session; the keys are NULL where nothing is sealed. */
void tsl_endpoint_install(struct tsl_endpoint *endpoint, const uint8_t *key_out, const uint8_t *key_in, uint64_t now);

/* Forgets the session without a word, and counts why. */
void tsl_endpoint_drop(struct tsl_endpoint *endpoint, enum tsl_end end);

/* Says Bye if a session is up, and forgets it. */
void tsl_endpoint_end(struct tsl_endpoint *endpoint, enum tsl_bye reason, enum tsl_end end, const char *text,
                      uint64_t now);

/* How many more messages `send` takes now. */
size_t tsl_endpoint_room(const struct tsl_endpoint *endpoint);

/* All that was sent is acknowledged. */
bool tsl_endpoint_idle(const struct tsl_endpoint *endpoint);

/* For how many further messages the owner has room; promises already made stand. */
void tsl_endpoint_offer(struct tsl_endpoint *endpoint, size_t room);

/* Says it on channel 0, before all else and once. Without a session only handshakes go out. */
void tsl_endpoint_control(struct tsl_endpoint *endpoint, const uint8_t *payload, size_t size);

/* Queues a message for channels 1 to 3; false: no session, no room, or too long. */
bool tsl_endpoint_send(struct tsl_endpoint *endpoint, enum tsl_channel channel, bool critical, const uint8_t *payload,
                       size_t size);

/* Bytes came. */
void tsl_endpoint_feed(struct tsl_endpoint *endpoint, const uint8_t *bytes, size_t size, uint64_t now);

/* Lets time-outs happen. */
void tsl_endpoint_tick(struct tsl_endpoint *endpoint, uint64_t now);

/* Writes all that is to be written now. */
void tsl_endpoint_speak(struct tsl_endpoint *endpoint, uint64_t now);

/* When `tick` and `speak` must run at the latest; TSL_NO_DEADLINE without a session. */
uint64_t tsl_endpoint_deadline(const struct tsl_endpoint *endpoint, uint64_t now);

#endif
