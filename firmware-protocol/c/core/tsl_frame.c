#include "tsl_frame.h"

#include <string.h>

#include "tsl_bytes.h"
#include "tsl_cobs.h"
#include "tsl_crc.h"

enum { VERSION = 1, CHECK = 4 };

void tsl_frame_header(const struct tsl_frame *frame, uint8_t header[TSL_HEADER])
{
    header[0] = (uint8_t)(VERSION << 4 | frame->flags);
    header[1] = frame->channel;
    tsl_put_u16(header + 2, frame->sequence);
    tsl_put_u16(header + 4, frame->acknowledgement);
    header[6] = frame->credit;
    header[7] = frame->size;
}

size_t tsl_frame_encode(const struct tsl_frame *frame, uint8_t wire[TSL_LONGEST_WIRE])
{
    uint8_t decoded[TSL_LONGEST_FRAME];
    const size_t checked = TSL_HEADER + (size_t)frame->size;
    tsl_frame_header(frame, decoded);
    if (frame->size > 0)
        memcpy(decoded + TSL_HEADER, frame->payload, frame->size);
    tsl_put_u32(decoded + checked, tsl_crc32c(decoded, checked));
    const size_t size = tsl_cobs_encode(decoded, checked + CHECK, wire + 1);
    wire[0] = wire[size + 1] = 0;
    return size + 2;
}

static void read_header(const uint8_t *decoded, struct tsl_frame *frame)
{
    frame->flags = decoded[0] & 15;
    frame->channel = decoded[1];
    frame->sequence = tsl_get_u16(decoded + 2);
    frame->acknowledgement = tsl_get_u16(decoded + 4);
    frame->credit = decoded[6];
    frame->size = decoded[7];
    frame->payload = decoded + TSL_HEADER;
}

/* Decodes the run in place, check by check in the order of section 3. */
static enum tsl_found decode(uint8_t *run, size_t size, struct tsl_frame *frame)
{
    const int decoded = tsl_cobs_decode(run, size);
    if (decoded < 0)
        return TSL_FOUND_BAD_COBS;
    if (decoded < TSL_OVERHEAD || run[7] != decoded - TSL_OVERHEAD)
        return TSL_FOUND_BAD_LENGTH;
    const size_t checked = (size_t)decoded - CHECK;
    if (tsl_get_u32(run + checked) != tsl_crc32c(run, checked))
        return TSL_FOUND_BAD_CRC;
    if (run[0] >> 4 != VERSION)
        return TSL_FOUND_BAD_VERSION;
    read_header(run, frame);
    return TSL_FOUND_FRAME;
}

static enum tsl_found end_of_run(struct tsl_deframer *deframer, struct tsl_frame *frame)
{
    const size_t size = deframer->size;
    const bool overrun = deframer->overrun;
    deframer->size = 0;
    deframer->overrun = false;
    if (overrun)
        return TSL_FOUND_TOO_LONG;
    return size == 0 ? TSL_FOUND_NOTHING : decode(deframer->run, size, frame);
}

enum tsl_found tsl_deframer_feed(struct tsl_deframer *deframer, uint8_t byte, struct tsl_frame *frame)
{
    if (byte == 0)
        return end_of_run(deframer, frame);
    if (deframer->size == TSL_LONGEST_RUN)
        deframer->overrun = true;
    else
        deframer->run[deframer->size++] = byte;
    return TSL_FOUND_NOTHING;
}
