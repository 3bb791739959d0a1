/* A whole simulated device: the link's end, its memory, its power and its cable, and the machine that it is. */
#ifndef UNIT_H
#define UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "enclosure.h"
#include "flash_file.h"
#include "line.h"
#include "provisioning_file.h"
#include "pty_port.h"
#include "store_file.h"
#include "tsl_device.h"

/* All in microseconds. */
struct tempo {
    uint64_t card; /* a card on its way out */
    uint64_t shuffle;
    uint64_t check;
    uint64_t boot;
};

struct settings {
    enum tsl_class device_class;
    const char *link;
    const char *control;
    const char *memory;
    const char *serial;
    const char *stack; /* a file with the shoe's cards in order, NULL: shuffled decks */
    const char *log;   /* where the shoe lists the cards that left, NULL: nowhere */
    uint64_t seed;
    unsigned decks;
    bool sealed;
    uint8_t key[TSL_KEY];
    bool updatable;
    bool has_boot_loader; /* it has chosen the slot that runs; false: each boot does so */
    uint8_t maker[TSL_PUBLIC_KEY]; /* the public key of who signs its firmware */
    bool rooted;
    uint8_t root[TSL_PUBLIC_KEY]; /* and of who signs later ones */
    struct tempo tempo;
};

/* One class of device, above the link. Times are those of clock_now. */
struct machine {
    void *self;
    struct tsl_body body;
    /* Does what a hand wants and adds to the answer; what is wrong goes into the request. False: unknown verb. */
    bool (*ask)(void *self, const char *verb, struct request *request, struct line *answer);
    uint64_t (*deadline)(const void *self); /* TSL_NO_DEADLINE: nothing happens by itself */
    void (*tick)(void *self);
    void (*boot)(void *self);
    void (*power_off)(void *self);
    void (*look)(const void *self, struct line *line);
    void (*forget)(void *self); /* the memory was formatted */
};

struct unit {
    const struct settings *settings;
    struct store_file file;
    struct tsl_store store;
    struct tsl_memory memory;
    struct provisioning_file provisioning_file;
    struct tsl_provisioning_store provisioning;
    struct tsl_random random;
    struct flash_file flash_file;
    struct tsl_flash flash;
    struct tsl_slots slots;
    char firmware[16];
    struct tsl_identity identity;
    struct tsl_port port;
    struct tsl_device device;
    struct enclosure enclosure;
    struct machine machine;
    struct pty pty;
    struct line notices; /* since the last turn, without their times */
    bool powered;
    bool formats; /* the memory is to be formatted at the next boot */
    uint64_t born;
    uint64_t now;
    uint64_t off_until;
    uint64_t frozen_until;
    uint64_t unplugged_until;
};

/* Opens the memory; the machine is then to be set before the first turn. False: it could not, errno says why. */
bool unit_open(struct unit *unit, const struct settings *settings);

/* Lets happen what is due; call it when bytes came and at `unit_deadline`. */
void unit_turn(struct unit *unit);
uint64_t unit_deadline(const struct unit *unit);

/* Takes the notices since the last turn: whole lines. */
void unit_take_notices(struct unit *unit, struct line *lines);

/* For the control socket: what a newcomer sees, and what a request is answered. */
void unit_look(void *self, struct line *line);
void unit_ask(void *self, char *request, struct line *line);

/* For the machine: an event happened; there is something to be seen (`fields` as in JSON, without braces). */
void unit_record(struct unit *unit, const tsl_Event *event);
void unit_say(struct unit *unit, const char *notice, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Adds a notice with the time of now to a line. */
void unit_add_notice(struct line *line, uint64_t now, const char *fields);

/* The power goes, and comes again after so many microseconds. */
void unit_restart(struct unit *unit, enum tsl_reset reset, uint64_t after);

/* Whether the machine may be moved by this session. */
void unit_say_session(struct unit *unit, bool armed);

#endif
