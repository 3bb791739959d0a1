#include <string.h>

#include "tsl_codes.h"
#include "tsl_window.h"

static struct tsl_queued *at(struct tsl_sender *sender, const struct tsl_line_up *line, size_t place)
{
    return &sender->pool[line->places[(line->first + place) % TSL_QUEUE]];
}

static void append(struct tsl_line_up *line, uint8_t place)
{
    line->places[(line->first + line->count) % TSL_QUEUE] = place;
    line->count++;
}

static uint8_t remove_first(struct tsl_line_up *line)
{
    const uint8_t place = line->places[line->first];
    line->first = (uint8_t)((line->first + 1) % TSL_QUEUE);
    line->count--;
    return place;
}

static uint8_t free_place(const struct tsl_sender *sender)
{
    uint8_t place = 0;
    while (sender->taken[place])
        place++;
    return place;
}

static size_t on_line(const struct tsl_sender *sender, const struct tsl_queued *queued)
{
    return sender->overhead + queued->size;
}

void tsl_sender_start(struct tsl_sender *sender, uint32_t baud, size_t seal, struct tsl_counters *counters)
{
    memset(sender, 0, sizeof *sender);
    sender->counters = counters;
    sender->allowed = 1;
    sender->overhead = TSL_LINE_OVERHEAD + seal;
    tsl_round_trip_start(&sender->trip, baud);
}

size_t tsl_sender_room(const struct tsl_sender *sender)
{
    return TSL_QUEUE - (size_t)sender->queue.count - sender->bulk.count;
}

bool tsl_sender_idle(const struct tsl_sender *sender)
{
    return sender->queue.count == 0 && sender->bulk.count == 0 && sender->flights.count == 0;
}

bool tsl_sender_put(struct tsl_sender *sender, uint8_t channel, uint8_t flags, const uint8_t *payload, size_t size)
{
    if (size > TSL_LONGEST_QUEUED || tsl_sender_room(sender) == 0)
        return false;
    const uint8_t place = free_place(sender);
    struct tsl_queued *queued = &sender->pool[place];
    *queued = (struct tsl_queued){.flags = flags, .channel = channel, .size = (uint8_t)size};
    memcpy(queued->payload, payload, size);
    sender->taken[place] = true;
    append(channel == TSL_BULK ? &sender->bulk : &sender->queue, place);
    return true;
}

/* Forgets the first flights; the time of the last of them that was sent once is a sample. */
static void progress(struct tsl_sender *sender, int gone, uint64_t now)
{
    bool sampled = false;
    uint64_t sample = 0;
    tsl_round_trip_reset(&sender->trip);
    sender->since = now;
    sender->deaf_until = 0; /* the next NAK is for another frame */
    for (int left = gone; left > 0; left--) {
        const uint8_t place = remove_first(&sender->flights);
        const struct tsl_queued *queued = &sender->pool[place];
        sender->taken[place] = false;
        sender->outstanding -= on_line(sender, queued);
        if (queued->sends == 1) {
            sampled = true;
            sample = now - queued->sent_at;
        }
    }
    if (sampled)
        tsl_round_trip_sample(&sender->trip, sample);
}

bool tsl_sender_acknowledged(struct tsl_sender *sender, uint16_t acknowledgement, uint8_t credit, uint64_t now)
{
    const uint16_t oldest = (uint16_t)(sender->next - sender->flights.count);
    const int gone = (uint16_t)(acknowledgement - oldest);
    const int offered = credit < TSL_WINDOW ? credit : TSL_WINDOW;
    if (gone > sender->flights.count)
        return false;
    if (gone > 0)
        progress(sender, gone, now);
    /* Acknowledgement and credit never go back: a smaller offer leaves the larger one standing. */
    sender->allowed = sender->allowed - gone > offered ? sender->allowed - gone : offered;
    return true;
}

void tsl_sender_again(struct tsl_sender *sender, uint64_t now)
{
    if (sender->flights.count == 0)
        return;
    sender->again = true;
    sender->since = now;
    sender->deaf_until = now + TSL_NAK_INTERVAL;
    sender->failed = at(sender, &sender->flights, 0)->sends >= TSL_MOST_SENDS;
}

void tsl_sender_nak(struct tsl_sender *sender, uint64_t now)
{
    if (now >= sender->deaf_until)
        tsl_sender_again(sender, now);
}

void tsl_sender_tick(struct tsl_sender *sender, uint64_t now)
{
    if (now < tsl_sender_deadline(sender))
        return;
    sender->counters->timeouts++;
    tsl_round_trip_back_off(&sender->trip);
    tsl_sender_again(sender, now);
}

uint64_t tsl_sender_deadline(const struct tsl_sender *sender)
{
    if (sender->flights.count == 0)
        return TSL_NO_DEADLINE;
    return sender->since + tsl_round_trip_timeout(&sender->trip, sender->outstanding);
}

bool tsl_sender_repeats(struct tsl_sender *sender)
{
    const bool again = sender->again;
    sender->again = false;
    return again;
}

const struct tsl_queued *tsl_sender_repeat(struct tsl_sender *sender, size_t place)
{
    if (place >= sender->flights.count)
        return NULL;
    struct tsl_queued *queued = at(sender, &sender->flights, place);
    queued->flags |= TSL_RETRANSMIT;
    queued->sends++;
    sender->counters->retransmissions++;
    return queued;
}

static int bulk_in_flight(struct tsl_sender *sender)
{
    int count = 0;
    for (size_t place = 0; place < sender->flights.count; place++)
        count += at(sender, &sender->flights, place)->channel == TSL_BULK;
    return count;
}

/* The line-up whose first message is next, NULL if none may go. */
static struct tsl_line_up *next_line(struct tsl_sender *sender)
{
    if (sender->flights.count >= sender->allowed)
        return NULL;
    if (sender->queue.count > 0)
        return &sender->queue;
    return sender->bulk.count > 0 && bulk_in_flight(sender) < TSL_BULK_WINDOW ? &sender->bulk : NULL;
}

const struct tsl_queued *tsl_sender_launch(struct tsl_sender *sender, uint64_t now)
{
    struct tsl_line_up *line = next_line(sender);
    if (line == NULL)
        return NULL;
    if (sender->flights.count == 0)
        sender->since = now;
    const uint8_t place = remove_first(line);
    struct tsl_queued *queued = &sender->pool[place];
    queued->sequence = sender->next++;
    queued->sends = 1;
    queued->sent_at = now;
    sender->outstanding += on_line(sender, queued);
    append(&sender->flights, place);
    return queued;
}
