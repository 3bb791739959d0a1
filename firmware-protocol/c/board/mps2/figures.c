#include "figures.h"

#include <string.h>

#include "alarm.h"
#include "stack.h"
#include "tsl_device.h"

#ifndef BOARD_FIGURES

bool figures_ask(const char *request, struct line *answer)
{
    (void)request;
    (void)answer;
    return false;
}

#else

/* Of the calls since the last question; the time of a call that another one makes counts once. */
static struct {
    uint64_t cycles;
    uint64_t longest; /* of one call */
    uint32_t depth;
    uint32_t calls;
    uint32_t nested;
} all;

struct measure {
    uint64_t begun;
    uint32_t mark;
};

static struct measure begin(void)
{
    if (all.nested++ == 0)
        stack_paint();
    return (struct measure){.begun = clock_cycles()};
}

static void end(const struct measure *measure, const void *from)
{
    const uint64_t cycles = clock_cycles() - measure->begun;
    if (--all.nested > 0)
        return;
    const uint32_t depth = stack_depth(from);
    all.cycles += cycles;
    all.calls++;
    if (cycles > all.longest)
        all.longest = cycles;
    if (depth > all.depth)
        all.depth = depth;
}

void __real_tsl_device_feed(struct tsl_device *device, const uint8_t *bytes, size_t size, uint64_t now);
void __real_tsl_device_tick(struct tsl_device *device, uint64_t now);
void __real_tsl_device_speak(struct tsl_device *device, uint64_t now);
void __real_tsl_device_record(struct tsl_device *device, tsl_Event event, uint64_t now);

void __wrap_tsl_device_feed(struct tsl_device *device, const uint8_t *bytes, size_t size, uint64_t now)
{
    const struct measure measure = begin();
    __real_tsl_device_feed(device, bytes, size, now);
    end(&measure, __builtin_frame_address(0));
}

void __wrap_tsl_device_tick(struct tsl_device *device, uint64_t now)
{
    const struct measure measure = begin();
    __real_tsl_device_tick(device, now);
    end(&measure, __builtin_frame_address(0));
}

void __wrap_tsl_device_speak(struct tsl_device *device, uint64_t now)
{
    const struct measure measure = begin();
    __real_tsl_device_speak(device, now);
    end(&measure, __builtin_frame_address(0));
}

void __wrap_tsl_device_record(struct tsl_device *device, tsl_Event event, uint64_t now)
{
    const struct measure measure = begin();
    __real_tsl_device_record(device, event, now);
    end(&measure, __builtin_frame_address(0));
}

bool figures_ask(const char *request, struct line *answer)
{
    if (strcmp(request, "figures") != 0)
        return false;
    line_add(answer, "{\"cycles\": %llu, \"longest\": %llu, \"calls\": %llu, \"stack\": %llu}\n",
             (unsigned long long)all.cycles, (unsigned long long)all.longest, (unsigned long long)all.calls,
             (unsigned long long)all.depth);
    memset(&all, 0, sizeof all);
    return true;
}

#endif
