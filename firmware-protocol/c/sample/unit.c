#define _GNU_SOURCE
#include "unit.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "clock.h"
#include "settings.h"
#include "verbs.h"

enum { CHUNK = 4096, LONGEST_NOTICE = 256, LONGEST_PATH = 512, MICROSECONDS = 1000000, STEPS = 32 };

static void write_bytes(void *self, const uint8_t *bytes, size_t size)
{
    const struct unit *unit = self;
    pty_write(&unit->pty, bytes, size);
}

static void draw_bytes(void *self, uint8_t *bytes, size_t size)
{
    (void)self;
    while (getrandom(bytes, size, 0) != (ssize_t)size)
        continue; /* interrupted by a signal */
}

/* Beside the memory. A record of another key is provisioned anew. */
static bool open_provisioning(struct unit *unit)
{
    const struct settings *settings = unit->settings;
    struct tsl_provisioning fresh = {.sealed = settings->sealed};
    char path[LONGEST_PATH];
    memcpy(fresh.key, settings->key, TSL_KEY);
    draw_bytes(unit, fresh.seed, sizeof fresh.seed);
    unit->provisioning = provisioning_file(&unit->provisioning_file);
    return snprintf(path, sizeof path, "%s.provisioning", settings->memory) < (int)sizeof path &&
           provisioning_file_open(&unit->provisioning_file, path, &fresh);
}

/* Beside the memory. */
static bool open_slots(struct unit *unit)
{
    char path[LONGEST_PATH];
    if (snprintf(path, sizeof path, "%s.flash", unit->settings->memory) >= (int)sizeof path ||
        !flash_file_open(&unit->flash_file, path))
        return false;
    unit->flash = flash_file(&unit->flash_file);
    const struct tsl_product product = settings_product(unit->settings);
    tsl_slots_open(&unit->slots, &unit->flash, &product);
    unit->identity.slots = &unit->slots;
    return true;
}

bool unit_open(struct unit *unit, const struct settings *settings)
{
    memset(unit, 0, sizeof *unit);
    unit->settings = settings;
    unit->pty = (struct pty){settings->link, -1, -1, -1};
    unit->port = (struct tsl_port){unit, 0, write_bytes, draw_bytes, STEPS};
    const char *hardware = settings_product(settings).hardware;
    unit->identity = (struct tsl_identity){
        settings->device_class, settings->serial, hardware, unit->firmware, TSL_RESET_POWER, NULL};
    if (!store_file_open(&unit->file, settings->memory) || !open_provisioning(unit) ||
        !enclosure_open(&unit->enclosure, unit))
        return false;
    unit->store = store_file(&unit->file);
    return !settings->updatable || open_slots(unit);
}

/* Which slot starts, unless a boot loader has chosen it, and so which version runs. False: none may start. */
static bool start_slots(struct unit *unit)
{
    uint32_t version = settings_product(unit->settings).version;
    if (unit->identity.slots != NULL) {
        if (!unit->settings->has_boot_loader && !tsl_slots_start(&unit->slots))
            return false;
        version = tsl_slots_version(&unit->slots);
    }
    (void)snprintf(unit->firmware, sizeof unit->firmware, "%u.0", version);
    return true;
}

static void boot(struct unit *unit)
{
    uint8_t log[TSL_ID];
    if (!start_slots(unit)) {
        unit->off_until = TSL_NO_DEADLINE;
        return;
    }
    tsl_random_start(&unit->random, &unit->provisioning, &unit->port);
    tsl_random_log(&unit->random, log);
    tsl_memory_open(&unit->memory, &unit->store, log);
    if (unit->formats)
        tsl_memory_format(&unit->memory, log);
    unit->formats = false;
    unit->born = unit->now;
    unit->powered = true;
    tsl_device_start(&unit->device, &unit->identity, &unit->memory, &unit->machine.body, &unit->port,
                     &unit->random, 0);
    enclosure_boot(&unit->enclosure);
    unit->machine.boot(unit->machine.self);
}

static void plug(struct unit *unit)
{
    const bool plugged = unit->now >= unit->unplugged_until;
    if (plugged == (unit->pty.master >= 0))
        return;
    if (!plugged)
        pty_unplug(&unit->pty);
    else if (pty_plug(&unit->pty))
        unit_say(unit, "cable", "\"plugged\": true");
}

static uint64_t uptime(const struct unit *unit)
{
    return unit->now - unit->born;
}

void unit_restart(struct unit *unit, enum tsl_reset reset, uint64_t after)
{
    unit->machine.power_off(unit->machine.self);
    unit->powered = false;
    unit->identity.reset = reset;
    unit->off_until = unit->now + after;
}

static void run(struct unit *unit)
{
    uint8_t chunk[CHUNK];
    const size_t size = pty_read(&unit->pty, chunk, sizeof chunk);
    if (!unit->powered)
        return;
    tsl_device_feed(&unit->device, chunk, size, uptime(unit));
    tsl_device_tick(&unit->device, uptime(unit));
    unit->machine.tick(unit->machine.self);
    tsl_device_speak(&unit->device, uptime(unit));
    if (unit->device.restarts)
        unit_restart(unit, TSL_RESET_UPDATE, unit->settings->tempo.boot);
}

void unit_turn(struct unit *unit)
{
    unit->now = clock_now();
    plug(unit);
    if (!unit->powered && unit->now >= unit->off_until)
        boot(unit);
    if (unit->now >= unit->frozen_until)
        run(unit);
}

static uint64_t sooner(uint64_t due, uint64_t other, uint64_t now)
{
    return other > now && other < due ? other : due;
}

uint64_t unit_deadline(const struct unit *unit)
{
    uint64_t due = sooner(TSL_NO_DEADLINE, unit->unplugged_until, unit->now);
    if (unit->now < unit->frozen_until)
        return sooner(due, unit->frozen_until, unit->now);
    if (!unit->powered)
        return unit->off_until < due ? unit->off_until : due;
    const uint64_t link = tsl_device_deadline(&unit->device, uptime(unit));
    const uint64_t machine = unit->machine.deadline(unit->machine.self);
    if (link != TSL_NO_DEADLINE && unit->born + link < due)
        due = unit->born + link;
    return machine < due ? machine : due;
}

void unit_record(struct unit *unit, const tsl_Event *event)
{
    if (unit->powered)
        tsl_device_record(&unit->device, *event, uptime(unit));
}

void unit_say(struct unit *unit, const char *notice, const char *format, ...)
{
    char fields[LONGEST_NOTICE];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(fields, sizeof fields, format, values);
    va_end(values);
    line_add(&unit->notices, "{\"notice\": \"%s\", %s\n", notice, fields);
}

void unit_add_notice(struct line *line, uint64_t now, const char *fields)
{
    line_add(line, "%s, \"at\": %llu.%06llu}\n", fields, (unsigned long long)(now / MICROSECONDS),
             (unsigned long long)(now % MICROSECONDS));
}

/* Their times are those of now: a card is out for the table when its bytes are. */
void unit_take_notices(struct unit *unit, struct line *lines)
{
    const uint64_t now = clock_now();
    char *rest = unit->notices.bytes;
    for (char *end = NULL; unit->notices.size > 0 && (end = strchr(rest, '\n')) != NULL; rest = end + 1) {
        *end = '\0';
        unit_add_notice(lines, now, rest);
    }
    unit->notices.size = 0;
    unit->notices.bytes[0] = '\0';
}

void unit_say_session(struct unit *unit, bool armed)
{
    unit_say(unit, "session", "\"armed\": %s", armed ? "true" : "false");
}

void unit_look(void *self, struct line *line)
{
    struct unit *unit = self;
    unit->now = clock_now();
    unit->machine.look(unit->machine.self, line);
}

void unit_ask(void *self, char *text, struct line *line)
{
    struct unit *unit = self;
    struct line answer = {.size = 0};
    struct request request;
    unit->now = clock_now();
    request_read(&request, text);
    const char *verb = request_text(&request, "do", "");
    if (request_good(&request) && !unit_verb(unit, verb, &request, &answer) &&
        !unit->machine.ask(unit->machine.self, verb, &request, &answer))
        request_refuse(&request, "do: '%.40s' is unknown", verb);
    if (request_good(&request)) {
        line_add(line, "{\"ok\": true%s}\n", answer.bytes);
        return;
    }
    line_add(line, "{\"error\": ");
    line_add_text(line, request.error);
    line_add(line, "}\n");
}
