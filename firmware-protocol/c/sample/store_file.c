#define _POSIX_C_SOURCE 200809L
#include "store_file.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "tsl_crc.h"

enum { EVENTS = 1024, COPIES = 2 };

struct copy {
    uint64_t turn;
    struct tsl_record record;
    uint32_t check; /* of all before it */
};

/* What lies where in the file; only its offsets are used. */
struct layout {
    struct copy copies[COPIES];
    struct tsl_kept_result results[TSL_RESULTS + 1];
    struct tsl_kept_event events[EVENTS + TSL_SPARE_SLOTS];
};

static bool read_at(const struct store_file *file, size_t offset, void *bytes, size_t size)
{
    return pread(file->descriptor, bytes, size, (off_t)offset) == (ssize_t)size;
}

static bool write_at(const struct store_file *file, size_t offset, const void *bytes, size_t size)
{
    return pwrite(file->descriptor, bytes, size, (off_t)offset) == (ssize_t)size;
}

static size_t place_of_copy(uint64_t turn)
{
    return offsetof(struct layout, copies) + (size_t)(turn % COPIES) * sizeof(struct copy);
}

static size_t place_of_event(uint32_t slot)
{
    return offsetof(struct layout, events) + slot * sizeof(struct tsl_kept_event);
}

static size_t place_of_result(uint8_t slot)
{
    return offsetof(struct layout, results) + slot * sizeof(struct tsl_kept_result);
}

static uint32_t check_of(const struct copy *copy)
{
    return tsl_crc32c((const uint8_t *)copy, offsetof(struct copy, check));
}

/* The newer of the good copies. */
static bool load_record(void *self, struct tsl_record *record)
{
    struct store_file *file = self;
    struct copy copy;
    bool found = false;
    for (uint64_t place = 0; place < COPIES; place++) {
        if (!read_at(file, place_of_copy(place), &copy, sizeof copy) || copy.check != check_of(&copy))
            continue;
        if (found && copy.turn < file->turn)
            continue;
        found = true;
        file->turn = copy.turn;
        *record = copy.record;
    }
    return found;
}

static bool save_record(void *self, const struct tsl_record *record)
{
    struct store_file *file = self;
    struct copy copy;
    memset(&copy, 0, sizeof copy); /* what lies between its fields is checked too */
    copy.turn = file->turn + 1;
    memcpy(&copy.record, record, sizeof copy.record);
    copy.check = check_of(&copy);
    if (!write_at(file, place_of_copy(copy.turn), &copy, sizeof copy))
        return false;
    file->turn = copy.turn;
    return true;
}

static bool load_event(void *self, uint32_t slot, struct tsl_kept_event *event)
{
    return read_at(self, place_of_event(slot), event, sizeof *event);
}

static bool save_event(void *self, uint32_t slot, const struct tsl_kept_event *event)
{
    return write_at(self, place_of_event(slot), event, sizeof *event);
}

static uint64_t number_of(void *self, uint32_t slot)
{
    uint64_t number = 0;
    const size_t place = place_of_event(slot) + offsetof(struct tsl_kept_event, number);
    return read_at(self, place, &number, sizeof number) ? number : 0;
}

static bool load_result(void *self, uint8_t slot, struct tsl_kept_result *result)
{
    return read_at(self, place_of_result(slot), result, sizeof *result);
}

static bool save_result(void *self, uint8_t slot, const struct tsl_kept_result *result)
{
    return write_at(self, place_of_result(slot), result, sizeof *result);
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
