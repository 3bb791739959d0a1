/* The parts of a device among each other; no concern of its owner's. */
#ifndef TSL_DEVICE_PARTS_H
#define TSL_DEVICE_PARTS_H

#include "tsl_device.h"

/* For its endpoint: what the host says, the end of a session, what the heartbeat says. */
void tsl_device_hear(void *self, const struct tsl_received *received, uint64_t now);
void tsl_device_end_session(void *self, enum tsl_end end, uint64_t now);
struct tsl_vitals tsl_device_vitals(void *self);

/* Goes on with X25519 while a handshake waits for it, and answers the Proof when it is done. */
void tsl_device_compute(struct tsl_device *device, uint64_t now);

/* All of its Hello but seal, nonce and echo. */
void tsl_device_describe(const struct tsl_device *device, tsl_Hello *hello);

/* So many more attacks of a kind were seen. */
void tsl_device_tell_of_tamper(struct tsl_device *device, struct tsl_alarm *alarm, enum tsl_tamper what,
                               uint32_t times, uint64_t now);

#endif
