#include "verbs.h"

#include <string.h>

static const double HOUR = 3600.0, MICROSECONDS = 1e6;

/* So many seconds from now. */
static uint64_t until(const struct unit *unit, double seconds)
{
    return unit->now + (uint64_t)(seconds * MICROSECONDS);
}

static enum tsl_reset reset_of(struct request *request)
{
    static const char *const words[] = {"", "power", "watchdog", "software", "brown-out"};
    const char *word = request_text(request, "reset", "power");
    for (int reset = TSL_RESET_POWER; reset <= TSL_RESET_BROWN_OUT; reset++)
        if (strcmp(words[reset], word) == 0)
            return (enum tsl_reset)reset;
    request_refuse(request, "reset: must be one of power, watchdog, software, brown-out");
    return TSL_RESET_POWER;
}

static void reboot(struct unit *unit, struct request *request, struct line *answer)
{
    const double boot = (double)unit->settings->tempo.boot / MICROSECONDS;
    const double seconds = request_number(request, "seconds", 0, HOUR, boot);
    const enum tsl_reset reset = reset_of(request);
    (void)answer;
    request_close(request);
    if (request_good(request))
        unit_restart(unit, reset, (uint64_t)(seconds * MICROSECONDS));
}

static void hang_up(struct unit *unit, struct request *request, struct line *answer)
{
    const double seconds = request_number(request, "seconds", 0, HOUR, 1);
    (void)answer;
    request_close(request);
    if (!request_good(request))
        return;
    unit->unplugged_until = until(unit, seconds);
    unit_say(unit, "cable", "\"plugged\": false");
}

static void freeze(struct unit *unit, struct request *request, struct line *answer)
{
    const double seconds = request_number(request, "seconds", 0, HOUR, 1);
    (void)answer;
    request_close(request);
    if (request_good(request))
        unit->frozen_until = until(unit, seconds);
}

static void format(struct unit *unit, struct request *request, struct line *answer)
{
    (void)answer;
    request_close(request);
    if (!unit->powered)
        request_refuse(request, "format: the device is off");
    if (!request_good(request))
        return;
    unit_restart(unit, TSL_RESET_POWER, 0);
    unit->machine.forget(unit->machine.self);
    unit->formats = true;
}

static void count(struct unit *unit, struct request *request, struct line *answer)
{
    const struct tsl_counters *counters = &unit->device.endpoint.counters;
    request_close(request);
    line_add(answer, ", \"in\": {\"passed\": %u}, \"out\": {\"passed\": %u}", counters->frames_in,
             counters->frames_out);
}

/* Somebody copies the provisioning record back as it was before the last boot. */
static void rewind_record(struct unit *unit, struct request *request, struct line *answer)
{
    (void)answer;
    request_close(request);
    if (!request_good(request))
        return;
    if (provisioning_file_rewind(&unit->provisioning_file))
        unit_restart(unit, TSL_RESET_POWER, 0);
    else
        request_refuse(request, "rewind: there is no record before this one");
}

static void door(struct unit *unit, struct request *request, struct line *answer)
{
    const double which = request_number(request, "which", 1, MOST_DOORS, 1);
    const bool open = request_flag(request, "open");
    (void)answer;
    request_close(request);
    if (request_good(request))
        enclosure_move_door(&unit->enclosure, (unsigned)which, open);
}

static void open_case(struct unit *unit, struct request *request, struct line *answer)
{
    (void)answer;
    request_close(request);
    if (request_good(request))
        enclosure_open_case(&unit->enclosure);
}

static const struct {
    const char *name;
    void (*run)(struct unit *unit, struct request *request, struct line *answer);
} VERBS[] = {{"reboot", reboot}, {"hang-up", hang_up}, {"freeze", freeze},  {"format", format},
             {"counts", count},  {"door", door},       {"case", open_case}, {"rewind", rewind_record}};

bool unit_verb(struct unit *unit, const char *verb, struct request *request, struct line *answer)
{
    for (size_t place = 0; place < sizeof VERBS / sizeof VERBS[0]; place++)
        if (strcmp(VERBS[place].name, verb) == 0) {
            VERBS[place].run(unit, request, answer);
            return true;
        }
    return false;
}
