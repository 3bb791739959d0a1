/* What begins and ends with a session: both windows, heartbeats, the seal; and how its frames are written. */
#ifndef TSL_SESSION_H
#define TSL_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "tsl.pb.h"
#include "tsl_counters.h"
#include "tsl_frame.h"
#include "tsl_port.h"
#include "tsl_seal.h"
#include "tsl_window.h"

/* What the owner says in its heartbeat; none goes out while it is not `alive`. */
struct tsl_vitals {
    uint64_t committed;
    uint64_t newest;
    uint64_t cards;
    uint32_t free;
    uint32_t mode;
    uint32_t errors;
    int32_t celsius;
    bool armed;
    bool alive;
};

struct tsl_session {
    const struct tsl_port *port;
    struct tsl_counters *counters;
    struct tsl_sender sender;
    struct tsl_receiver receiver;
    bool sealed;
    struct tsl_sealer sealer;
    struct tsl_opener opener;
    uint64_t bad_tags[TSL_BAD_TAGS]; /* when the last ones came, oldest first */
    uint8_t bad_tag_count;
    uint64_t beat_due;
    uint64_t beat_heard;
    bool warned;
    uint64_t peer_us; /* what the peer's last heartbeat said, 0 before the first */
    uint64_t peer_came;
    uint32_t round_trip_us;
};

/* Writes one frame as it is, and counts it. */
void tsl_emit(const struct tsl_port *port, struct tsl_counters *counters, const struct tsl_frame *frame);

/* From the start, whatever was before. Without keys (both NULL) the session is clear. */
void tsl_session_start(struct tsl_session *session, const struct tsl_port *port, struct tsl_counters *counters,
                       const uint8_t *key_out, const uint8_t *key_in, uint64_t now);

/* The frame with its message in clear in `message`; false: a replay or a bad tag, counted. */
bool tsl_session_open(struct tsl_session *session, struct tsl_frame *frame, uint8_t message[TSL_LONGEST_MESSAGE],
                      uint64_t now);

/* So many bad tags came so fast that the session must end. */
bool tsl_session_besieged(const struct tsl_session *session, uint64_t now);

/* Checks channel and sequence, after the acknowledgement. */
bool tsl_session_accepts(struct tsl_session *session, uint8_t channel, uint16_t sequence, uint64_t now);

/* The peer lives. */
void tsl_session_beat(struct tsl_session *session, const tsl_Heartbeat *heartbeat, uint64_t now);

/* Counts a heartbeat that is overdue, once. */
void tsl_session_listen(struct tsl_session *session, uint64_t now);

/* Whether the peer is given up. */
bool tsl_session_lost(const struct tsl_session *session, uint64_t now);

/* Whether a heartbeat is due. */
bool tsl_session_beat_due(const struct tsl_session *session, uint64_t now);

/* Sends it, or lets it pass if the vitals are not those of something alive. */
void tsl_session_send_beat(struct tsl_session *session, const struct tsl_vitals *vitals, uint64_t now);

/* Writes all else that is due. */
void tsl_session_speak(struct tsl_session *session, uint64_t now);

/* Writes a frame with the acknowledgement and credit of the moment. */
void tsl_session_write(struct tsl_session *session, uint8_t flags, uint8_t channel, uint16_t sequence,
                       const uint8_t *message, uint8_t size);

/* When something is due at the latest. */
uint64_t tsl_session_deadline(const struct tsl_session *session);

#endif
