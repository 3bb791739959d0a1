#define _POSIX_C_SOURCE 200809L
#include "store_file.h"

#include <fcntl.h>
#include <stddef.h>

#include "turns.h"

enum { EVENTS = 1024 };

/* What follows the record; only its offsets are used. */
struct layout {
    struct tsl_kept_result results[TSL_RESULTS + 1];
    struct tsl_kept_event events[EVENTS + TSL_SPARE_SLOTS];
};

static size_t place_of_event(uint32_t slot)
{
    return turns_size(sizeof(struct tsl_record)) + offsetof(struct layout, events) +
           slot * sizeof(struct tsl_kept_event);
}

static size_t place_of_result(uint8_t slot)
{
    return turns_size(sizeof(struct tsl_record)) + offsetof(struct layout, results) +
           slot * sizeof(struct tsl_kept_result);
}

static bool load_record(void *self, struct tsl_record *record)
{
    struct store_file *file = self;
    return turns_load(file->descriptor, record, sizeof *record, &file->turn);
}

static bool save_record(void *self, const struct tsl_record *record)
{
    struct store_file *file = self;
    return turns_save(file->descriptor, record, sizeof *record, &file->turn);
}

static bool load_event(void *self, uint32_t slot, struct tsl_kept_event *event)
{
    const struct store_file *file = self;
    return turns_read_at(file->descriptor, place_of_event(slot), event, sizeof *event);
}

static bool save_event(void *self, uint32_t slot, const struct tsl_kept_event *event)
{
    const struct store_file *file = self;
    return turns_write_at(file->descriptor, place_of_event(slot), event, sizeof *event);
}

static uint64_t number_of(void *self, uint32_t slot)
{
    const struct store_file *file = self;
    uint64_t number = 0;
    const size_t place = place_of_event(slot) + offsetof(struct tsl_kept_event, number);
    return turns_read_at(file->descriptor, place, &number, sizeof number) ? number : 0;
}

static bool load_result(void *self, uint8_t slot, struct tsl_kept_result *result)
{
    const struct store_file *file = self;
    return turns_read_at(file->descriptor, place_of_result(slot), result, sizeof *result);
}

static bool save_result(void *self, uint8_t slot, const struct tsl_kept_result *result)
{
    const struct store_file *file = self;
    return turns_write_at(file->descriptor, place_of_result(slot), result, sizeof *result);
}

bool store_file_open(struct store_file *file, const char *path)
{
    file->turn = 0;
    file->descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
    return file->descriptor >= 0;
}

struct tsl_store store_file(struct store_file *file)
{
    return (struct tsl_store){
        .self = file,
        .event_slots = EVENTS + TSL_SPARE_SLOTS,
        .load_record = load_record,
        .save_record = save_record,
        .load_event = load_event,
        .save_event = save_event,
        .number_of = number_of,
        .load_result = load_result,
        .save_result = save_result,
    };
}
