#include "tsl_strict.h"

#include <string.h>

#include "tsl_field_table.h"
#include "tsl_utf8.h"

enum { VARINT = 0, EIGHT_BYTES = 1, BYTES = 2, FOUR_BYTES = 5, TAG_BITS = 32, LAST_SHIFT = 63, CARD = 2 };

/* The rest of a message. */
struct rest {
    const uint8_t *at, *end;
};

/* One field on the wire: the number of a varint, or the contents of a field of bytes. */
struct field {
    uint64_t number, value;
    struct rest contents;
    uint8_t wire;
};

/* At most ten bytes and 64 bits. */
static bool take_varint(struct rest *rest, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift <= LAST_SHIFT; shift += 7) {
        if (rest->at == rest->end)
            return false;
        const uint8_t byte = *rest->at++;
        if (shift == LAST_SHIFT && byte > 1)
            return false;
        *value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

static bool take_bytes(struct rest *rest, uint64_t size, struct rest *contents)
{
    if (size > (uint64_t)(rest->end - rest->at))
        return false;
    contents->at = rest->at;
    contents->end = rest->at += size;
    return true;
}

static bool take_field(struct rest *rest, struct field *field)
{
    uint64_t tag, size;
    if (!take_varint(rest, &tag) || tag >> TAG_BITS != 0 || tag >> 3 == 0)
        return false;
    field->number = tag >> 3;
    field->wire = tag & 7;
    switch (field->wire) {
    case VARINT:
        return take_varint(rest, &field->value);
    case EIGHT_BYTES:
        return take_bytes(rest, 8, &field->contents);
    case BYTES:
        return take_varint(rest, &size) && take_bytes(rest, size, &field->contents);
    case FOUR_BYTES:
        return take_bytes(rest, 4, &field->contents);
    default:
        return false;
    }
}

static const struct tsl_field_row *row_of(uint8_t message, uint64_t number)
{
    for (size_t place = 0; place < sizeof TSL_FIELD_ROWS / sizeof TSL_FIELD_ROWS[0]; place++)
        if (TSL_FIELD_ROWS[place].message == message && TSL_FIELD_ROWS[place].number == number)
            return &TSL_FIELD_ROWS[place];
    return NULL;
}

static bool is_card(const uint8_t *text, size_t size)
{
    return size == CARD && memchr("A23456789TJQK", text[0], 13) != NULL && memchr("shdc", text[1], 4) != NULL;
}

static bool is_strict(uint8_t message, struct rest rest);

static bool fits(const struct tsl_field_row *row, const struct field *field)
{
    const uint8_t *bytes = field->contents.at;
    const size_t size = field->wire == BYTES ? (size_t)(field->contents.end - bytes) : 0;
    switch (row->kind) {
    case TSL_KIND_BOOL:
        return field->value <= 1;
    case TSL_KIND_U53:
        return field->value >> 53 == 0;
    case TSL_KIND_TEXT:
        return size <= row->size && tsl_is_utf8(bytes, size);
    case TSL_KIND_CARD:
        return is_card(bytes, size);
    case TSL_KIND_FIXED:
        return size == row->size;
    case TSL_KIND_BYTES:
        return size <= row->size;
    case TSL_KIND_MEMBER:
        return is_strict(row->size, field->contents);
    default:
        return field->value >> 32 == 0;
    }
}

static bool is_number(uint8_t kind)
{
    return kind <= TSL_KIND_BOOL;
}

/* Calls itself at most twice: Frame, Event or Command, and the body of that. */
static bool is_strict(uint8_t message, struct rest rest)
{
    const bool has_card = message == TSL_ROWS_CARD_DRAWN || message == TSL_ROWS_CARD_UNPERMITTED;
    uint64_t seen = 0; /* a bit for each field */
    bool member = false, card = false;
    while (rest.at != rest.end) {
        struct field field;
        if (!take_field(&rest, &field))
            return false;
        const struct tsl_field_row *row = row_of(message, field.number);
        if (row == NULL)
            continue;
        const uint64_t bit = UINT64_C(1) << row->number;
        if (field.wire != (is_number(row->kind) ? VARINT : BYTES) || (seen & bit) != 0 || !fits(row, &field))
            return false;
        if (row->kind == TSL_KIND_MEMBER && member)
            return false;
        seen |= bit;
        member = member || row->kind == TSL_KIND_MEMBER;
        card = card || row->kind == TSL_KIND_CARD;
    }
    return card || !has_card;
}

bool tsl_is_strict(const uint8_t *payload, size_t size)
{
    return is_strict(TSL_ROWS_FRAME, (struct rest){payload, payload + size});
}
