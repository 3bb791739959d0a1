#include "tsl_message.h"

#include <string.h>

#include "pb_common.h"
#include "pb_decode.h"
#include "pb_encode.h"
#include "tsl_utf8.h"

/* The messages are two deep: Frame, Event or Command, and what that holds. */
enum { DEEPEST = 3 };

static bool texts_are_utf8(const pb_msgdesc_t *fields, const void *message, int depth);

static bool is_present(const pb_field_iter_t *field)
{
    if (PB_HTYPE(field->type) != PB_HTYPE_ONEOF)
        return true;
    return *(const pb_size_t *)field->pSize == field->tag;
}

static bool field_is_utf8(const pb_field_iter_t *field, int depth)
{
    if (!is_present(field))
        return true;
    if (PB_LTYPE(field->type) == PB_LTYPE_STRING)
        return tsl_is_utf8(field->pData);
    if (PB_LTYPE_IS_SUBMSG(field->type))
        return texts_are_utf8(field->submsg_desc, field->pData, depth + 1);
    return true;
}

static bool texts_are_utf8(const pb_msgdesc_t *fields, const void *message, int depth)
{
    pb_field_iter_t field;
    if (depth == DEEPEST || !pb_field_iter_begin_const(&field, fields, message))
        return true; /* a message without fields has no text */
    do {
        if (!field_is_utf8(&field, depth))
            return false;
    } while (pb_field_iter_next(&field));
    return true;
}

enum tsl_reading tsl_message_read(const uint8_t *payload, size_t size, tsl_Frame *frame)
{
    if (size > TSL_LONGEST_MESSAGE)
        return TSL_READ_UNREADABLE;
    memset(frame, 0, sizeof *frame);
    pb_istream_t stream = pb_istream_from_buffer(payload, size);
    if (!pb_decode(&stream, tsl_Frame_fields, frame) || !texts_are_utf8(tsl_Frame_fields, frame, 0))
        return TSL_READ_UNREADABLE;
    return frame->which_message == 0 ? TSL_READ_UNKNOWN : TSL_READ;
}

size_t tsl_message_write(const tsl_Frame *frame, uint8_t *payload, size_t room)
{
    pb_ostream_t stream = pb_ostream_from_buffer(payload, room);
    return pb_encode(&stream, tsl_Frame_fields, frame) ? stream.bytes_written : 0;
}

bool tsl_is_card(const char *text)
{
    return strlen(text) == 2 && strchr("A23456789TJQK", text[0]) != NULL && strchr("shdc", text[1]) != NULL;
}
