#include "tsl_message.h"

#include <string.h>

#include "pb_decode.h"
#include "pb_encode.h"
#include "tsl_strict.h"

enum tsl_reading tsl_message_read(const uint8_t *payload, size_t size, tsl_Frame *frame)
{
    if (size > TSL_LONGEST_MESSAGE || !tsl_is_strict(payload, size))
        return TSL_READ_UNREADABLE;
    memset(frame, 0, sizeof *frame);
    pb_istream_t stream = pb_istream_from_buffer(payload, size);
    if (!pb_decode(&stream, tsl_Frame_fields, frame))
        return TSL_READ_UNREADABLE;
    return frame->which_message == 0 ? TSL_READ_UNKNOWN : TSL_READ;
}

size_t tsl_message_write(const tsl_Frame *frame, uint8_t *payload, size_t room)
{
    pb_ostream_t stream = pb_ostream_from_buffer(payload, room);
    return pb_encode(&stream, tsl_Frame_fields, frame) ? stream.bytes_written : 0;
}
